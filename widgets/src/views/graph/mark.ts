import type { Frame } from "../../core/fold";
import type { Tone } from "../../core/phases";
import { bounds, type Curve, type Rect, sample } from "../../core/geometry";

/** From back to front. */
export const LAYERS = ["hulls", "edges", "backs", "pins", "sums", "nodes", "chips"] as const;
export type Layer = (typeof LAYERS)[number];

/** One thing in the picture that changes with the frame. */
export interface Mark {
  /** Where it may show anything: marks outside the window are not drawn until they come into it. */
  readonly area: Rect;
  /** Its elements, each with the layer it belongs to. */
  readonly parts: readonly [Layer, SVGElement][];
  draw(frame: Frame, now: ReadonlySet<string>, tone: Tone): void;
}

export const areaOf = (curve: Curve, pad = 40): Rect => grow(bounds(sample(curve, 60).map((p) => ({ ...p, w: 0, h: 0 }))), pad);

export const grow = (r: Rect, by: number): Rect => ({ x: r.x - by, y: r.y - by, w: r.w + 2 * by, h: r.h + 2 * by });

export const meets = (a: Rect, b: Rect): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
