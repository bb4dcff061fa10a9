import type { PanelBase } from "./base";

/** Bytes that launches read and write: one cell for each access, as long as its bytes, op by op and as scheduled. */
export interface TrafficPanel extends PanelBase {
  kind: "traffic";
  cells: Cell[];
  /** The launches op by op, in the order in which they run. */
  first: Row[];
  /** The launches after each decision; the first stage is op by op. */
  stages: Stage[];
}

export interface Cell { id: string; text: string; of: string; rw: "read" | "write"; bytes: number; role: "value" | "temporary" }
/** One launch: the id of its kernel, and its cells. */
export interface Row { id: string; label: string; ids: string[]; at: number }
/** The terms of time = data / bandwidth + work / (peak · utilisation) + overhead. */
export interface Spent { bytes: number; flops: number; launches: number }
export interface Stage extends Spent { at: number; rows: Omit<Row, "at">[] }

/** A cell in a bar: its left side, in bytes; `gone` ones stand behind the others. */
export interface Slot { cell: Cell; from: number; gone: boolean }
/** What one launch spans in a bar, in bytes. */
export interface Span { id: string; label: string; from: number; to: number }

export interface TrafficFrame {
  /** Cells op by op that have been moved so far, and their bytes. */
  ran: ReadonlySet<string>;
  moved: number;
  /** Null until something is decided. */
  stage: Stage | null;
  slots: Slot[];
  spans: Span[];
}

export function trafficAt(panel: TrafficPanel, at: number): TrafficFrame {
  const by = new Map(panel.cells.map((c) => [c.id, c])), sum = (ids: Iterable<string>) => [...ids].reduce((n, id) => n + by.get(id)!.bytes, 0);
  const ran = new Set(panel.first.filter((r) => r.at <= at).flatMap((r) => r.ids));
  const stage = panel.stages.slice(1).findLast((s) => s.at <= at) ?? null;
  return { ran, moved: sum(ran), stage, ...placed(panel, by, stage) };
}

/** The bar of a stage: its launches one after the other, and what op by op was moved besides. */
function placed(panel: TrafficPanel, by: Map<string, Cell>, stage: Stage | null): Pick<TrafficFrame, "slots" | "spans"> {
  const slots: Slot[] = [], spans: Span[] = [], left = new Set(panel.first.flatMap((r) => r.ids));
  let x = 0;
  const put = (id: string, gone: boolean) => {
    const cell = by.get(id)!;
    slots.push({ cell, from: x, gone });
    left.delete(id);
    x += cell.bytes;
  };
  for (const row of stage?.rows ?? []) {
    const from = x;
    for (const id of row.ids) put(id, false);
    spans.push({ id: row.id, label: row.label, from, to: x });
  }
  for (const id of [...left]) put(id, true);
  return { slots, spans };
}

/** The launches op by op, side by side. */
export function firstSpans(panel: TrafficPanel): { slots: Slot[]; spans: Span[] } {
  const by = new Map(panel.cells.map((c) => [c.id, c]));
  return placed(panel, by, { at: 0, bytes: 0, flops: 0, launches: 0, rows: panel.first });
}
