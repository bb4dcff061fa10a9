import { chipWidth, CHIP_HEIGHT, placeChip } from "./chips";
import { Crowd } from "./crowd";
import { around, bounds, type Curve, type Point, type Rect, sample } from "./geometry";
import { type Lanes, lanesOf } from "./lanes";
import { pinLink, type Tag } from "./pinlinks";
import { type End, type Placed, type Reach, route, type Route } from "./routes";
import type { GraphEdge, GraphPin, GraphScene } from "./scene";
import { longest, type Longest } from "./texts";
import { monoWidth } from "./words";

export interface EdgeDrawing { id: string; from: string; to: string; forward: Curve; back?: { curve: Curve; chip: Point; width: number } }
export interface PinDrawing { id: string; tag: Tag; label: string; link: Curve; needle: [Point, Point] }
export interface SumDrawing { id: string; x: number; y: number; w: number; tray: string | null }
/** Everything with its place, for one stretch. Frames only change what of it is shown. */
export interface Drawing {
  nodes: Placed[]; edges: EdgeDrawing[]; pins: PinDrawing[]; sums: SumDrawing[];
  hooks: Map<string, Point>;
  /** Where the mark of a node's hooks stands: at its lower left corner. */
  marks: Map<string, Point>;
  bounds: Rect;
}

export const SUM_HEIGHT = 26;
const SUM_GAP = 7;
const DROP = 3;
/** The middle of both ends: how an edge is tried out before lanes are given. */
const LEVEL: Lanes = { side: 1, out: { forward: 0, backward: 0 }, in: { forward: 0, backward: 0 } };

/** Places what may move in an order that leaves each its room: edges first, then links of pins, then chips. */
export function drawingOf(scene: GraphScene, stretch: number): Drawing {
  const texts = longest(scene), crowd = new Crowd(), taken: Rect[] = [];
  const nodes: Placed[] = scene.graph.nodes.map((n) => ({ ...n, cx: Math.round(n.x * stretch) }));
  const byId = new Map(nodes.map((n) => [n.id, n]));
  const sums = nodes.filter((n) => n.tray || n.sum || texts.sums.has(n.id)).map((n) => sumOf(n, texts.sums.get(n.id) ?? ""));
  const hooks = new Map(sums.filter((s) => texts.hooks.has(s.id)).map((s) => [s.id, { x: s.x, y: s.y + SUM_HEIGHT + (s.tray ? 32 : 15) }]));
  const marks = new Map(nodes.filter((n) => texts.hooked.has(n.id)).map((n) => [n.id, { x: n.cx - n.w / 2 + 3, y: n.y + n.h / 2 - 3 }]));
  const tags = new Map(scene.graph.pins.map((p) => [p.id, tagOf(p, byId.get(p.op)!)]));
  taken.push(...nodes.flatMap(nodeRects), ...sums.flatMap(sumRects), ...[...tags.values()].map(tagRect));
  for (const [id, p] of hooks) taken.push(around(p.x, p.y - 4, monoWidth(texts.hooks.get(id)!, 11), 14));
  for (const p of marks.values()) taken.push(around(p.x, p.y, 18, 18));
  taken.forEach((r) => crowd.add(r));
  const routed = routesOf(scene, byId, reaches(scene, nodes, sums, tags), texts, stretch, crowd);
  const pins = scene.graph.pins.map((p) => pinOf(p, byId, tags.get(p.id)!, crowd));
  const edges = routed.map((r) => edgeOf(r, texts.sends.get(r.e.id), crowd));
  for (const e of edges) {
    if (e.back) taken.push(around(e.back.chip.x, e.back.chip.y, e.back.width, CHIP_HEIGHT));
    for (const q of sample(e.forward, 24)) taken.push(around(q.x, q.y, 2, 2));
  }
  for (const p of pins) for (const q of sample(p.link)) taken.push(around(q.x, q.y, 2, 2));
  return { nodes, edges, pins, sums, hooks, marks, bounds: bounds(taken) };
}

interface Routed extends Route { e: GraphEdge; lane: Lanes }

function routesOf(scene: GraphScene, byId: Map<string, Placed>, reach: Map<string, Reach>, texts: Longest, stretch: number, crowd: Crowd): Routed[] {
  const end = (id: string) => ({ node: byId.get(id)!, reach: reach.get(id)! });
  const edges = scene.graph.edges.map((e) => simpler(e, end(e.from), end(e.to), stretch, crowd));
  const lanes = lanesOf(byId, edges, new Set(texts.sends.keys()));
  const routed = edges.map((e) => ({ e, lane: lanes.get(e.id)!, ...route(e, end(e.from), end(e.to), lanes.get(e.id)!, stretch) }));
  for (const r of routed) {
    crowd.addLine(sample(r.forward), r.e.id);
    if (!texts.sends.has(r.e.id)) continue;
    const tip = r.backward[0]![0];
    crowd.addLine(sample(r.backward), r.e.id);
    crowd.add({ x: tip.x, y: tip.y - 5, w: 12, h: 10 });
  }
  return routed;
}

