import type { GraphEdge, GraphNode } from "./scene";

/** Which side of its forward edge the backward edge runs on: -1 above, 1 below. */
export type Side = 1 | -1;
/** Offsets from the node's middle, in px, where the two directions of an edge meet a node. */
export interface Port { forward: number; backward: number }
export interface Lanes { side: Side; out: Port; in: Port }

const GAP = 8;

/**
 * Gives every edge its own lane at both ends, so that edges which share a node neither cover nor cross each other there.
 * Edges are sorted by where they come from or go to; at an op the upper ones carry their gradient above, the rest below.
 */
export function lanesOf(nodes: ReadonlyMap<string, GraphNode>, edges: readonly GraphEdge[], carries: ReadonlySet<string>): Map<string, Lanes> {
  const lanes = new Map<string, Lanes>();
  for (const e of edges) lanes.set(e.id, { side: 1, out: { forward: 0, backward: 0 }, in: { forward: 0, backward: 0 } });
  const towards = (e: GraphEdge) => e.via?.[0]?.[1] ?? nodes.get(e.to)!.y;
  const from = (e: GraphEdge) => e.via?.at(-1)?.[1] ?? nodes.get(e.from)!.y;
  for (const [id, group] of groupBy(edges, (e) => e.to)) {
    group.sort((a, b) => from(a) - from(b));
    group.forEach((e, k) => { if (k < (group.length - 1) / 2) lanes.get(e.id)!.side = -1; });
    spread(group, nodes.get(id)!.h, lanes, carries, "in");
  }
  for (const [id, group] of groupBy(edges, (e) => e.from)) {
    group.sort((a, b) => towards(a) - towards(b));
    spread(group, nodes.get(id)!.h, lanes, carries, "out");
  }
  level(nodes, edges, lanes);
  return lanes;
}

function spread(group: GraphEdge[], height: number, lanes: Map<string, Lanes>, carries: ReadonlySet<string>, end: "in" | "out"): void {
  if (group.length === 1) {
    const lane = lanes.get(group[0]!.id)!;
    lane[end] = { forward: 0, backward: lane.side * (GAP + 1) };
    return;
  }
  const slots: { lane: Lanes; key: keyof Port }[] = [];
  for (const e of group) {
    const lane = lanes.get(e.id)!;
    const own: (keyof Port)[] = !carries.has(e.id) ? ["forward"] : lane.side < 0 ? ["backward", "forward"] : ["forward", "backward"];
    for (const key of own) slots.push({ lane, key });
  }
  const gap = Math.min(GAP, (height - 8) / Math.max(1, slots.length - 1));
  slots.forEach(({ lane, key }, k) => { lane[end][key] = (k - (slots.length - 1) / 2) * gap; });
}

/** An edge between two nodes of the same height runs level: the end that is free takes the offset of the other. */
function level(nodes: ReadonlyMap<string, GraphNode>, edges: readonly GraphEdge[], lanes: Map<string, Lanes>): void {
  const outs = groupBy(edges, (e) => e.from), ins = groupBy(edges, (e) => e.to);
  for (const e of edges) {
    if (e.via?.length || Math.abs(nodes.get(e.from)!.y - nodes.get(e.to)!.y) > 1) continue;
    const lane = lanes.get(e.id)!;
    if (outs.get(e.from)!.length === 1) lane.out = { ...lane.in };
    else if (ins.get(e.to)!.length === 1) lane.in = { ...lane.out };
  }
}

function groupBy(edges: readonly GraphEdge[], key: (e: GraphEdge) => string): Map<string, GraphEdge[]> {
  const groups = new Map<string, GraphEdge[]>();
  for (const e of edges) {
    const list = groups.get(key(e));
    if (list) list.push(e);
    else groups.set(key(e), [e]);
  }
  return groups;
}
