import type { PanelBase } from "./base";

/** Rows of a tree, parents before their children; `depth` says how deep. */
export interface TreePanel extends PanelBase {
  kind: "tree";
  rows: TreeRow[];
  /** Which row is told. */
  stages: { at: number; focus: string | null }[];
}

export interface TreeRow {
  id: string;
  kind: "module" | "parameter" | "buffer";
  depth: number;
  name: string;
  what: string;
  /** Numbers to learn, in it and below. */
  count: number;
  share: number;
  facts: string[];
}

/** The row that the clock is at. */
export const focusAt = (panel: TreePanel, at: number): string | null => panel.stages.findLast((s) => s.at <= at)?.focus ?? null;

/** The rows that are shown when these are folded: none below a folded one. */
export function visible(rows: readonly TreeRow[], folded: ReadonlySet<string>): TreeRow[] {
  let hide = Infinity;
  return rows.filter((row) => {
    if (row.depth > hide) return false;
    hide = folded.has(row.id) ? row.depth : Infinity;
    return true;
  });
}

/** Rows that have rows below them. */
export const parents = (rows: readonly TreeRow[]): Set<string> =>
  new Set(rows.filter((row, k) => (rows[k + 1]?.depth ?? 0) > row.depth).map((row) => row.id));

/** What is folded at first: in a large tree all below the first level. */
export const foldedAtFirst = (rows: readonly TreeRow[], most = 40): Set<string> =>
  new Set(rows.length <= most ? [] : [...parents(rows)].filter((id) => rows.find((r) => r.id === id)!.depth >= 1));
