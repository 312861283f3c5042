// What Rust writes for the page (page/run_data.rs, page/task_data.rs), and what the scripts make of it.

type Child = Node | string | number | null | undefined | false | "" | Child[];
type Numbers = number[] | Float64Array;
/** A number, or the reason why there is none. */
type Score = number | string;
/** What has changed since the page was last brought up to date. */
type Change = "all" | "settings" | "pins" | "pair" | "focus";

interface Measure {
  id: string;
  name: string;
  symbol: string;
  better: "lower" | "higher";
  formula: string;
  depends: (keyof Settings)[];
}

interface Run {
  name: string;
  measures: Measure[];
  pairs: [number, number][];
  top: number;
  exclude_undefined: boolean;
  families: { name: string; colour: string; marker: string }[];
  variants: { label: string; family: number; params: string }[];
  tasks: string[];
  alpha: { shape: string; k: number };
  utility: { benefit: number; t: number | null };
  costs: { over: number; under: number; linex_shape: number; linex_scale: number };
  palette: Record<string, string | string[]>;
  figures: { file: string; name: string }[][];
  pages: number[] | null;
}

interface Settings {
  tE: number;
  tL: number | null;
  beta: number;
  p: number;
  low: number | null;
  high: number | null;
  threshold: number | null;
}

type Phi =
  | { kind: "sigmoid"; low: number | null; high: number | null; k: number; delta: number }
  | { kind: "pchip" | "table"; points: number[][] }
  | { kind: "indicator"; ranges: [number | null, number | null][] };

interface Part {
  rows: number;
  phi: Phi;
  reference: number | null;
  tloss: number | null;
  repeat: number;
}

interface Task {
  name: string;
  target: string;
  percent: boolean;
  parts: Part[];
  truth: Float64Array;
  /** Days since 1970-01-01. */
  dates: Float64Array | null;
  prices: Float64Array | null;
  predictions: (Float64Array | null)[];
  status: { kind: "fine" | "not_converged" | "failed" | "missing"; reason?: string }[];
  scores: (Score[] | null)[];
  /** The first variant with the same predictions. */
  same_as: number[];
  references: boolean[];
  base: Settings;
  trading: { horizon: number; cost: number } | null;
  flow: string | null;
  episodes: string | null;
}

interface State {
  task: number | null;
  pins: number[];
  pair: number[] | null;
  settings: Partial<Record<keyof Settings, number>>;
  focus: number | null;
}

/** Scores at some settings: one entry a variant. */
interface Found {
  scores: (Score[] | null)[];
  signals: (number | null)[];
  hits: (number | null)[];
  events: number;
}

/** What two measures say of one task's scores. */
interface Comparison {
  variants: number[];
  ranksA: number[];
  ranksB: number[];
  bestA: number | null;
  bestB: number | null;
  k: number;
  rho: number | null;
  tau: number | null;
  shared: number | null;
  regret: number | null;
}

/** What every figure and table of a task is drawn from. */
interface View extends Found {
  task: Task;
  settings: Settings;
  a: number;
  b: number;
  comparison: Comparison;
  moved: boolean;
  evaluator: import("./scoring.js").Evaluator;
  focus: number | null;
  traded: boolean;
}

interface Slider {
  key: keyof Settings;
  label: string;
  symbol: string;
  hint: string;
  base: number;
  step: number;
  min: number;
  max: number;
}

interface Column {
  key: string;
  head: string;
  title?: string;
  measure?: number;
  rank?: boolean;
}

/** Plotly's own descriptions of traces and layouts, which come without types. */
type Trace = Record<string, unknown>;
type Layout = Record<string, unknown>;

interface Drawing {
  title: string;
  note?: string;
  alternative?: string;
  data: Trace[];
  layout: Layout;
}

interface PlotEvent {
  points: { pointNumber: number; data: { variants?: number[]; variant?: number } }[];
}

interface Plot extends HTMLDivElement {
  on(event: "plotly_click", listener: (event: PlotEvent) => void): void;
}
