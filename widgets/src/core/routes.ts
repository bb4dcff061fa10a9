import { type Curve, type Point, pt } from "./geometry";
import type { Lanes } from "./lanes";
import type { GraphEdge, GraphNode } from "./scene";

export interface Placed extends GraphNode { /** Stretched centre. */ cx: number }
/** How far labels, tags and boxes above and below a node reach beyond its sides: edges stay level until they are past. */
export interface Reach { above: number; below: number }
export interface End { node: Placed; reach: Reach }
export interface Route { forward: Curve; backward: Curve }

/** How far inside its box a pill's round end lies, at `dy` from its middle; rectangles have none. */
function inset(node: GraphNode, dy: number): number {
  if (node.kind === "op" || node.kind === "fold") return 0;
  const r = node.h / 2;
  return r - Math.sqrt(Math.max(0, r * r - dy * dy));
}

/** A slope longer than this bends within BEND px at one end, and is level for the rest. */
const SLOPE = 900, BEND = 240;

/** Long slopes become a bend and a level piece: at the start of the way, and before its end. */
function bent(points: readonly Point[]): Point[] {
  const out = [points[0]!];
  for (let k = 1; k < points.length; k++) {
    const a = points[k - 1]!, b = points[k]!;
    if (b.x - a.x > SLOPE && Math.abs(b.y - a.y) >= 1) out.push(k === 1 ? pt(a.x + BEND, b.y) : pt(b.x - BEND, a.y));
    out.push(b);
  }
  return out;
}

/** A curve through the points, horizontal at each of them; `shift` moves the handles sideways on slopes. */
export function through(way: readonly Point[], shift = 0): Curve {
  const curve: Curve = [], points = bent(way);
  for (let k = 1; k < points.length; k++) {
    const a = points[k - 1]!, b = points[k]!, dx = b.x - a.x;
    const handle = Math.max(dx > 0 ? Math.min(14, dx / 2) : 14, dx * 0.45);
    const slope = Math.abs(b.y - a.y) < 12 ? 0 : Math.sign(b.y - a.y);
    const limit = Math.max(0, Math.min(Math.abs(shift), handle - 4)) * Math.sign(shift);
    curve.push([a, pt(a.x + handle - limit * slope, a.y), pt(b.x - handle - limit * slope, b.y), b]);
  }
  return curve;
}

/** The forward edge and, beside it, the way its gradient goes (drawn from left to right too: its arrow is at its start). */
export function route(edge: GraphEdge, from: End, to: End, lanes: Lanes, stretch: number): Route {
  const { side, out, in: into } = lanes, a = from.node, b = to.node;
  const via = (edge.via ?? []).map(([x, y]) => pt(x * stretch, y));
  const way = (dOut: number, dIn: number, shift: number): Point[] => {
    const start = pt(a.cx + a.w / 2 - inset(a, dOut), a.y + dOut), end = pt(b.cx - b.w / 2 + inset(b, dIn), b.y + dIn);
    const inner = via.map((p) => pt(p.x, p.y + shift));
    return levelled(start, inner, end, from.reach, to.reach);
  };
  return { forward: through(way(out.forward, into.forward, 0)), backward: through(way(out.backward, into.backward, side * 9), side * 10) };
}

/** Adds a level piece at an end whose node has something wider than itself on the side the edge bends to. */
function levelled(start: Point, via: Point[], end: Point, from: Reach, to: Reach): Point[] {
  const first = via[0] ?? end, last = via.at(-1) ?? start, points = [start];
  const lead = Math.min(reach(from, first.y - start.y), 0.35 * (first.x - start.x));
  const tail = Math.min(reach(to, last.y - end.y), 0.35 * (end.x - last.x));
  if (lead > 3) points.push(pt(start.x + lead, start.y));
  points.push(...via);
  if (tail > 3) points.push(pt(end.x - tail, end.y));
  points.push(end);
  return points;
}

const reach = (r: Reach, dy: number): number => (Math.abs(dy) < 12 ? 0 : dy < 0 ? r.above : r.below);

/** The same curve, cut a few pixels short at one end, so that the line does not show beside the arrow's tip. */
export function shorten(curve: Curve, where: "start" | "end", by: number): Curve {
  const copy = curve.map((c) => [...c] as Curve[number]);
  if (where === "end") { const c = copy.at(-1)!; c[3] = pt(c[3].x - by, c[3].y); }
  else { const c = copy[0]!; c[0] = pt(c[0].x + by, c[0].y); }
  return copy;
}
