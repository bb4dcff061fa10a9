export interface Point { x: number; y: number }
export interface Rect { x: number; y: number; w: number; h: number }
/** Control points of one cubic Bézier segment. */
export type Cubic = [Point, Point, Point, Point];
/** Segments joined end to end. */
export type Curve = Cubic[];

export const pt = (x: number, y: number): Point => ({ x, y });
/** A rectangle given by its centre. */
export const around = (x: number, y: number, w: number, h: number): Rect => ({ x: x - w / 2, y: y - h / 2, w, h });

/** How much x may be stretched. A picture that does not fit even at MIN is drawn as it was laid out, and scrolls. */
export const MIN_STRETCH = 0.9;
export const MAX_STRETCH = 1.6;

export function stretchFor(available: number, width: number): number {
  const stretch = available / width;
  return stretch < MIN_STRETCH ? 1 : Math.min(MAX_STRETCH, stretch);
}

const r1 = (v: number): number => Math.round(v * 10) / 10;

/** SVG path data of a curve, to a tenth of a pixel. */
export function pathOf(curve: Curve): string {
  const start = curve[0]![0];
  return `M${r1(start.x)} ${r1(start.y)}` +
    curve.map(([, b, c, d]) => `C${r1(b.x)} ${r1(b.y)} ${r1(c.x)} ${r1(c.y)} ${r1(d.x)} ${r1(d.y)}`).join("");
}

/** A level segment longer than this is drawn as a plain line. */
const LONG = 1500;
export interface Stroke { d: string; plain: boolean }

/**
 * How a curve is drawn: in one piece, but for very long level segments, which are lines of their own and never dashed.
 * Dashes along a hundred thousand pixels, most of them out of sight, would take a browser a second.
 */
export function strokesOf(curve: Curve): Stroke[] {
  const strokes: Stroke[] = [];
  let run: Curve = [];
  const flush = () => { if (run.length) strokes.push({ d: pathOf(run), plain: false }); run = []; };
  for (const c of curve) {
    const level = Math.max(...c.map((p) => p.y)) - Math.min(...c.map((p) => p.y)) < 0.5;
    if (!level || c[3].x - c[0].x < LONG) { run.push(c); continue; }
    flush();
    strokes.push({ d: `M${r1(c[0].x)} ${r1(c[0].y)}H${r1(c[3].x)}`, plain: true });
  }
  flush();
  return strokes;
}

/** A filled triangle whose tip is at `tip`, pointing along the x axis (1 right, -1 left). */
export function arrowHead(tip: Point, direction: 1 | -1, size = 5): string {
  const back = tip.x - direction * size * 1.5;
  return `M${r1(tip.x)} ${r1(tip.y)}L${r1(back)} ${r1(tip.y - size * 0.7)}V${r1(tip.y + size * 0.7)}z`;
}

function at(c: Cubic, t: number): Point {
  const u = 1 - t, a = u * u * u, b = 3 * u * u * t, d = 3 * u * t * t, e = t * t * t;
  return pt(a * c[0].x + b * c[1].x + d * c[2].x + e * c[3].x, a * c[0].y + b * c[1].y + d * c[2].y + e * c[3].y);
}

/** Point at share t (0 to 1) of the curve; every segment counts as its width in x. */
export function pointAt(curve: Curve, t: number): Point {
  const first = curve[0]![0].x, last = curve.at(-1)![3].x, x = first + t * (last - first);
  const segment = curve.find((c) => x <= c[3].x) ?? curve.at(-1)!;
  const width = segment[3].x - segment[0].x || 1;
  return at(segment, Math.min(1, Math.max(0, (x - segment[0].x) / width)));
}

/** Unit normal at share t, to the upper (-1) or the lower (1) side of a curve that runs to the right. */
export function normalAt(curve: Curve, t: number, side: 1 | -1): Point {
  const a = pointAt(curve, Math.max(0, t - 0.02)), b = pointAt(curve, Math.min(1, t + 0.02));
  const dx = b.x - a.x, dy = b.y - a.y, length = Math.hypot(dx, dy) || 1;
  return pt((-dy / length) * side, (dx / length) * side);
}

/** Points along the curve, about `step` pixels apart; at most two hundred for a segment, however long. */
export function sample(curve: Curve, step = 8): Point[] {
  const points: Point[] = [];
  for (const c of curve) {
    const span = Math.max(Math.abs(c[3].x - c[0].x), Math.abs(c[3].y - c[0].y));
    const n = Math.min(200, Math.max(2, Math.ceil(span / step)));
    for (let k = 0; k <= n; k++) points.push(at(c, k / n));
  }
  return points;
}

export const overlap = (a: Rect, b: Rect): number =>
  Math.max(0, Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x)) *
  Math.max(0, Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y));

export const contains = (r: Rect, p: Point, pad = 0): boolean =>
  p.x > r.x - pad && p.x < r.x + r.w + pad && p.y > r.y - pad && p.y < r.y + r.h + pad;

/** The smallest rectangle around all of them. */
export function bounds(rects: Iterable<Rect>): Rect {
  let x0 = Infinity, y0 = Infinity, x1 = -Infinity, y1 = -Infinity;
  for (const r of rects) {
    x0 = Math.min(x0, r.x); y0 = Math.min(y0, r.y);
    x1 = Math.max(x1, r.x + r.w); y1 = Math.max(y1, r.y + r.h);
  }
  return x1 < x0 ? { x: 0, y: 0, w: 0, h: 0 } : { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
}
