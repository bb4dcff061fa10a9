import { type Actor, EASES, type From, type Grow, type Key, lengthOf, type Move, type Trace, type Which } from "../../core/motion/moves";
import { s } from "../dom";

/** Where a score is played: the picture whose elements it moves, and a layer over it for what is there only while it moves. */
export interface Place {
  root: Element;
  layer: SVGSVGElement;
  /** A layer behind the picture. */
  under?: SVGSVGElement;
  /** The `data-id` of what the score calls so. */
  named?: (id: string) => string;
}
export interface Part { place: Place; score: readonly Move[] }

let masks = 0;

/**
 * Plays scores over pictures that already show the new step. All animations have one length, and so one clock: `seek` puts every
 * one of them at the same moment, forwards and back; `finish` takes them away, and the picture is as it was drawn.
 */
export class Motion {
  length = 0;
  private animations: Animation[] = [];
  private made: { remove(): void }[] = [];
  private done: (() => void) | null = null;

  get busy(): boolean { return this.animations.length > 0; }
  get paused(): boolean { return this.animations[0]?.playState === "paused"; }

  /** How many ms it will go on. */
  get rest(): number {
    const [first] = this.animations;
    if (!first) return 0;
    const done = Number(first.currentTime), left = first.playbackRate < 0 ? done : this.length - done;
    return Math.max(0, left) / Math.abs(first.playbackRate);
  }

  /** Sets the stage at its first moment, and does not move yet. */
  set(parts: readonly Part[]): void {
    this.finish();
    this.length = Math.max(0, ...parts.map((p) => lengthOf(p.score)));
    for (const { place, score } of parts) for (const move of score) this.add(place, move);
    this.seek(0);
  }

  /** Goes from the first moment to the last, or with a rate below 0 from the last to the first. */
  play(rate: number, done: (() => void) | null = null): void {
    this.done = done;
    const [first] = this.animations;
    if (!first) return this.finish();
    for (const a of this.animations) {
      a.currentTime = rate < 0 ? this.length : 0;
      a.playbackRate = rate;
      a.play();
    }
    first.onfinish = () => this.finish();
  }

  /** Does this at the end instead of what was to be done there; false where nothing was. */
  instead(done: () => void): boolean {
    if (!this.done) return false;
    this.done = done;
    return true;
  }

  pause(): void { for (const a of this.animations) a.pause(); }
  resume(): void { for (const a of this.animations) a.play(); }

  /** The picture at this moment of the score, in ms. */
  seek(ms: number): void {
    for (const a of this.animations) { a.pause(); a.currentTime = ms; }
  }

  /** At once what is drawn. */
  finish(): void {
    const { done } = this;
    this.done = null;
    for (const a of this.animations) { a.onfinish = null; a.finished.catch(() => {}); a.cancel(); }
    for (const m of this.made) m.remove();
    this.animations = [];
    this.made = [];
    done?.();
  }

  private add(place: Place, move: Move): void {
    switch (move.do) {
      case "from": return this.from(place, move);
      case "actor": return this.actor(place, move);
      case "grow": return this.grow(place, move);
      case "trace": return this.trace(place, move);
    }
  }

  private animate(element: Element, frames: Keyframe[], at: number, time: number, easing = "linear", fill: FillMode = "both"): void {
    const length = Math.max(1, time);
    this.animations.push(element.animate(frames, { delay: at, duration: length, endDelay: this.length - at - length, easing, fill }));
  }

  private find({ root, named }: Place, { id, is, part = "" }: Which): Element | null {
    return root.querySelector(id === undefined ? part : `.${is}[data-id="${CSS.escape(named?.(id) ?? id)}"] ${part}`.trim());
  }

  private from(place: Place, { what, css, via = [], at, for: time, ease = "out" }: From): void {
    const element = this.find(place, what);
    if (!element) return;
    if (!via.length) return this.animate(element, [{ ...css, offset: 0 }], at, time, EASES[ease]);
    this.animate(element, [{ t: 0, css }, ...via].map((key) => ({ ...key.css, offset: key.t, easing: EASES[ease] })), at, time);
  }

