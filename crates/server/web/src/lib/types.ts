// The objects of `--json` (docs/json.md), as far as the page reads them.

export type Side = 'first' | 'second';
export type Proof = 'win' | 'draw' | 'loss' | null;

export interface Param {
  name: string;
  values: string;
  default: string;
  meaning: string;
}

export interface GameInfo {
  name: string;
  syntax: string;
  rules: string;
  moves: string;
  params: Param[];
}

export interface OptionInfo extends Param {
  source: string;
}

export interface LabelInfo {
  label: string;
  about: string;
  source: string;
  /** What can limit a move; nothing if the player does not search. */
  limits: string[];
  options: OptionInfo[];
}

export interface Show {
  game: string;
  to_move: Side | null;
  side: string | null;
  ply: number;
  outcome: Side | 'draw' | null;
  margin: number | null;
  moves: string[];
  position: string | null;
  played: string[];
}

export interface Cell {
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
  shape: 'square' | 'hexagon' | 'round';
}

export interface Piece {
  cell: number;
  owner: Side | null;
  kind: string;
  letter?: string;
  promoted?: boolean;
  count: number;
}

export interface Picture {
  width: number;
  height: number;
  cells: Cell[];
  pieces: Piece[];
}

/** A position with what is needed to draw it and to play in it. */
export interface Shown {
  show: Show;
  svg: string;
  padding: number | null;
  picture: Picture | null;
  cells: number[][];
  last: number[];
  counts: [number, number] | null;
  sides: [string, string];
  result: string | null;
}

export interface MoveFinding {
  move: string;
  visits: number;
  value: number | null;
  at_least: number | null;
  at_most: number | null;
  proof: Proof;
}

/** A value of every node beside its mean reward. */
export interface Channel {
  key: string;
  name: string;
  short: string;
}

export interface TreeNode {
  move: string | null;
  visits: number;
  value: number | null;
  at_least: number | null;
  at_most: number | null;
  interval: { depth: number; at_least: number | null; at_most: number | null } | null;
  amaf: number | null;
  proof: Proof;
  children: TreeNode[];
  hidden: number;
  /** Under the key of each channel, its value or null. */
  [channel: string]: unknown;
}

export interface Strategy {
  name: string;
  side: string | null;
  playouts: number;
  share: number;
  mean: number | null;
}

/** What a search has found so far, or in the end. */
export interface Findings {
  schema: string;
  best_move: string | null;
  value: number;
  value_first: number;
  proof: Proof;
  margin: number | null;
  pv: string[];
  moves: MoveFinding[];
  iterations: number;
  nodes: number;
  evaluations: number;
  depth: number;
  memory: number;
  seconds: number;
  stop: string;
  digest: string;
  tree?: TreeNode;
  strategies?: Strategy[];
  player?: string;
  seed?: number;
  repeatable?: boolean;
}

export interface Trap {
  move: string;
  level: number;
  difficulty: number | null;
  refutation: string[];
}
