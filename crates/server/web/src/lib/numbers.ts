/** Between a number and its unit, where no line ends. */
const JOINED = '\u00a0';

/** A value from -1 to 1 as the share of the points. */
export function percent(value: number): string {
  return `${(50 * (value + 1)).toFixed(1)}${JOINED}%`;
}

/** Text with percentages where there is little room. */
export function tight(text: string): string {
  return text.replaceAll(`${JOINED}%`, '%');
}

export function grouped(number: number): string {
  return Math.round(number).toLocaleString('en');
}

export function seconds(value: number): string {
  if (value > 0 && value < 0.0005) return `<${JOINED}1${JOINED}ms`;
  return value < 1 ? `${(value * 1000).toFixed(0)}${JOINED}ms` : `${value.toFixed(1)}${JOINED}s`;
}

/** A value or its bounds: "64.3 %", "≥ 50.0 %", "20.0 % to 60.0 %". */
export function known(it: { value: number | null; at_least: number | null; at_most: number | null }): string {
  if (it.value !== null) return percent(it.value);
  if (it.at_least !== null && it.at_most !== null) return `${percent(it.at_least)} to ${percent(it.at_most)}`;
  if (it.at_least !== null) return `≥ ${percent(it.at_least)}`;
  if (it.at_most !== null) return `≤ ${percent(it.at_most)}`;
  return '–';
}

/** The colour of a value in the first player's view, as in the pictures of the library: blue where
 * the first player wins, orange where the second one does. */
export function colour(value: number | null): string {
  if (value === null) return '#ffffff';
  const end = value >= 0 ? [0, 114, 178] : [230, 159, 0];
  const part = Math.min(Math.abs(value), 1) * 0.7;
  const channels = end.map((channel) => Math.round(255 + part * (channel - 255)));
  return `rgb(${channels.join(' ')})`;
}
