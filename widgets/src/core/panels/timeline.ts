import type { PanelBase } from "./base";

/** Runs one after the other: what Python needed around each kernel, and the kernel. Times in ns, of the engine alone. */
export interface TimelinePanel extends PanelBase {
  kind: "timeline";
  runs: Run[];
  /** The length of the axis in ns, where it is not this panel's own: for two that are compared. */
  top?: number;
  /** Which compiled functions were captured meanwhile, as a sentence says it: their ops ran one by one, as eager ones do. */
  captured?: string;
}

/** `together`: what cannot be told apart. */
export interface Run { id: string; label: string; at: number; python: number; kernel: number; together: number; of?: string }

/** The runs, those of one item of a fold in a row as one where `bundle` says so. */
export function bundled(runs: readonly Run[], bundle: (r: Run) => { id: string; label: string } | null): Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    const many = bundle(run), last = out.at(-1);
    if (!many) out.push(run);
    else if (last?.id !== many.id) out.push({ ...run, id: many.id, label: many.label });
    else out[out.length - 1] = { ...last, at: run.at, python: last.python + run.python, kernel: last.kernel + run.kernel, together: last.together + run.together };
  }
  return out;
}

export type Lane = "python" | "kernel" | "together";
/** A bar on a lane, from `start` to `end` in ns since the first run. */
export interface Bar { run: Run; lane: Lane; start: number; end: number }

export const lengthOf = (run: Run): number => run.python + run.kernel + run.together;

/** The bars: Python first, then its kernel; the next run begins when that is over. */
export function barsOf(runs: readonly Run[]): Bar[] {
  const bars: Bar[] = [];
  let t = 0;
  for (const run of runs)
    for (const lane of ["python", "kernel", "together"] as const) {
      if (run[lane] > 0) bars.push({ run, lane, start: t, end: t + run[lane] });
      t += run[lane];
    }
  return bars;
}

/** What has run when the clock says `at`: ns by lane, and how far the axis is done. */
export function doneAt(runs: readonly Run[], at: number): Record<Lane, number> & { until: number } {
  const sums = { python: 0, kernel: 0, together: 0, until: 0 };
  for (const run of runs) {
    if (run.at > at) break;
    sums.python += run.python;
    sums.kernel += run.kernel;
    sums.together += run.together;
    sums.until += lengthOf(run);
  }
  return sums;
}

/** A time in ns, µs, ms or s with three significant digits and a thin space. */
export function timeText(ns: number): string {
  const [k, unit] = ns >= 1e9 ? [1e9, "s"] as const : ns >= 1e6 ? [1e6, "ms"] as const : ns >= 1e3 ? [1e3, "µs"] as const : [1, "ns"] as const;
  return `${Number((ns / k).toPrecision(3))}\u2009${unit}`;
}

/** Round times for lines across the axis: three to seven of them. */
export function linesOf(total: number): number[] {
  const rough = total / 5, power = 10 ** Math.floor(Math.log10(rough || 1)), step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough) ?? 1;
  const lines: number[] = [];
  for (let t = step; t < total; t += step) lines.push(t);
  return lines;
}
