import type { PanelBase } from "./base";

/** A product of (m, k) and (k, n), in tiles: what is fetched for the tile of the moment, and for all until then. */
export interface TilingPanel extends PanelBase {
  kind: "tiling";
  m: number;
  n: number;
  k: number;
  /** Every number once. */
  floor: number;
  ways: Way[];
  stages: TilingStage[];
}

/** Tiles of `rows` × `columns` entries in an order. `tiles` are the first ones, as far as a stage stops among them. */
export interface Way { id: string; label: string; rows: number; columns: number; count: number; tiles: [number, number][]; total: number }
/** A rectangle of entries of A or B. */
export interface Block { in: "a" | "b"; row: number; column: number; rows: number; columns: number }
export interface TilingStage { at: number; of: string | null; done?: number; total?: number; fetched?: Block[]; found?: Block[]; held?: Block[] }

export const tilingAt = (panel: TilingPanel, at: number): TilingStage | undefined => panel.stages.findLast((s) => s.at <= at);

/** What each way has fetched; null for those that have not begun. */
export function fetchedAt(panel: TilingPanel, at: number): (number | null)[] {
  return panel.ways.map((way) => panel.stages.findLast((s) => s.at <= at && s.of === way.id)?.total ?? null);
}

/** The tiles of C that are done, as rectangles of entries; all of them are one. The last one is that of the moment. */
export function doneAt(panel: TilingPanel, stage: TilingStage | undefined): { done: Omit<Block, "in">[]; now: Omit<Block, "in"> | null } {
  const way = panel.ways.find((w) => w.id === stage?.of);
  if (way === undefined || stage?.done === undefined) return { done: [], now: null };
  const box = ([i, j]: readonly [number, number]) => ({ row: i * way.rows, column: j * way.columns, rows: Math.min(way.rows, panel.m - i * way.rows), columns: Math.min(way.columns, panel.n - j * way.columns) });
  if (stage.done === way.count) return { done: [{ row: 0, column: 0, rows: panel.m, columns: panel.n }], now: box([Math.ceil(panel.m / way.rows) - 1, Math.ceil(panel.n / way.columns) - 1]) };
  return { done: way.tiles.slice(0, stage.done).map(box), now: box(way.tiles[stage.done - 1]!) };
}
