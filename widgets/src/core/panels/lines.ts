import type { PanelBase } from "./base";

/** The reader's lines with what each costs, mark by mark: ops that ran, bytes that they made, ns that they took. */
export interface LinesPanel extends PanelBase {
  kind: "lines";
  rows: LineRow[];
}

export interface LineRow { id: string; no: number; text: string; marks: Mark[] }
export interface Mark { at: number; ops: number; bytes: number; ns: number }
export type Cost = Omit<Mark, "at">;

/** What a line has cost when the clock says `at`. */
export function costAt(row: LineRow, at: number): Cost {
  const sum = { ops: 0, bytes: 0, ns: 0 };
  for (const mark of row.marks) {
    if (mark.at > at) break;
    sum.ops += mark.ops;
    sum.bytes += mark.bytes;
    sum.ns += mark.ns;
  }
  return sum;
}

/** The most that any line costs in the end: the length of the longest bars. */
export function mostOf(rows: readonly LineRow[]): Cost {
  const ends = rows.map((row) => costAt(row, Infinity)), most = (name: keyof Cost) => Math.max(1, ...ends.map((c) => c[name]));
  return { ops: most("ops"), bytes: most("bytes"), ns: most("ns") };
}