  private actor({ layer }: Place, move: Actor): void {
    const { look, box, text, ease = "out", staged } = move, g = s("g", { class: `actor ${look}` });
    if (box) g.append(filled(s("rect", { x: -box.w / 2, y: -box.h / 2, width: box.w, height: box.h, rx: box.sharp ? 3 : look === "cot" ? 4 : box.h / 2 }), box.fill));
    g.append(s("text", { y: 4 }, text));
    this.put(layer, g);
    const frames = framesOf(move.keys);
    if (staged) this.animate(g, frames.map((f) => ({ ...f, easing: EASES[ease] })), move.at, move.for);
    else this.animate(g, frames, move.at, move.for, EASES[ease]);
    this.present(g, move);
  }

  private grow({ layer, under }: Place, move: Grow): void {
    const { look, fill, sharp, rects, ease = "both" } = move, g = s("g", { class: `actor ${look}` });
    const rect = filled(s("rect", { rx: sharp ? 1 : 12 }), fill);
    g.append(rect);
    this.put(move.under && under ? under : layer, g);
    const css = rects.map(({ t, rect: r }) => ({ offset: t, x: `${r.x}px`, y: `${r.y}px`, width: `${Math.max(0, r.w)}px`, height: `${Math.max(0, r.h)}px`, easing: EASES[ease] }));
    this.animate(rect, css, move.at, move.for);
    this.present(g, move);
  }

  /** An actor is there only from its first moment to its last. */
  private present(g: SVGElement, { at, for: time, early }: Actor | Grow): void {
    const hidden = [{ visibility: "hidden" }, { visibility: "hidden" }], end = at + time;
    if (!early && at > 0) this.animate(g, hidden, 0, at, "linear", "backwards");
    if (end < this.length) this.animate(g, hidden, end, this.length - end, "linear", "forwards");
  }

  private put(layer: SVGSVGElement, element: Element, first = false): void {
    if (first) layer.prepend(element);
    else layer.append(element);
    this.made.push(element);
  }

  private trace(place: Place, { what, d, over, backwards, at, for: time, ease = "both" }: Trace): void {
    const element = this.find(place, what);
    if (!element) return;
    const line = s("path", { d, pathLength: 1, "stroke-dasharray": "1 1", fill: "none" });
    if (over) {
      line.setAttribute("class", `over ${over}`);
      this.put(place.layer, line, true); // under the numbers that run along it
      const pale = { ".line": "stroke", ".head": "fill" };
      for (const [part, css] of Object.entries(pale)) for (const e of element.querySelectorAll(part)) this.animate(e, [{ [css]: "var(--ghost)" }, { [css]: "var(--ghost)" }], 0, at + time, "linear", "backwards");
    } else {
      const id = `mask-${++masks}`;
      line.setAttribute("stroke", "#fff");
      line.setAttribute("stroke-width", "18");
      this.put(place.layer, s("mask", { id, maskUnits: "userSpaceOnUse", x: -1e5, y: -1e5, width: 2e5, height: 2e5 }, line));
      element.setAttribute("mask", `url(#${id})`);
      this.made.push({ remove: () => element.removeAttribute("mask") });
    }
    this.animate(line, [{ strokeDashoffset: backwards ? "-1" : "1" }, { strokeDashoffset: "0" }], at, time, EASES[ease]);
  }
}

/** A colour of its own; set so that a strict CSP allows it. */
function filled(rect: SVGRectElement, fill: string | undefined): SVGRectElement {
  if (fill !== undefined) rect.style.fill = fill;
  return rect;
}

function framesOf(keys: readonly Key[]): Keyframe[] {
  let size = 1, opacity = 1, turn = 0;
  return keys.map(({ t, x, y, s: sized = size, o = opacity, r = turn }) => {
    [size, opacity, turn] = [sized, o, r];
    return { offset: Math.min(1, Math.max(0, t)), transform: `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${sized}) rotate(${r}deg)`, opacity: o };
  });
}

/** A layer for actors in the coordinates of a picture whose upper left corner is (x, y). */
export const layerOf = (x = 0, y = 0): SVGSVGElement => s("svg", { class: "actors", "aria-hidden": "true", width: 1, height: 1, viewBox: `${x} ${y} 1 1` });
