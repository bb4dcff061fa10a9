/**
 * What moves between two steps, as data: a score. The picture of the new step is drawn first, at once and as ever; a score only
 * delays how it is seen. So it may be cut off at any moment, and what is left is right.
 *
 * Three verbs are enough. `from`: an element that stays comes from how it looked or where it stood. `actor`: a thing that is there
 * only while it moves, a copy of a number on its way. `trace`: a line that is drawn from one end to the other.
 */
import type { Point, Rect } from "../geometry";

export type Ease = "out" | "in" | "both" | "hold" | "even";
export const EASES: Record<Ease, string> = {
  out: "cubic-bezier(.2,.7,.3,1)", in: "cubic-bezier(.6,0,.9,.4)", both: "cubic-bezier(.45,.05,.35,1)", hold: "steps(1,end)", even: "linear",
};

/** `at`: ms from the start of the score; `for`: how long. */
interface Timed { at: number; for: number; ease?: Ease }

/** Which element of a picture: its id, its class, and a part in it. Without an id the part alone. */
export interface Which { id?: string; is?: string; part?: string }

export interface From extends Timed { do: "from"; what: Which; css: Record<string, string>; /** How it looks between. */ via?: { t: number; css: Record<string, string> }[] }

/** An actor has the shape and colour of what it is a copy of. */
export type Look = "cot" | "tan" | "value" | "saved" | "op" | "kernel" | "plain" | "ghost" | "block" | "born" | "gone" | "name";

/** Where an actor is at a share `t` of its time; what is left out is as before: size, opacity, turn. */
export interface Key { t: number; x: number; y: number; s?: number; o?: number; r?: number }
export interface Box { w: number; h: number; /** Corners of a block of bytes. */ sharp?: boolean; fill?: string }

export interface Actor extends Timed {
  do: "actor"; look: Look; text: string; keys: Key[]; box?: Box;
  /** The ease is for each way from key to key, and not for all of them together: it rests at every key. */
  staged?: true;
  /** It is there from the start of the score until it is over: how something looked before. */
  early?: true;
}

/** A box that changes its place and size, through rectangles. */
export interface Grow extends Timed { do: "grow"; look: Look; rects: { t: number; rect: Rect }[]; fill?: string; sharp?: true; early?: true; /** Behind the picture, as hulls are. */ under?: true }

/** `over`: the line was there, pale, and one of this colour is drawn over it. Without it the line itself is uncovered. */
export interface Trace extends Timed { do: "trace"; what: Which; d: string; backwards?: boolean; over?: "value" | "kernel" }

export type Move = From | Actor | Grow | Trace;

/** When the main things happen in a score, for pictures beside it that show the same. */
export type Cues = Partial<Record<"made" | "freed", number>>;

/** When the last movement is over. */
export const lengthOf = (score: readonly Move[]): number => score.reduce((end, m) => Math.max(end, m.at + m.for), 0);

/** The longest that a step may move, so that it never bores, and the most that a reader can follow, or a browser. */
export const LONGEST = 2200, MANY = 120;

/** A score that is too long is played faster; one that is too much, or would have to be more than twice as fast, is left out. */
export function bounded(score: readonly Move[], length = lengthOf(score)): Move[] {
  const by = Math.min(1, LONGEST / Math.max(1, length));
  if (score.length > MANY || by < 0.5) return [];
  return by === 1 ? [...score] : score.map((m) => ({ ...m, at: m.at * by, for: m.for * by }));
}

/** A way takes the longer the longer it is, but not in proportion: 200 to 620 ms. */
export const pace = (px: number): number => Math.round(Math.min(620, 200 + 22 * Math.sqrt(Math.max(0, px))));

/** Along these points, at the same speed everywhere. */
export function keysAlong(points: readonly Point[], first: Partial<Key> = {}, last: Partial<Key> = {}): Key[] {
  const far = [0];
  points.slice(1).forEach((p, k) => far.push(far[k]! + Math.hypot(p.x - points[k]!.x, p.y - points[k]!.y)));
  const all = far.at(-1)! || 1;
  return points.map((p, k) => ({ t: far[k]! / all, x: p.x, y: p.y, ...(k === 0 ? first : k === points.length - 1 ? last : {}) }));
}

export const lengthAlong = (points: readonly Point[]): number =>
  points.slice(1).reduce((sum, p, k) => sum + Math.hypot(p.x - points[k]!.x, p.y - points[k]!.y), 0);

/** A score that begins later; what was there before stays until then. */
export const later = (score: readonly Move[], by: number): Move[] =>
  score.map((m) => ("early" in m && m.early ? { ...m, for: m.for + by } : { ...m, at: m.at + by }));

/** Something that stands still. */
export const still = (x: number, y: number): Key[] => [{ t: 0, x, y, o: 1 }, { t: 1, x, y, o: 1 }];

/** How something looked, in its place, until then. */
export const until = (end: number, look: Look, text: string, x: number, y: number, box?: Box): Actor =>
  ({ do: "actor", early: true, at: 0, for: end, ease: "even", look, text, keys: still(x, y), ...(box ? { box } : {}) });

/** An element comes from how it looked. */
export const from = (what: Which, css: Record<string, string>, at: number, time: number, ease: Ease = "out"): From => ({ do: "from", what, css, at, for: time, ease });

/** A text that changes at a beat: it is not to be seen before. */
export const appears = (what: Which, at: number): From => from(what, { opacity: "0" }, at, 1, "hold");

/** Scores one after the other: each begins when those before are over, or `overlap` ms earlier. */
export class Sequence {
  readonly moves: Move[] = [];
  readonly cues: Cues = {};

  get end(): number { return lengthOf(this.moves); }

  add(part: readonly Move[], overlap = 0, cue?: keyof Cues): void {
    if (!part.length) return;
    const at = Math.max(0, this.end - overlap);
    if (cue) this.cues[cue] = at;
    this.moves.push(...later(part, at).filter((m) => m.for > 0));
  }
}
