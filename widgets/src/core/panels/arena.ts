import type { PanelBase } from "./base";

/** A memory plan: rectangles of columns × bytes. A column is a stretch of steps of a kernel in which the same values are alive. */
export interface ArenaPanel extends PanelBase {
  kind: "arena";
  /** The size of the arena, and the most bytes that are alive at once: no plan can do with less. */
  bytes: number;
  bound: number;
  kernels: Placed[];
  columns: { label: string; live: number }[];
  blocks: Place[];
  stages: { at: number; column: number }[];
}

/** A kernel and its columns. */
export interface Placed { id: string; label: string; first: number; count: number }

/** Values that lie at `offset`, from column `first` to column `last`, both included. */
export interface Place { id: string; name: string; bytes: number; offset: number; first: number; last: number }

/** The column that is shown at a time; −1 before the first. */
export const columnAt = (panel: ArenaPanel, now: number): number => panel.stages.findLast((s) => s.at <= now)?.column ?? -1;

export type PlaceState = "ahead" | "there" | "gone";

export const stateOf = (place: Place, column: number): PlaceState => (place.first > column ? "ahead" : place.last < column ? "gone" : "there");

/** The bytes alive, as a line over the columns: path data. */
export function liveLine(panel: ArenaPanel, x: (column: number) => number, y: (bytes: number) => number): string {
  const r = (v: number) => Math.round(v * 10) / 10;
  return panel.columns.map(({ live }, k) => `${k ? "V" : `M${r(x(0))} `}${r(y(live))}H${r(x(k + 1))}`).join("");
}
