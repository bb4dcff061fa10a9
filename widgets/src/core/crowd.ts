import { contains, overlap, type Point, type Rect } from "./geometry";

const CELL = 64;
/** Buckets in a column. Pictures that are higher share some, which costs a little time and changes nothing. */
const HIGH = 4096;

const keyOf = (cx: number, cy: number): number => cx * HIGH + cy;
const cellOf = (p: Point): number => keyOf(Math.floor(p.x / CELL), Math.floor(p.y / CELL));

/** What already stands on the picture, in buckets, so that a label finds a free place among a thousand nodes. */
export class Crowd {
  private readonly rects = new Map<number, Rect[]>();
  private readonly points = new Map<number, { p: Point; owner: string }[]>();

  add(rect: Rect): void {
    this.cells(rect, (key) => push(this.rects, key, rect));
  }

  /** A line that labels should not cover; its own label may. */
  addLine(points: Point[], owner: string): void {
    for (const p of points) push(this.points, cellOf(p), { p, owner });
  }

  /** How bad this place is: covered area counts most, crossed lines some. 0 is free. */
  cost(rect: Rect, owner: string): number {
    let cost = 0;
    const seen = new Set<Rect>();
    const padded = { x: rect.x - 2, y: rect.y - 2, w: rect.w + 4, h: rect.h + 4 };
    this.cells(padded, (key) => {
      for (const r of this.rects.get(key) ?? []) if (!seen.has(r)) { seen.add(r); cost += overlap(padded, r); }
      for (const q of this.points.get(key) ?? []) if (q.owner !== owner && contains(rect, q.p, 1)) cost += 12;
    });
    return cost;
  }

  /** How many of these points lie inside what stands here; more than `most` need not be counted. */
  hits(points: readonly Point[], pad: number, most = Infinity): number {
    let count = 0;
    for (const p of points) {
      const near = this.rects.get(cellOf(p));
      if (near?.some((r) => contains(r, p, pad)) && ++count > most) break;
    }
    return count;
  }

  /** How much this line meets others: each once, and a little more for every point where they run side by side. */
  crossings(points: readonly Point[]): number {
    const met = new Set<string>();
    let beside = 0;
    for (const p of points)
      for (const q of this.points.get(cellOf(p)) ?? [])
        if ((p.x - q.p.x) ** 2 + (p.y - q.p.y) ** 2 < 25) { met.add(q.owner); beside++; }
    return met.size + 0.5 * Math.max(0, beside - 2 * met.size);
  }

  private cells(r: Rect, visit: (key: number) => void): void {
    for (let cx = Math.floor(r.x / CELL); cx <= Math.floor((r.x + r.w) / CELL); cx++)
      for (let cy = Math.floor(r.y / CELL); cy <= Math.floor((r.y + r.h) / CELL); cy++) visit(keyOf(cx, cy));
  }
}

function push<T>(map: Map<number, T[]>, key: number, item: T): void {
  const list = map.get(key);
  if (list) list.push(item);
  else map.set(key, [item]);
}
