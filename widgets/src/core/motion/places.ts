import type { Drawing, EdgeDrawing, PinDrawing, SumDrawing } from "../drawing";
import { bounds, type Curve, type Point, pt, type Rect, sample } from "../geometry";
import type { Placed } from "../routes";
import { monoWidth } from "../words";
import type { Box } from "./moves";

/** Where everything of a drawing stands, by its id: what a score is made from. */
export class Places {
  readonly nodes: ReadonlyMap<string, Placed>;
  readonly edges: ReadonlyMap<string, EdgeDrawing>;
  readonly pins: ReadonlyMap<string, PinDrawing>;
  readonly sums: ReadonlyMap<string, SumDrawing>;
  private readonly ins: ReadonlyMap<string, EdgeDrawing[]>;
  private readonly outs: ReadonlyMap<string, EdgeDrawing[]>;

  constructor({ nodes, edges, pins, sums }: Drawing) {
    this.nodes = new Map(nodes.map((n) => [n.id, n]));
    this.edges = new Map(edges.map((e) => [e.id, e]));
    this.pins = new Map(pins.map((p) => [p.id, p]));
    this.sums = new Map(sums.map((s) => [s.id, s]));
    this.ins = grouped(edges, (e) => e.to);
    this.outs = grouped(edges, (e) => e.from);
  }

  into(node: string): readonly EdgeDrawing[] { return this.ins.get(node) ?? []; }
  outOf(node: string): readonly EdgeDrawing[] { return this.outs.get(node) ?? []; }

  middle(node: string): Point { const n = this.nodes.get(node)!; return pt(n.cx, n.y); }

  /** Around nodes that are one kernel. */
  around(ids: readonly string[]): Rect {
    return bounds(ids.flatMap((id) => this.nodes.get(id) ?? []).map((n) => ({ x: n.cx - n.w / 2 - 10, y: n.y - n.h / 2 - 22, w: n.w + 20, h: n.h + 32 })));
  }
}

/** In the order in which they come, by a key. */
export function grouped<K, V>(list: readonly V[], key: (v: V) => K): Map<K, V[]> {
  const out = new Map<K, V[]>();
  for (const v of list) out.set(key(v), [...(out.get(key(v)) ?? []), v]);
  return out;
}

/** The box of a number on its way. */
export const chip = (text: string): Box => ({ w: Math.max(30, monoWidth(text, 12) + 14), h: 22 });

/** Points along an edge, to its consumer or back. */
export const way = (curve: Curve, back = false): Point[] => { const points = sample(curve, 10); return back ? points.reverse() : points; };

/** At which share of a way it passes a point. */
export function shareAt(points: readonly Point[], p: Point): number {
  let near = Infinity, far = 0, at = 0;
  points.forEach((q, k) => {
    if (k) far += Math.hypot(q.x - points[k - 1]!.x, q.y - points[k - 1]!.y);
    const d = Math.hypot(q.x - p.x, q.y - p.y);
    if (d < near) { near = d; at = far; }
  });
  return at / (far || 1);
}
