import type { Scene, Step } from "../core/scene";
import { h, words } from "./dom";

const HINT = "Point at anything to see what belongs to it; a click keeps it lit. Then keys work here: space plays, ← → step, / searches.";
const KEPT = " · stays lit until a second click, or Esc";

/** One line of facts about what the reader points at, or about the step's actor. Its height never changes. */
export class Details {
  readonly element = h("p", { class: "strip" });
  /** Says a selection aloud. */
  readonly live = h("p", { class: "aloud", "aria-live": "polite" });
  private shown = "";

  constructor(private readonly scene: Scene) {}

  /** What is pointed at, or else what a click has picked; that is said to stay. */
  draw(pointed: string | null, picked: string | null, step: Step): void {
    const id = pointed ?? step.focus.find((f) => this.scene.details[f] !== undefined) ?? null;
    const facts = id === null ? undefined : this.scene.details[id];
    const text = facts === undefined ? HINT : facts + (id === picked ? KEPT : "");
    this.element.classList.toggle("pointed", pointed !== null);
    if (text === this.shown) return;
    this.shown = text;
    this.element.replaceChildren(...words(text));
    this.element.title = text;
  }

  announce(id: string | null): void {
    this.live.textContent = id === null ? "" : `Selected: ${(this.scene.details[id] ?? id).replaceAll("`", "")}`;
  }
}
