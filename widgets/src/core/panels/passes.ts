import type { PanelBase } from "./base";

/** The lines of a graph over all passes, each in its place, and what every pass did to them. */
export interface PassesPanel extends PanelBase {
  kind: "passes";
  rows: PassRow[];
  stages: PassStage[];
  before: Measure;
}

/** `died`: the pass that removed it; `from`: the row that it takes over under another name. */
export interface PassRow { id: string; born: number; died?: number; from?: string; texts: { at: number; text: string }[] }

/** Ops, bytes that they move, operations, where each op runs by itself. */
export interface Measure { ops: number; bytes: number; flops: number }

export interface PassStage { id: string; at: number; name: string; removed: number; added: number; changed: number; renamed: number; after: Measure }

export type RowState = "" | "same" | "removed" | "added" | "changed" | "gone";

/** The time at which the pass began that the clock is in; nothing before the first one. */
export const passAt = (panel: PassesPanel, now: number): number | undefined => panel.stages.findLast((s) => s.at <= now)?.at;

/** Removed, added and changed are what the pass of `now` did: the difference between before and after it. */
export function rowState(row: PassRow, now: number): RowState {
  if (row.died !== undefined && row.died < now) return "gone";
  if (row.died === now) return "removed";
  if (row.born > now) return "";
  if (row.born === now && now > 0) return "added";
  return now > 0 && row.texts.at(-1)!.at > 0 && row.texts.some((t) => t.at === now) ? "changed" : "same";
}

/** How a row is made now, and before the pass of `now`. */
export function textsAt(row: PassRow, now: number): { before: string; now: string } {
  const text = (at: number) => row.texts.findLast((t) => t.at <= at)?.text ?? row.texts[0]!.text;
  return { before: text(now - 1), now: text(now) };
}

/** A text as what stays, what goes and what comes: its first and its last characters are those of both. */
export function difference(before: string, after: string): { head: string; gone: string; come: string; tail: string } {
  const words = (t: string) => t.match(/\w+|\W/g) ?? [], a = words(before), b = words(after);
  let head = 0, tail = 0;
  while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
  while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const part = (of: string[], from: number, to: number) => of.slice(from, to).join("");
  return { head: part(a, 0, head), gone: part(a, head, a.length - tail), come: part(b, head, b.length - tail), tail: part(a, a.length - tail, a.length) };
}

/** What the graph costs now. */
export const measureAt = (panel: PassesPanel, now: number): Measure => panel.stages.findLast((s) => s.at <= now)?.after ?? panel.before;
