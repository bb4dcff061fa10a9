import { itemFrame, itemScene, itemStep, slotsOf } from "../../core/folds";
import type { Fold } from "../../core/scene";
import type { Hit } from "../../core/search";
import { h } from "../dom";
import type { Context, Now, PanelView, Passage, Scored, Write } from "../panel";
import { Scroller } from "../scroller";
import { GraphPicture } from "./graph";

/** What is in a box: the graph of one item, which the reader chooses, or which is the one that runs now. */
export class Inset implements PanelView {
  readonly element: HTMLElement;
  private readonly name = h("h3", { class: "panel-title" });
  private readonly where = h("output", { class: "fold-where" });
  private readonly follow = h("button", { type: "button", class: "quiet choice", "aria-pressed": "true", title: "Show the one that runs now" }, "follow the clock");
  private picture: GraphPicture | null = null;
  private scroller: Scroller | null = null;
  private parts: { element: Element; slot: number }[] = [];
  private width = -1;
  private item = -1;
  private now: Now | null = null;

  constructor(private readonly fold: Fold, private readonly context: Context) {
    const { folds } = context, step = (by: number) => () => folds.show(fold.id, Math.max(0, Math.min(fold.items.length - 1, this.item + by)));
    const button = (text: string, title: string, press: () => void) => {
      const b = h("button", { type: "button", class: "quiet", title, "aria-label": title }, text);
      b.onclick = press;
      return b;
    };
    this.follow.onclick = () => folds.show(fold.id, null);
    this.element = h("section", { class: "inset", "aria-label": `Inside ${fold.label}` }, h("div", { class: "fold-head" },
      button("▾", `Fold ${fold.label}`, () => folds.toggle(fold.id)), this.name, button("‹", "The one before", step(-1)), this.where, button("›", "The next one", step(1)), this.follow));
    this.element.hidden = true;
  }

  fit(width: number): boolean {
    this.width = width - 22; // its border and padding
    return this.open && this.build();
  }

  refold(): void {
    this.element.hidden = !this.open;
    if (this.open) this.build();
  }

  measure(): Write {
    return (this.open && this.scroller?.measure()) || (() => {});
  }

  settle(): void {
    if (this.open) this.scroller?.settle();
  }

  draw(now: Now): void {
    this.now = now;
    if (!this.open || !this.picture) return;
    const { fold } = this, { folds } = this.context, item = folds.itemAt(fold, now.frame.at);
    this.follow.setAttribute("aria-pressed", String(folds.follows(fold.id)));
    if (item !== this.item) this.relabel(item);
    const focus = slotsOf(fold, item, now.step.focus);
    this.scroller!.show(focus, false);
    this.picture.draw(itemFrame(now.frame, fold, item), new Set(slotsOf(fold, item, now.touched)), now.tone);
  }

  score({ before, step }: Passage): Scored | null {
    const { fold, item, picture, scroller } = this;
    if (!this.open || !picture || !scroller || item < 0) return null;
    const slots = new Map(fold.ids.map((slot, k) => [slot, fold.items[item]!.ids[k]!]));
    const { place, ...rest } = scroller.scored(picture.score(itemFrame(before, fold, item), itemStep(step, fold, item)));
    return { place: { ...place, named: (slot) => slots.get(slot) ?? slot }, ...rest };
  }

  hits(): Hit[] {
    const labels = new Map((this.fold.graph?.nodes ?? []).map((n) => [n.id, n]));
    return this.fold.items.flatMap((item) => [{ id: item.id, label: item.label, kind: "folded" }, ...item.ids.flatMap((id, k) => {
      const node = labels.get(this.fold.ids[k]!);
      return node && id !== "" && this.fold.ids.indexOf(node.id) === k ? [{ id, label: `${item.label}.${node.label}`, kind: node.kind }] : [];
    })]);
  }

  show(ids: readonly string[], always: boolean): void {
    if (always && ids.length) this.context.folds.reveal(ids[0]!, this.fold);
    if (!this.open || !this.scroller) return;
    if (always && ids.some((id) => this.fold.items[this.item]?.ids.includes(id))) this.element.scrollIntoView?.({ block: "nearest" });
    this.scroller.show(slotsOf(this.fold, Math.max(0, this.item), ids), always);
    this.picture!.paint();
  }

  paper(on: boolean): void {
    if (!this.open || !this.scroller) return;
    if (on) this.scroller.all();
    else this.scroller.measure()();
  }

  private get open(): boolean { return this.context.folds.isOpen(this.fold.id); }

  private build(): boolean {
    if (!this.picture) {
      this.picture = new GraphPicture(itemScene(this.context.scene, this.fold));
      this.scroller = new Scroller(this.picture);
      this.element.append(this.scroller.element);
    }
    const anew = this.picture.fit(this.width);
    this.scroller!.fit(this.width);
    if (anew) {
      const slots = new Map(this.fold.ids.map((slot, k) => [slot, k]));
      this.parts = [...this.picture.element.querySelectorAll("[data-id]")].map((element) => ({ element, slot: slots.get(element.getAttribute("data-id")!)! }));
      this.item = -1;
      if (this.now) this.draw(this.now);
    }
    return anew;
  }

  /** Another item stands in the picture: its parts get the ids of that one. */
  private relabel(item: number): void {
    const { ids, label } = this.fold.items[item]!;
    this.item = item;
    for (const { element, slot } of this.parts) element.setAttribute("data-id", ids[slot] || `${this.fold.id}:none`);
    this.name.textContent = label;
    this.where.textContent = `${item + 1} of ${this.fold.items.length}`;
    this.context.renewed();
  }
}
