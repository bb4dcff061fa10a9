import type { Crowd } from "./crowd";
import { type Curve, pt, sample } from "./geometry";
import type { Placed } from "./routes";

export interface Tag { x: number; y: number; w: number }

/** Where the dotted link leaves a value: above its name. */
const top = (v: Placed): number => v.y - v.h / 2 - (v.kind === "const" ? 4 : 22);

/**
 * The dotted link from a value to the tag that keeps it: into the side of the tag, or from above in a higher or lower arch,
 * whichever meets least on its way.
 */
export function pinLink(value: Placed, tag: Tag, crowd: Crowd): Curve {
  const start = pt(value.cx, top(value)), s = tag.x >= value.cx ? 1 : -1;
  const ways: Curve[] = [];
  const side = pt(tag.x - s * (tag.w / 2 + 3), tag.y);
  if (start.y > tag.y + 4)
    ways.push([[start, pt(start.x, Math.max(tag.y, start.y - 60)), pt(side.x - s * Math.min(60, Math.abs(side.x - start.x) * 0.7), tag.y), side]]);
  for (const lift of [18, 30, 42, 56, 72]) {
    const y = Math.min(tag.y - 10, start.y) - lift;
    ways.push([[start, pt(start.x + s * 16, y), pt(tag.x - s * 16, y), pt(tag.x, tag.y - 13)]]);
  }
  let best = ways[0]!, least = Infinity;
  ways.forEach((way, k) => {
    const inner = sample(way, 6).slice(2, -1);
    const cost = crowd.hits(inner, 3) + k * 0.2;
    if (cost < least) { least = cost; best = way; }
  });
  return best;
}
