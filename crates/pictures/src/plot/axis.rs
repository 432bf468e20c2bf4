//! From values to places, and the ticks between.

use super::{Axis, Scale};
use crate::table::grouped;

/// Numbers beyond this are as good as infinite: their differences would be.
const HUGE: f64 = 1e300;

/// Where values lie.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    /// The values at the ends, logarithms for a logarithmic axis.
    low: f64,
    high: f64,
    is_log: bool,
    is_percent: bool,
    /// The places of the ends in pixels.
    pub(super) from: f64,
    pub(super) to: f64,
}

/// A labelled value.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// Whether a value can be drawn on the axis.
pub(super) fn is_drawable(axis: &Axis, value: f64) -> bool {
    let positive = match axis.scale {
        Scale::Log => value > 1.0 / HUGE,
        Scale::Linear | Scale::Categories(_) => true,
    };
    positive && value.abs() < HUGE
}

impl Ruler {
    /// An axis that holds all the values that can be drawn, with some room at the ends.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>) -> Ruler {
        let is_log = axis.scale == Scale::Log;
        let unit = |value: f64| if is_log { libm::log10(value) } else { value };
        let wanted = axis.range.into_iter().flatten();
        let asked = wanted.clone().filter(|value| is_drawable(axis, *value)).map(unit);
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values.chain(wanted).filter(|value| is_drawable(axis, *value)).map(unit) {
            low = low.min(value);
            high = high.max(value);
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if high - low <= 1e-9 * low.abs().max(high.abs()) {
            let room = if is_log { 0.5 } else { (0.1 * low.abs()).max(0.5) };
            (low, high) = (low - room, high + room);
        }
        // Markers at the ends should not be cut; a requested end has its room already.
        let room = 0.04 * (high - low);
        let is_asked = |end: f64| asked.clone().any(|value| value == end);
        let low = if is_asked(low) { low } else { low - room };
        let high = if is_asked(high) { high } else { high + room };
        Ruler { low, high, is_log, is_percent: axis.is_percent, from: 0.0, to: 1.0 }
    }

    /// Places for categories: 0 is half a step from the end.
    pub(super) fn categories(names: usize) -> Ruler {
        let high = names.max(1) as f64 - 0.5;
        Ruler { low: -0.5, high, is_log: false, is_percent: false, from: 0.0, to: 1.0 }
    }

    pub(super) fn between(self, from: f64, to: f64) -> Ruler {
        Ruler { from, to, ..self }
    }

    /// The place of a value; what lies beyond the ends, infinity above all, is at the end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let unit = match (self.is_log, value > 0.0) {
            (true, true) => libm::log10(value),
            (true, false) => f64::NEG_INFINITY,
            (false, _) => value,
        };
        let share = (unit.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// The end from which bars grow.
    pub(super) fn base(&self) -> f64 {
        if self.is_log { self.from } else { self.at(0.0) }
    }

    /// About `most` values that are worth a label, or fewer.
    pub(super) fn ticks(&self, most: usize) -> Vec<Tick> {
        if self.is_log {
            let ticks = self.log_ticks(most);
            if ticks.len() >= 2 {
                return ticks;
            }
        }
        let [low, high] =
            [self.low, self.high].map(|end| if self.is_log { libm::exp10(end) } else { end });
        let shown = if self.is_percent { 100.0 } else { 1.0 };
        let step = nice_step((high - low) * shown / most.max(1) as f64);
        let first = (low * shown / step - 1e-9).ceil();
        // Multiplied rather than added up, so that 0.1 does not become 0.30000000000000004.
        let values = (0..=most + 1).map(|i| (first + i as f64) * step);
        let values = values.take_while(|value| *value <= high * shown + 1e-9 * step);
        values
            .map(|value| {
                let unit = if self.is_percent { " %" } else { "" };
                Tick { value: value / shown, label: format!("{}{unit}", number(value, step)) }
            })
            .collect()
    }

    /// Powers of ten and, if there is room, twice and five times those.
    fn log_ticks(&self, most: usize) -> Vec<Tick> {
        let decades = (self.high - self.low).max(0.0);
        let is_short = decades * 3.0 <= most as f64;
        let mantissas: &[f64] = if is_short { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let every = (decades / most.max(1) as f64).ceil().max(1.0);
        let first = (self.low / every).floor() as i32;
        let last = (self.high / every).ceil() as i32;
        let mut ticks = Vec::new();
        for exponent in (first..=last).map(|i| f64::from(i) * every) {
            for mantissa in mantissas {
                let unit = exponent + libm::log10(*mantissa);
                if unit >= self.low - 1e-9 && unit <= self.high + 1e-9 {
                    let value = mantissa * libm::exp10(exponent);
                    ticks.push(Tick { value, label: power(*mantissa, exponent as i32) });
                }
            }
        }
        ticks
    }
}

/// 1, 2 or 5 times a power of ten, at least `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = libm::exp10(libm::log10(rough).floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|f| f * power >= rough * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power
}

