import { phasesOf } from "../core/phases";
import type { Player } from "../core/player";
import type { Step } from "../core/scene";
import { plain } from "../core/words";
import { h, icon } from "./dom";
import type { Write } from "./panel";

const PLAY = "M4 2.5v11l9-5.5z", PAUSE = "M4 3h3v10H4zM9 3h3v10H9z", BACK = "M10.5 3v10L4 8z", FORWARD = "M5.5 3v10L12 8z";

const button = (name: string, cls: string, title: string, ...kids: (Node | string)[]): HTMLButtonElement =>
  h("button", { type: "button", class: cls, "aria-label": name, title }, ...kids);

/** Play, back, forward, the scrubber with its band of phases, step n / N, speed. */
export class Controls {
  readonly element: HTMLElement;
  readonly play = button("Play", "play", "Play (Space)", icon(PLAY));
  private readonly band = h("div", { class: "band", "aria-hidden": "true" });
  private readonly range = h("input", { type: "range", class: "range", min: 0, value: 0, step: 1, "aria-label": "Step" });
  private readonly track = h("div", { class: "track" }, this.band, this.range);
  private readonly count = h("output", { class: "count" });
  private readonly speed = button("Speed 1×", "quiet speed", "Playing speed", "1×");
  private steps: readonly Step[] | null = null;
  private playing = false;
  /** The names of the phases are new, and wait for their measure. */
  private stale = false;

  constructor(private readonly player: Player) {
    const back = button("Back", "step prev", "One step back (←)", icon(BACK)), forward = button("Forward", "step next", "One step on (→)", icon(FORWARD));
    this.element = h("div", { class: "bar" }, this.play, back, forward, this.track, this.count, this.speed);
    this.play.onclick = () => (player.playing ? player.pause() : player.play());
    back.onclick = () => { player.pause(); player.back(); };
    forward.onclick = () => { player.pause(); player.forward(); };
    this.range.oninput = () => { player.pause(); player.seek(Number(this.range.value)); };
    this.speed.onclick = () => player.nextSpeed();
  }

  draw(): void {
    const { player } = this, n = player.steps.length;
    if (this.steps !== player.steps) this.rebuild(player.steps);
    if (this.stale && this.element.isConnected) this.measure()();
    this.range.value = String(player.index);
    this.range.setAttribute("aria-valuetext", player.asking ? "Your prediction is asked" : plain(player.said(player.step)));
    this.count.textContent = `${player.index + 1} / ${n}`;
    const speed = player.speed === 0.5 ? "½×" : `${player.speed}×`;
    if (speed !== this.speed.textContent) {
      this.speed.textContent = speed;
      this.speed.setAttribute("aria-label", `Speed ${speed}`);
    }
    if (this.playing !== player.playing) {
      this.playing = player.playing;
      this.play.setAttribute("aria-label", this.playing ? "Pause" : "Play");
      this.play.replaceChildren(icon(this.playing ? PAUSE : PLAY));
    }
  }

  private rebuild(steps: readonly Step[]): void {
    const n = steps.length, phases = phasesOf(steps);
    this.steps = steps;
    this.range.max = String(Math.max(0, n - 1));
    this.track.style.setProperty("--n", String(n));
    this.count.style.setProperty("--ch", String(2 * String(n).length + 3));
    this.band.classList.toggle("dense", n > 120);
    this.band.replaceChildren(...phases.map((p) => {
      const span = h("span", { "data-phase": p.phase.replaceAll(" ", "-") }, h("i", {}, p.phase));
      span.style.setProperty("flex-grow", String(p.count));
      span.style.setProperty("--k", String(p.count));
      return span;
    }));
    this.stale = true;
  }

  /** Names that would run into the next one are hidden, a short last phase has its name at the right; called when the width changes. */
  measure(): Write {
    this.stale = false;
    const spans = [...this.band.children] as HTMLElement[], end = this.band.offsetLeft + this.band.offsetWidth;
    const names = spans.map((span) => span.firstElementChild as HTMLElement), places = spans.map((span, k) => ({ left: span.offsetLeft, w: names[k]!.offsetWidth }));
    return () => {
      let limit = end;
      for (let k = spans.length - 1; k >= 0; k--) {
        const { left, w } = places[k]!, name = names[k]!, atEnd = k === spans.length - 1 && left + w > end;
        const from = atEnd ? end - w : left, fits = from + w <= limit - (k === spans.length - 1 ? 0 : 6);
        name.classList.toggle("right", atEnd);
        name.classList.toggle("hidden", !fits);
        if (fits) limit = from;
      }
    };
  }
}
