import { forkOf } from "./phases";
import type { Kept, Scene, Step } from "./scene";
import { plain } from "./words";

export const SPEEDS = [1, 2, 0.5] as const;

/** How long a step stands while playing: time to look, and time to read. */
export const dwell = (say: string, speed: number): number => (1400 + 22 * plain(say).length) / speed;

/**
 * The clock of one view: which step, playing or not, asking or not. It knows no DOM.
 * `changed` is called after every change of what is to be shown.
 */
export class Player {
  index = 0;
  speed: number = SPEEDS[0];
  predicting = false;
  /** A question stands at `index`: the picture still shows the step before. */
  asking = false;
  /** The last step was predicted rightly by the reader. */
  guessed = false;
  wrong = false;
  /** Steps that are passed over, and those that stand for them: they belong to what is folded. */
  skipped: ReadonlySet<number> = new Set();
  stands: (step: Step) => boolean = () => false;
  /** How many ms the pictures will still move: a step stands for a while when they are still. */
  rest: () => number = () => 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running = false;

  constructor(readonly scene: Scene, private readonly changed: () => void) {}

  get steps(): readonly Step[] {
    return this.wrong ? this.scene.wrong!.steps : this.scene.steps;
  }

  /** The kept bars of the walk that is shown; null when this walk has none of its own. */
  get kept(): readonly Kept[] | null {
    return this.wrong ? this.scene.wrong!.kept ?? null : this.scene.kept ?? [];
  }

  /** The sentence of a step; one that stands for a fold says what that did as a whole. */
  said(step: Step): string { return this.stands(step) ? step.brief! : step.say; }

  get step(): Step { return this.steps[this.index]!; }
  get last(): number { return this.steps.length - 1; }
  get playing(): boolean { return this.running; }
  /** The step whose events are folded into the picture. */
  get shown(): number { return this.asking ? this.index - 1 : this.index; }

  /** Goes to a step and shows it, without asking. */
  seek(i: number): void {
    const k = Math.max(0, Math.min(this.last, Math.round(i) || 0));
    if (k === this.index && !this.asking) return;
    this.move(k, false);
  }

  /** One step on. In predict mode a question opens first; a second call shows the answer. */
  forward(): void {
    if (this.asking) return this.reveal(false);
    if (this.index >= this.last) return;
    let k = this.index + 1;
    while (k < this.last && this.skipped.has(k)) k++;
    const next = this.steps[k]!;
    this.move(k, this.predicting && next.predict !== undefined && !this.stands(next));
  }

  back(): void {
    let k = this.index - 1;
    while (k > 0 && this.skipped.has(k)) k--;
    if (k >= 0) this.move(k, false);
  }

  /** Answers the open question: the step is shown. */
  reveal(guessed: boolean): void {
    if (!this.asking) return;
    this.move(this.index, false, guessed);
  }

  play(): void {
    if (this.running) return;
    this.running = true;
    if (this.index >= this.last) this.move(0, false);
    else { this.schedule(300); this.changed(); }
  }

  pause(): void {
    if (!this.running) return;
    this.stop();
    this.changed();
  }

  predict(on: boolean): void {
    this.predicting = on;
    this.asking = false;
    this.changed();
  }

  /** Switches between the right walk and the one without topological order, at most at the step where they part. */
  walkWrong(on: boolean): void {
    if (!this.scene.wrong || on === this.wrong) return;
    this.stop();
    this.wrong = on;
    const fork = forkOf(this.scene.steps, this.scene.wrong.steps);
    this.move(Math.min(this.index, fork, this.last), false);
  }

  nextSpeed(): void {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed as 1) + 1) % SPEEDS.length]!;
    if (this.running) this.schedule();
    this.changed();
  }

  destroy(): void {
    this.stop();
  }

  private move(index: number, asking: boolean, guessed = false): void {
    this.index = index;
    this.asking = asking;
    this.guessed = guessed;
    if (this.running && index >= this.last && !asking) this.stop();
    this.changed();
    this.schedule();
  }

  private schedule(ms = dwell(this.said(this.step), this.speed)): void {
    clearTimeout(this.timer);
    if (this.running && !this.asking) this.timer = setTimeout(() => this.forward(), this.rest() + ms);
  }

  private stop(): void {
    this.running = false;
    clearTimeout(this.timer);
  }
}
