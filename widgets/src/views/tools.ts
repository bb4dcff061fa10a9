import type { Player } from "../core/player";
import { h } from "./dom";
import type { Director } from "./motion/director";
import type { SearchBox } from "./searchbox";

/** The quiet buttons beside the question: the view's name, search, predict, wrong order, motion. */
export class Tools {
  readonly element: HTMLElement;
  private readonly predict = toggle("Predict", "Ask me before each answer is shown");
  private readonly wrong = toggle("Wrong order", "Walk without topological order, and see where the number goes wrong");

  private readonly motion = toggle("Motion", "Show how one step becomes the next");

  constructor(private readonly player: Player, find: SearchBox, private readonly director: Director) {
    const { scene } = player, asks = [...scene.steps, ...(scene.wrong?.steps ?? [])].some((s) => s.predict);
    this.element = h("div", { class: "tools" }, h("span", { class: "view-name" }, scene.title), find.button,
      asks ? this.predict : null, scene.wrong ? this.wrong : null, director.able ? this.motion : null);
    this.predict.onclick = () => player.predict(!player.predicting);
    this.motion.onclick = () => { director.on = !director.on; this.draw(); };
    this.wrong.onclick = () => player.walkWrong(!player.wrong);
  }

  draw(): void {
    this.predict.setAttribute("aria-pressed", String(this.player.predicting));
    this.wrong.setAttribute("aria-pressed", String(this.player.wrong));
    this.motion.setAttribute("aria-pressed", String(this.director.on));
  }
}

const toggle = (name: string, title: string): HTMLButtonElement =>
  h("button", { type: "button", class: `quiet toggle ${name.split(" ")[0]!.toLowerCase()}`, "aria-pressed": "false", title }, name);
