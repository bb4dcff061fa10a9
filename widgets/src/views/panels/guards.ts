import { type Guard, guardState, type GuardsPanel } from "../../core/panels/guards";
import type { Hit } from "../../core/search";
import { h, Painted, s } from "../dom";
import type { Now, PanelView } from "../panel";

/** Each guard a shield with what it asks about and what it relies on; one that has failed, with what came. */
export class GuardsView implements PanelView {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly marks: { guard: Guard; mark: Painted }[];
  private touched: HTMLElement | null = null;
  private built = false;

  constructor(private readonly panel: GuardsPanel) {
    this.marks = panel.rows.map((guard) => ({ guard, mark: new Painted(row(guard), "gu-row stop") }));
    this.list = h("ul", { class: "gu-rows", "aria-label": panel.label }, ...this.marks.map((m) => m.mark.element));
    this.element = h("section", { class: "gu", "aria-label": panel.label }, h("p", { class: "panel-name" }, panel.label), this.list);
  }

  fit(): boolean {
    const first = !this.built;
    this.built = true;
    return first;
  }

  draw(now: Now): void {
    this.touched = null;
    for (const { guard, mark } of this.marks) {
      const loud = now.touched.has(guard.id);
      mark.state(`${guardState(guard, now.at)}${loud ? " loud" : ""}`.trim());
      if (loud) this.touched = mark.element as HTMLElement;
    }
  }

  hits(): Hit[] {
    return this.panel.rows.map((g) => ({ id: g.id, label: `${g.subject}: ${g.says}`, kind: "guard" }));
  }

  /** What is told stays in sight, without moving the page. */
  settle(): void {
    const { touched: one, list } = this;
    if (!one || list.scrollHeight <= list.clientHeight + 1) return;
    const y = one.offsetTop;
    if (y < list.scrollTop || y + one.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = y - list.clientHeight / 2;
  }
}

const row = (guard: Guard): HTMLElement => h("li", { "data-id": guard.id, tabindex: -1 }, shield(), h("code", {}, guard.subject), h("span", { class: "gu-says" }, guard.says),
  guard.now === undefined ? null : h("span", { class: "gu-now" }, guard.now));

/** A shield with a check, and with a cross where the guard has failed. */
const shield = (): SVGElement => s("svg", { class: "gu-shield", width: 16, height: 16, viewBox: "0 0 16 16", "aria-hidden": "true" },
  s("path", { class: "gu-body", d: "M8 1L14 3V8Q14 12.5 8 15Q2 12.5 2 8V3z" }), s("path", { class: "gu-check", d: "M5 8l2.2 2.2L11 6" }), s("path", { class: "gu-cross", d: "M5.5 5.5l5 5m0-5l-5 5" }));
