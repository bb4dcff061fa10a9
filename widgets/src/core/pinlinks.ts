import type { Crowd } from "./crowd";
import { type Curve, type Point, pt, sample } from "./geometry";
import type { Placed } from "./routes";

export interface Tag { x: number; y: number; w: number }

const RADIUS = 14;

/**
 * The dotted link from a value to the tag that keeps it. It rises beside or above the value and enters the tag from its
 * side or from above: of some fifty ways the one that meets least, then the shortest.
 */
export function pinLink(value: Placed, op: Placed, tag: Tag, crowd: Crowd): Curve {
  let best: Curve = [], least = Infinity;
  const all = ways(value, op, tag).map((points) => ({ points, far: length(points) * 0.02 })).sort((a, b) => a.far - b.far);
  for (const { points, far } of all) {
    if (far >= least) break;
    const curve = rounded(points), inner = sample(curve, 6).filter((p) => gap(p, points[0]!) > 4 && gap(p, points.at(-1)!) > 8);
    const blocked = far + crowd.hits(inner, 3, (least - far) / 6) * 6;
    if (blocked >= least) continue;
    const cost = blocked + crowd.crossings(inner);
    if (cost < least) { least = cost; best = curve; }
  }
  return best;
}

/** Corner points of the ways to try. A value beside its op leaves by its top; one below may also leave by its sides. */
function ways(value: Placed, op: Placed, tag: Tag): Point[][] {
  const toRight = tag.x >= value.cx ? 1 : -1, entry = pt(tag.x - toRight * (tag.w / 2 + 3), tag.y), roof = pt(tag.x, tag.y - 12);
  const top = pt(value.cx, value.y - value.h / 2 - (value.kind === "const" ? 4 : 20)), out: Point[][] = [];
  const via = (start: Point[], x: number) => {
    out.push([...start, pt(x, entry.y), entry]);
    for (const lift of [14, 24, 34, 46, 60]) out.push([...start, pt(x, roof.y - lift), pt(roof.x, roof.y - lift), roof]);
  };
  via([top], top.x);
  const right = value.cx + value.w / 2, left = value.cx - value.w / 2, gap = op.cx - op.w / 2 - right;
  for (const share of [0.15, 0.35, 0.55, 0.75])
    if (gap > 24) via([pt(right + 1, value.y - 4), pt(right + gap * share, value.y - 4)], right + gap * share);
  for (const by of [14, 28]) if (left - by > 2) via([pt(left - 1, value.y - 4), pt(left - by, value.y - 4)], left - by);
  return out;
}

/** A path along straight pieces with round corners. */
export function rounded(points: readonly Point[]): Curve {
  const curve: Curve = [];
  let from = points[0]!;
  for (let k = 1; k < points.length; k++) {
    const corner = points[k]!, next = points[k + 1], r = next ? Math.min(RADIUS, gap(from, corner) / 2, gap(corner, next) / 2) : 0;
    const before = towards(corner, from, r);
    if (gap(from, before) > 0.5) curve.push(straight(from, before));
    if (next && r > 0.5) curve.push([before, towards(corner, from, r * 0.45), towards(corner, next, r * 0.45), towards(corner, next, r)]);
    from = next ? towards(corner, next, r) : corner;
  }
  return curve;
}

const gap = (a: Point, b: Point): number => Math.sqrt((b.x - a.x) ** 2 + (b.y - a.y) ** 2); // Math.hypot is slow
const length = (points: readonly Point[]): number => points.reduce((sum, p, k) => (k ? sum + gap(points[k - 1]!, p) : 0), 0);
const mix = (a: Point, b: Point, t: number): Point => pt(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t);
const straight = (a: Point, b: Point): Curve[number] => [a, mix(a, b, 1 / 3), mix(a, b, 2 / 3), b];

/** The point `r` px from `a` on the way to `b`. */
function towards(a: Point, b: Point, r: number): Point {
  const d = gap(a, b);
  return d === 0 ? a : mix(a, b, Math.min(1, r / d));
}
