import { type Curve, type Point, pt } from "./geometry";
import type { Lanes } from "./lanes";
import type { GraphEdge, GraphNode } from "./scene";

export interface Placed extends GraphNode { /** Stretched centre. */ cx: number }
export interface Route { forward: Curve; backward: Curve }

/** How far inside its box a pill's round end lies, at `dy` from its middle; rectangles have none. */
function inset(node: GraphNode, dy: number): number {
  if (node.kind === "op") return 0;
  const r = node.h / 2;
  return r - Math.sqrt(Math.max(0, r * r - dy * dy));
}

/** A curve through the points, horizontal at each of them; `shift` moves the handles sideways on slopes. */
export function through(points: readonly Point[], shift = 0): Curve {
  const curve: Curve = [];
  for (let k = 1; k < points.length; k++) {
    const a = points[k - 1]!, b = points[k]!, dx = b.x - a.x;
    const handle = Math.max(dx > 0 ? Math.min(14, dx / 2) : 14, dx * 0.45);
    const slope = Math.abs(b.y - a.y) < 12 ? 0 : Math.sign(b.y - a.y);
    curve.push([a, pt(a.x + handle - shift * slope, a.y), pt(b.x - handle - shift * slope, b.y), b]);
  }
  return curve;
}

/** The forward edge and, beside it, the way its gradient goes (drawn from left to right too: the arrow is put at its start). */
export function route(edge: GraphEdge, from: Placed, to: Placed, lanes: Lanes, stretch: number): Route {
  const x1 = from.cx + from.w / 2, x2 = to.cx - to.w / 2, { side, out, in: into } = lanes;
  const via = (edge.via ?? []).map(([x, y]) => pt(x * stretch, y));
  const start = pt(x1 - inset(from, out.forward), from.y + out.forward);
  const end = pt(x2 + inset(to, into.forward), to.y + into.forward);
  const backStart = pt(x1 - inset(from, out.backward) + 1, from.y + out.backward);
  const backEnd = pt(x2 + inset(to, into.backward), to.y + into.backward);
  return {
    forward: through([start, ...via, end]),
    backward: through([backStart, ...via.map((p) => pt(p.x, p.y + side * 9)), backEnd], side * 10),
  };
}

/** The same curve, cut a few pixels short at one end, so that the line does not show beside the arrow's tip. */
export function shorten(curve: Curve, where: "start" | "end", by: number): Curve {
  const copy = curve.map((c) => [...c] as Curve[number]);
  if (where === "end") { const c = copy.at(-1)!; c[3] = pt(c[3].x - by, c[3].y); }
  else { const c = copy[0]!; c[0] = pt(c[0].x + by, c[0].y); }
  return copy;
}