/// A number with the decimals that a step of this size needs.
fn number(value: f64, step: f64) -> String {
    let value = if value.abs() < 1e-9 * step { 0.0 } else { value };
    if value != 0.0 && (value.abs() >= 1e6 || step < 1e-5) {
        let exponent = libm::log10(value.abs()).floor() as i32;
        let mantissa = value / libm::exp10(f64::from(exponent));
        let decimals = (f64::from(exponent) - libm::log10(step).floor()).clamp(0.0, 6.0) as usize;
        let written = format!("{mantissa:.decimals$}");
        let written = trimmed(&written).replace('-', "−");
        return format!("{written}·10{}", superscript(exponent));
    }
    let decimals = (-libm::log10(step).floor()).clamp(0.0, 9.0) as usize;
    let written = grouped(&format!("{:.decimals$}", value.abs()));
    if value < 0.0 { format!("−{written}") } else { written }
}

/// A power of ten, or a multiple of it, on a logarithmic axis.
fn power(mantissa: f64, exponent: i32) -> String {
    match exponent {
        0..=3 => (mantissa * libm::exp10(f64::from(exponent))).to_string(),
        -3..0 => format!("{mantissa}e{exponent}").parse().unwrap_or(0.0_f64).to_string(),
        _ if mantissa == 1.0 => format!("10{}", superscript(exponent)),
        _ => format!("{mantissa}·10{}", superscript(exponent)),
    }
}

fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

fn superscript(number: i32) -> String {
    let digit = |character| match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        // The others follow one another.
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or(digit),
    };
    number.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], most: usize) -> Vec<String> {
        let ticks = Ruler::new(axis, values.iter().copied()).ticks(most);
        ticks.into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        let linear = Axis::new("");
        assert_eq!(
            labels(&linear, &[0.0, 1.4], 8),
            ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2", "1.4"]
        );
        assert_eq!(labels(&linear, &[-7.0, 12.0], 5), ["−5", "0", "5", "10"]);
        assert_eq!(labels(&linear, &[3.0], 3), ["2.5", "3.0", "3.5"]);
        assert_eq!(labels(&linear, &[0.0, -3e4], 4), ["−30,000", "−20,000", "−10,000", "0"]);
        assert_eq!(labels(&linear, &[0.0, 3e6], 4), ["0", "1·10⁶", "2·10⁶", "3·10⁶"]);
        let percent = Axis::new("").percent().range(0.0, 1.0);
        assert_eq!(labels(&percent, &[], 5), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten() {
        let log = Axis::new("").log();
        assert_eq!(labels(&log, &[1.0, 3e6], 8), ["1", "10", "100", "1000", "10⁴", "10⁵", "10⁶"]);
        assert_eq!(labels(&log, &[1e-12, 1e12], 6).len(), 5);
        assert_eq!(
            labels(&log, &[0.002, 0.1], 8),
            ["0.002", "0.005", "0.01", "0.02", "0.05", "0.1"]
        );
        assert_eq!(labels(&log, &[3.1, 4.3], 5), ["3.5", "4.0"]);
    }

    #[test]
    fn places_are_within_the_axis() {
        let ruler = Ruler::new(&Axis::new("").log(), [1.0, 100.0].into_iter()).between(0.0, 200.0);
        assert!((ruler.at(10.0) - 100.0).abs() < 1e-9);
        assert_eq!((ruler.at(0.0), ruler.at(-1.0), ruler.at(f64::INFINITY)), (0.0, 0.0, 200.0));
        let ruler = Ruler::new(&Axis::new(""), [f64::NAN, f64::INFINITY].into_iter());
        assert!(ruler.at(0.5) > 0.0 && !ruler.ticks(5).is_empty());
        let names = Ruler::categories(4).between(0.0, 40.0);
        assert_eq!((names.at(0.0), names.at(3.0)), (5.0, 35.0));
    }
}
