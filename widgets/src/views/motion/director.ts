import { atOf } from "../../core/axis";
import { frameAt } from "../../core/fold";
import { bounded, lengthOf } from "../../core/motion/moves";
import type { Player } from "../../core/player";
import type { Step } from "../../core/scene";
import type { PanelView, Passage, Scored } from "../panel";
import { Motion } from "./stage";

/** How much faster the way back is. */
const BACK = -1.6;

/**
 * Decides what moves: one step on plays its score, one step back plays the same one in reverse, further is a jump. Pictures are
 * drawn first, and at once; only on the way back they wait until it is over, or cut off.
 */
export class Director {
  private readonly motion = new Motion();
  private walk: readonly Step[] | null = null;
  private at = -1;
  /** The way that begins when everything is drawn. */
  private way: [number, number] | null = null;
  /** Nothing starts by itself: only what a reader does begins to move. */
  private held = false;
  /** The player has begun what moves, and so it stops it. */
  private played = false;

  /** What the reader has chosen; until then it is as the machine says. */
  private chosen: boolean | null = null;

  constructor(private readonly player: Player, private readonly pictures: readonly PanelView[], private readonly root: ParentNode) {}

  /** Whether anything moves at all. */
  get on(): boolean { return this.able && (this.chosen ?? !matchMedia("(prefers-reduced-motion: reduce)").matches); }
  set on(wanted: boolean) {
    this.chosen = wanted;
    this.finish();
  }

  /** Whether anything could move here. */
  get able(): boolean { return "animate" in Element.prototype && this.pictures.some((p) => p.score); }

  /** How many ms the pictures will go on moving. */
  get rest(): number { return this.motion.rest; }

  /** Draws the pictures of the step that the player shows. */
  draw(paint: () => void): void {
    const { player, motion, walk, at } = this, k = player.shown, { steps } = player, same = walk === steps;
    if (same && k === at && motion.busy) return this.keep(paint);
    this.walk = steps;
    this.at = k;
    motion.finish();
    const by = same && at >= 0 && this.on && !this.held ? this.stops(at, k) : 0;
    this.way = by > 0 ? [at, k] : null;
    this.played = player.playing;
    if (by < 0) motion.set(this.parts(k, at));
    if (motion.busy) motion.play(BACK * player.speed, paint);
    else paint();
  }

  /** Called when everything is drawn and in its place: what moves begins. */
  play(): void {
    if (!this.way) return;
    this.motion.set(this.parts(...this.way));
    this.way = null;
    this.motion.play(this.player.speed);
  }

  /** The same step is drawn once more. A score that playing has begun stops with it in the middle, and goes on with it. */
  private keep(paint: () => void): void {
    const { motion, player } = this;
    if (!motion.instead(paint)) paint();
    if (this.played && !player.playing) motion.pause();
    else if (player.playing && motion.paused) motion.resume();
    this.played ||= player.playing;
  }

  /** What a program asks for is shown at once. */
  still(act: () => void): void {
    this.held = true;
    act();
    this.held = false;
  }

  /** At once what is drawn. */
  finish(): void { this.motion.finish(); }

  /** Shows a moment between two steps: 4.25 is a quarter of the way from step 4 to step 5. Returns how long that way is, in ms. */
  seek(moment: number): number {
    const k = Math.ceil(moment), { player } = this;
    player.pause();
    this.motion.finish();
    this.still(() => player.seek(k));
    if (k < 1 || k !== player.shown) return 0;
    this.motion.set(this.on ? this.parts(k - 1, k) : []);
    this.motion.seek((moment - (k - 1)) * this.motion.length);
    return this.motion.length;
  }

  /** 1 for one step on, -1 for one back, where the reader stops; 0 for everything else. */
  private stops(from: number, to: number): number {
    const [a, b] = [Math.min(from, to), Math.max(from, to)];
    for (let k = a + 1; k < b; k++) if (!this.player.skipped.has(k)) return 0;
    return Math.sign(to - from);
  }

  /** The scores of the way from step `a` to step `b`, for pictures that show step `b`. All are made faster alike: they stay on one beat. */
  private parts(a: number, b: number): Scored[] {
    const { steps } = this.player, passed = steps.slice(a + 1, b + 1);
    const step = { ...steps[b]!, events: passed.flatMap((s) => s.events) };
    const passage: Passage = { from: atOf(steps, a), to: atOf(steps, b), columns: [a, b], before: frameAt(steps, a), step, cues: {}, where: (id, own) => this.where(id, own) };
    const all = this.pictures.flatMap((p) => {
      const part = p.score?.(passage);
      Object.assign(passage.cues, part?.cues);
      return part?.score.length ? [part] : [];
    });
    const length = Math.max(0, ...all.map((p) => lengthOf(p.score)));
    return all.map((p) => ({ ...p, score: bounded(p.score, length) }));
  }

  private where(id: string, own: Element): { x: number; y: number } | null {
    const node = this.root.querySelector(`.graph .node[data-id="${CSS.escape(id)}"] .body`)?.getBoundingClientRect(), box = own.getBoundingClientRect();
    return node ? { x: node.x + node.width / 2 - box.x, y: node.y + node.height / 2 - box.y } : null;
  }
}
