import { from, later, type Move } from "../core/motion/moves";
import type { GraphPicture } from "./graph/graph";
import { h } from "./dom";
import type { Scored, Write } from "./panel";
import { Zoom } from "./zoom";

/** How far the picture fades where it goes on. */
const FADE = 40;
/** The height of a scrollbar, where there may be one. */
const BAR = 8;
/** What is loud stays this far from the sides of the window. */
const CLEAR = { x: 90, y: 70 };

/**
 * The window onto the picture: it scrolls when the picture is larger, fades where it goes on, and follows what is loud,
 * without asking the layout.
 */
export class Scroller {
  readonly element: HTMLElement;
  private readonly pic: HTMLElement;
  private readonly more = h("div", { class: "more" });
  private room = { w: 0, h: 0 };
  private at = { x: 0, y: 0 };
  private moved = false;
  private gone = { x: 0, y: 0 };
  private readonly sheet: HTMLElement;
  private readonly zoom = new Zoom(() => this.rescale());

  constructor(private readonly picture: GraphPicture) {
    this.sheet = h("div", { class: "sheet" }, picture.element);
    this.pic = h("div", { class: "pic" }, this.sheet);
    this.element = h("div", { class: "window" }, this.pic, this.more, this.zoom.element);
    this.pic.addEventListener("scroll", () => { this.at = { x: this.pic.scrollLeft, y: this.pic.scrollTop }; this.look(); this.picture.paint(); }, { passive: true });
  }

  /** Gives the sheet and the window their sizes, in a column so wide. */
  fit(width: number): void {
    const bar = this.picture.width > width ? BAR : 0;
    this.pic.style.height = `${Math.min(this.picture.height, 560) + 12 + bar}px`; // the same at every scale
    this.resize();
  }

  private resize(): void {
    const { scale } = this.zoom;
    this.picture.element.style.transform = scale === 1 ? "" : `scale(${scale})`;
    this.sheet.style.width = `${this.width}px`;
    this.sheet.style.height = `${this.height}px`;
  }

  /** Reads the size of the window: the only place that asks the layout. */
  measure(): Write {
    const { picture } = this, { w, h: height } = (this.room = { w: this.pic.clientWidth, h: this.pic.clientHeight });
    return () => {
      this.more.style.width = `${w}px`;
      this.more.style.height = `${height}px`;
      this.zoom.offer(picture.width > w || picture.height > height, w / picture.width, height / picture.height);
      this.look();
    };
  }

  /** The picture has another scale; what was in the middle stays there. */
  private rescale(): void {
    const { w, h: height } = this.room, x = (this.at.x + w / 2) / this.shown.scale, y = (this.at.y + height / 2) / this.shown.scale;
    this.shown.scale = this.zoom.scale;
    this.resize();
    this.measure()();
    this.at = { x: clamp(x * this.zoom.scale - w / 2, this.width - w), y: clamp(y * this.zoom.scale - height / 2, this.height - height) };
    this.look();
    this.picture.paint();
    this.pic.scrollTo(this.at.x, this.at.y);
  }

  /** The scale at which the picture stands. */
  private readonly shown = { scale: 1 };
  private get width(): number { return this.picture.width * this.zoom.scale; }
  private get height(): number { return this.picture.height * this.zoom.scale; }

  private middle(id: string): { x: number; y: number } | null {
    const m = this.picture.middle(id), { scale } = this.zoom;
    return m && { x: m.x * scale, y: m.y * scale };
  }

  /** Shows the whole picture, for print. */
  all(): void {
    this.picture.look(null);
    this.picture.paint();
  }

  /** Scrolls a node into the middle unless it is well in sight already; the next one too, as far as there is room for both. */
  show(ids: readonly string[], always: boolean): void {
    const { w, h: height } = this.room;
    if (w === 0 || (this.width <= w && this.height <= height)) return;
    const [first, second] = ids.slice(0, 2).map((id) => this.middle(id));
    if (!first) return;
    const apart = second && (Math.abs(second.x - first.x) > w - 2 * CLEAR.x || Math.abs(second.y - first.y) > height - 2 * CLEAR.y);
    const wanted = second && !apart ? [first, second] : [first];
    const inX = wanted.every((m) => m.x > this.at.x + CLEAR.x && m.x < this.at.x + w - CLEAR.x);
    const inY = wanted.every((m) => m.y > this.at.y + CLEAR.y && m.y < this.at.y + height - CLEAR.y);
    if (inX && inY && !always) return;
    const x = wanted.reduce((sum, m) => sum + m.x, 0) / wanted.length, y = wanted.reduce((sum, m) => sum + m.y, 0) / wanted.length;
    const { x: left, y: top } = this.at;
    this.at = { x: clamp(x - w / 2, this.width - w), y: clamp(y - height / 2, this.height - height) };
    this.gone = { x: this.at.x - left, y: this.at.y - top };
    this.moved = true;
    this.look();
  }

  /** What moves in the picture, after the window has gone where it is. */
  scored({ place, score, cues = {} }: Scored): Scored {
    const camera = this.camera(), wait = camera.length ? 300 : 0;
    return { place: { ...place, root: this.element }, score: [...camera, ...later(score, wait)], cues: Object.fromEntries(Object.entries(cues).map(([k, at]) => [k, at + wait])) };
  }

  /** The way of the window since the last time this was asked: it goes first, so that what moves is in sight when it does. */
  private camera(): Move[] {
    const { x, y } = this.gone;
    this.gone = { x: 0, y: 0 };
    return Math.hypot(x, y) < 2 ? [] : [from({ part: ".sheet" }, { translate: `${x}px ${y}px` }, 0, 340, "both")];
  }

  /** Scrolls to where `show` wants to be. Called last, because scrolling makes the browser lay everything out at once. */
  settle(): void {
    if (!this.moved) return;
    this.moved = false;
    this.pic.scrollTo(this.at.x, this.at.y);
  }

  private look(): void {
    const { w, h: height } = this.room;
    const { scale } = this.zoom;
    this.picture.look(w === 0 ? null : { x: this.at.x / scale, y: this.at.y / scale, w: w / scale, h: height / scale });
    const beyond = { "--w": this.at.x, "--e": this.width - this.at.x - w, "--n": this.at.y, "--s": this.height - this.at.y - height };
    for (const [side, px] of Object.entries(beyond)) this.more.style.setProperty(side, `${w === 0 ? 0 : clamp(px, FADE)}px`);
  }
}

const clamp = (v: number, most: number): number => Math.max(0, Math.min(v, most));
