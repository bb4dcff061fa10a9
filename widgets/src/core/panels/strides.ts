import type { PanelBase } from "./base";

/** Memory as a row of cells, and tensors as grids of indices that lead into it. */
export interface StridesPanel extends PanelBase {
  kind: "strides";
  memories: { id: string; cells: { id: string; text: string }[] }[];
  views: StridedView[];
  /** Which view is told, and which of its cells. */
  stages: { at: number; op: string | null; focus: string | null }[];
}

export interface StridedView {
  id: string;
  label: string;
  /** Index into `memories`. */
  memory: number;
  shape: number[];
  strides: number[];
  offset: number;
  cells: { id: string; index: number[]; to: string; text: string }[];
}

export type Stage = StridesPanel["stages"][number];

/** The last stage that has begun. */
export const stageAt = (panel: StridesPanel, at: number): Stage | undefined => panel.stages.findLast((s) => s.at <= at);

/** The addresses that a view has read when it has come to its cell `to`, in the order in which they were read: its path. */
export function pathOf(view: StridedView, to: string | null): string[] {
  const last = view.cells.findIndex((c) => c.id === to);
  return view.cells.slice(0, last + 1).map((c) => c.to);
}

/** Row and column of a cell in a grid; further dimensions are grids side by side, and their numbers are columns further. */
export function placeOf(view: StridedView, index: readonly number[]): { row: number; column: number } {
  const [columns, rows] = [view.shape.at(-1) ?? 1, view.shape.at(-2) ?? 1], [j, i] = [index.at(-1) ?? 0, index.at(-2) ?? 0];
  const block = view.shape.length > 2 ? index[0]! : 0;
  return { row: i + block * (rows + 0.4), column: Math.min(j, columns - 1) };
}
