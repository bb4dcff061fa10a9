import type { PanelBase } from "./base";

/** A joint graph in two columns, forward and backward, and the cuts that budgets give, the largest first. */
export interface PartitionPanel extends PanelBase {
  kind: "partition";
  /** In the order in which they run. What may be computed again stands in both columns. */
  forward: JointNode[];
  backward: JointNode[];
  /** Values without a tangent, and who reads them in the backward graph. */
  reads: { from: string; to: string }[];
  cuts: JointCut[];
}

export interface JointNode { id: string; kind: "argument" | "tangent" | "op"; name: string; text: string; facts: string; bytes: number; result?: boolean }

/** `kept` crosses from forward to backward; `early` and `late` are the ops of the two graphs. */
export interface JointCut { at: number; budget: number; kept: { ids: string[] }; early: { ids: string[] }; late: { ids: string[] }; bytes: number; entries: number }

/** The cut that the clock is at; before the first one there is none. */
export const cutAt = (panel: PartitionPanel, at: number): JointCut | undefined => panel.cuts.findLast((c) => c.at <= at);

export type Side = "forward" | "backward";
export type NodeState = "" | "on" | "kept" | "again";

/** kept: handed on; again: computed a second time, by the backward graph; on: a part of this graph; nothing: not in it. */
export function stateOf(node: JointNode, side: Side, cut: JointCut | undefined, forward: ReadonlySet<string>): NodeState {
  if (cut === undefined) return side === "forward" || !forward.has(node.id) ? "on" : "";
  if (side === "forward") return cut.kept.ids.includes(node.id) ? "kept" : node.kind !== "op" || cut.early.ids.includes(node.id) ? "on" : "";
  if (node.kind === "tangent") return "on";
  return !cut.late.ids.includes(node.id) ? "" : forward.has(node.id) ? "again" : "on";
}

/** The lines that cross the cut: from a kept value to an op of the backward graph that reads it. */
export const crosses = (read: { from: string; to: string }, cut: JointCut | undefined): boolean =>
  cut !== undefined && cut.kept.ids.includes(read.from) && cut.late.ids.includes(read.to);
