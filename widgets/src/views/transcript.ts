import type { Player } from "../core/player";
import type { Step } from "../core/scene";
import { h, words } from "./dom";

/** All sentences, numbered, behind a disclosure; each is a button to its step. Rows are made when it is first opened. */
export class Transcript {
  readonly element = h("details", { class: "transcript" }, h("summary", {}, "Transcript"));
  private readonly list = h("div", { class: "sentences" });
  private readonly body = h("tbody", {});
  private shown: readonly Step[] | null = null;
  private wasOpen = false;

  constructor(private readonly player: Player) {
    const head = h("thead", {}, h("tr", {}, ...["Step", "Phase", "What happens"].map((t) => h("th", { scope: "col" }, t))));
    this.list.append(h("table", {}, head, this.body));
    this.element.append(this.list);
    this.element.addEventListener("toggle", () => this.fill());
  }

  draw(): void {
    if (!this.element.open) return;
    this.fill();
    this.body.querySelector("[aria-current]")?.removeAttribute("aria-current");
    this.body.children[this.player.index]?.setAttribute("aria-current", "step");
  }

  /** On paper everything is open. */
  unfold(): void {
    this.wasOpen = this.element.open;
    this.element.open = true;
    this.fill();
  }

  fold(): void {
    this.element.open = this.wasOpen;
  }

  private fill(): void {
    const { steps } = this.player;
    if (!this.element.open || this.shown === steps) return;
    this.shown = steps;
    this.body.replaceChildren(...steps.map((step, i) => {
      const go = h("button", { type: "button" }, ...words(step.say));
      go.onclick = () => { this.player.pause(); this.player.seek(i); };
      return h("tr", {}, h("td", {}, String(i + 1)), h("td", {}, step.phase), h("td", {}, go));
    }));
    this.draw();
  }
}
