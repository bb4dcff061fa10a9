import { toneOf } from "../core/phases";
import type { Player } from "../core/player";
import { choices, isRight, isRightNode, unitOf } from "../core/predict";
import { type NodePrediction, nodesOf, type Prediction, type Scene, type ValuePrediction } from "../core/scene";
import { h, words } from "./dom";
import type { Write } from "./panel";

/** The sentence of the step; in predict mode the question in its place. Its height is that of the longest sentence. */
export class Narration {
  readonly element = h("p", { class: "say", "aria-live": "polite" });
  private readonly why = h("span", { class: "why" });
  private drawn = "";
  private longest: string[] | null = null;

  constructor(private readonly scene: Scene, private readonly player: Player, private readonly answered: () => void) {}

  draw(): void {
    const { player } = this, key = `${player.wrong} ${player.index} ${player.asking} ${player.guessed} ${player.stands(player.step)}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.className = `say ${toneOf(player.step.phase)}`;
    const asked = player.asking ? player.step.predict : undefined;
    if (!asked) {
      this.element.replaceChildren(...(player.guessed ? [h("span", { class: "tick", role: "img", "aria-label": "Right." }, "✓")] : []), ...words(player.said(player.step)));
      return;
    }
    this.why.textContent = "";
    if (asked.kind === "value") this.askValue(asked);
    else this.askNode(asked);
  }

  /** The reader pointed at a node while a node is asked for; true when that was an answer. */
  point(id: string): boolean {
    const asked = this.asked();
    if (asked?.kind !== "node" || !nodesOf(this.scene).some((n) => n.id === id)) return false;
    this.judge(isRightNode(asked, id), asked);
    return true;
  }

  /** Puts the cursor into the open question. */
  focus(): void {
    this.element.querySelector<HTMLElement>("input, select")?.focus({ preventScroll: true });
  }

  /** The longest sentences or questions of both walks, out of sight: they stand in the view while it is measured. */
  rulers(): HTMLElement[] {
    return (this.longest ??= longest(this.player.scene)).map((text) => h("p", { class: "say ruler", "aria-hidden": "true" }, ...words(text)));
  }

  /** Reserves room for the longest of these at this width. */
  measure(rulers: readonly HTMLElement[]): Write {
    const tallest = Math.max(0, ...rulers.map((r) => r.offsetHeight));
    return () => this.element.style.setProperty("--lines", String(Math.max(2, Math.round(tallest / 24))));
  }

  private asked(): Prediction | undefined {
    return this.player.asking ? this.player.step.predict : undefined;
  }

  private judge(right: boolean, asked: Prediction): void {
    if (!right) { this.why.textContent = asked.why; return; }
    this.player.reveal(true);
    this.answered();
  }

  private askValue(asked: ValuePrediction): void {
    const say = this.player.step.say, field = h("input", { class: "guess", inputmode: "text", autocomplete: "off", spellcheck: "false", "aria-label": "Your prediction" });
    field.style.width = `${Math.max(7, asked.answer.length + 4)}ch`;
    field.onkeydown = (ev) => {
      if (ev.key !== "Enter" || field.value.trim() === "") return;
      this.judge(isRight(asked, field.value), asked);
      field.select();
    };
    this.element.replaceChildren(...words(say.slice(0, asked.at)), field, unitOf(say, asked), this.show(), this.why);
  }

  private askNode(asked: NodePrediction): void {
    const ids = choices(this.scene, this.player.steps, this.player.index, asked);
    const label = (id: string) => nodesOf(this.scene).find((n) => n.id === id)?.label ?? id;
    const twice = (id: string) => ids.filter((o) => label(o) === label(id)).length > 1;
    const list = h("select", { class: "guess", "aria-label": "Which node runs next?" }, h("option", { value: "" }, "choose…"),
      ...ids.map((id) => h("option", { value: id }, twice(id) ? `${label(id)} (${id})` : label(id))));
    list.onchange = () => { if (list.value) this.judge(isRightNode(asked, list.value), asked); };
    this.element.replaceChildren("Which node runs next? Click it in the picture, or ", list, this.show(), this.why);
  }

  private show(): HTMLElement {
    const button = h("button", { type: "button", class: "quiet show", title: "Show the answer (→)" }, "Show");
    button.onclick = () => { this.player.reveal(false); this.answered(); };
    return button;
  }
}

/** The few longest texts that may stand here. */
function longest(scene: Scene): string[] {
  const texts = [...scene.steps, ...(scene.wrong?.steps ?? [])].flatMap((s) => [s.say, ...(s.predict ? [questionLength(s.say, s.predict)] : [])]);
  return texts.sort((a, b) => b.length - a.length).slice(0, 4);
}

/** A text about as long as the question with its field and the answer to a wrong guess. */
function questionLength(say: string, asked: Prediction): string {
  const field = "M".repeat(16);
  return asked.kind === "value" ? `${say.slice(0, asked.at)} ${field}${unitOf(say, asked)} ${asked.why}` : `Which node runs next? Click it in the picture, or ${field} ${asked.why}`;
}