function edgeOf({ e, lane, forward, backward }: Routed, text: string | undefined, crowd: Crowd): EdgeDrawing {
  const base = { id: e.id, from: e.from, to: e.to, forward };
  if (text === undefined) return base;
  const width = chipWidth(text);
  return { ...base, back: { curve: backward, chip: placeChip(e.id, forward, lane.side, width, crowd), width } };
}

/** Leaves out the via points that the edge does not need to keep clear of labels: fewer bends, fewer crossings at its ends. */
function simpler(edge: GraphEdge, from: End, to: End, stretch: number, crowd: Crowd): GraphEdge {
  const hits = (via: [number, number][]): number => {
    const points = sample(route({ ...edge, via }, from, to, LEVEL, stretch).forward);
    return crowd.hits(points.filter((p) => p.x > from.node.cx + from.node.w / 2 + 4 && p.x < to.node.cx - to.node.w / 2 - 4), 7);
  };
  const given = edge.via ?? [];
  let via = given.filter(([, y], k) => given[k - 1]?.[1] !== y || given[k + 1]?.[1] !== y); // inner points of a level run say nothing
  if (via.length === 0) return edge;
  if (hits([]) === 0) return { ...edge, via: [] };
  for (let k = via.length - 1; k >= 0; k--) {
    const fewer = via.filter((_, i) => i !== k);
    if (hits(fewer) <= Math.min(hits(via), 0)) via = fewer;
  }
  return { ...edge, via };
}

/** What stands above and below each node, beyond its sides. */
function reaches(scene: GraphScene, nodes: Placed[], sums: SumDrawing[], tags: Map<string, Tag>): Map<string, Reach> {
  const map = new Map<string, Reach>(nodes.map((n) => {
    const text = n.kind === "const" || n.kind === "fold" ? "" : n.kind === "op" ? n.note ?? "" : n.label;
    return [n.id, { above: Math.max(0, monoWidth(text, 11) / 2 - n.w / 2 + 4), below: 0 }];
  }));
  const byId = new Map(nodes.map((n) => [n.id, n]));
  for (const s of sums) map.get(s.id)!.below = Math.max(0, s.w / 2 - byId.get(s.id)!.w / 2 + 8);
  for (const p of scene.graph.pins) {
    const op = byId.get(p.op)!, tag = tags.get(p.id)!, r = map.get(p.op)!;
    r.above = Math.max(r.above, Math.abs(tag.x - op.cx) + tag.w / 2 - op.w / 2 + 4);
  }
  return map;
}

function tagOf(pin: GraphPin, op: Placed): Tag {
  return { x: Math.round(op.cx + (pin.x - op.x)), y: pin.y, w: Math.round(monoWidth(pin.label, 11) + 14) };
}

/** A tag with the way it drops when it is freed. */
const tagRect = (t: Tag): Rect => around(t.x, t.y + DROP / 2, t.w, 20 + DROP);

function pinOf(pin: GraphPin, byId: Map<string, Placed>, tag: Tag, crowd: Crowd): PinDrawing {
  const op = byId.get(pin.op)!, half = op.w / 2 - 6;
  const foot = op.cx + Math.max(-half, Math.min(half, tag.x - op.cx));
  const value = byId.get(pin.of)!;
  const link = value.kind === "const" ? [] : pinLink(value, op, tag, crowd); // the tag of a number says it all
  crowd.addLine(sample(link), pin.id);
  return { id: pin.id, tag, label: pin.label, link, needle: [{ x: tag.x, y: tag.y + 10 }, { x: foot, y: op.y - op.h / 2 - 1 }] };
}

function sumOf(n: Placed, text: string): SumDrawing {
  const least = Math.max(n.tray?.w ?? n.sum?.w ?? 0, n.tray ? n.w : 44);
  return { id: n.id, x: n.cx, y: n.y + n.h / 2 + SUM_GAP, w: Math.max(least, Math.round(monoWidth(text, 13) + 16)), tray: n.tray?.label ?? null };
}

function sumRects(s: SumDrawing): Rect[] {
  const box = around(s.x, s.y + SUM_HEIGHT / 2, s.w, SUM_HEIGHT);
  return s.tray === null ? [box] : [box, around(s.x, s.y + SUM_HEIGHT + 11, monoWidth(s.tray, 11), 13)];
}

function nodeRects(n: Placed): Rect[] {
  const body = around(n.cx, n.y, n.w, n.h);
  if (n.kind === "const") return [body];
  if (n.kind === "fold") return [around(n.cx + 4, n.y - 4, n.w + 8, n.h + 8)];
  if (n.kind === "op") return n.note ? [body, around(n.cx, n.y - n.h / 2 - 11, monoWidth(n.note, 11), 13)] : [body];
  return [body, around(n.cx, n.y - n.h / 2 - 10, monoWidth(n.label, 11), 14)];
}
