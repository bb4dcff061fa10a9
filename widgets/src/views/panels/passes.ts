import { byteText, numberText } from "../../core/bytes";
import { difference, type Measure, measureAt, type PassesPanel, type PassRow, type PassStage, type RowState, rowState, textsAt } from "../../core/panels/passes";
import type { Hit } from "../../core/search";
import { h, Painted } from "../dom";
import type { Now, PanelView } from "../panel";

const SIGNS: Record<RowState, string> = { "": "", same: "", removed: "−", added: "+", changed: "~", gone: "" };
const MEASURES: { name: keyof Measure; title: string; text: (n: number) => string }[] = [
  { name: "ops", title: "ops", text: numberText },
  { name: "bytes", title: "moved", text: byteText },
  { name: "flops", title: "operations", text: numberText },
];

interface Drawn { row: PassRow; mark: Painted; sign: HTMLElement; code: HTMLElement; shown: string }

/** The passes in a row; under them what the graph costs, and its lines: − went, + came, ~ is made in another way. */
export class PassesView implements PanelView {
  readonly element: HTMLElement;
  private readonly list = h("ol", { class: "ps-rows" });
  private readonly passes: { stage: PassStage; mark: Painted }[];
  private readonly drawn: Drawn[];
  private readonly sums = MEASURES.map(() => ({ bar: h("i", {}), text: h("span", {}) }));
  private touched: HTMLElement | null = null;
  private built = false;

  constructor(private readonly panel: PassesPanel) {
    this.passes = panel.stages.map((stage) => {
      const base = `ps-pass stop${stage.removed + stage.added + stage.changed + stage.renamed ? "" : " ps-idle"}`;
      return { stage, mark: new Painted(h("li", { "data-id": stage.id, tabindex: -1 }, h("code", {}, stage.name), h("span", {}, counts(stage))), base) };
    });
    this.drawn = panel.rows.map((row) => {
      const sign = h("b", { "aria-hidden": "true" }), code = h("code", {});
      return { row, sign, code, shown: "", mark: new Painted(h("li", { "data-id": row.id, tabindex: -1 }, sign, code), "ps-row stop") };
    });
    this.list.setAttribute("aria-label", "The graph");
    this.list.append(...this.drawn.map((d) => d.mark.element));
    this.element = h("section", { class: "ps", "aria-label": panel.label }, h("ol", { class: "ps-passes", "aria-label": "Passes" }, ...this.passes.map((p) => p.mark.element)),
      h("div", { class: "ps-sums" }, ...MEASURES.map((m, k) => h("div", { class: "ps-sum" }, h("span", { class: "ps-title" }, m.title), h("span", { class: "ps-bar" }, this.sums[k]!.bar), this.sums[k]!.text))), this.list);
  }

  fit(width: number): boolean {
    this.element.classList.toggle("ps-narrow", width < 520);
    const first = !this.built;
    this.built = true;
    return first;
  }

  draw(now: Now): void {
    for (const { stage, mark } of this.passes) mark.state(stage.at > now.at ? "" : stage.at === now.at ? "on now" : "on");
    this.touched = null;
    for (const one of this.drawn) {
      const state = rowState(one.row, now.at);
      one.mark.state(state);
      this.write(one, state, now.at);
      if (this.touched === null && (state === "removed" || state === "added" || state === "changed")) this.touched = one.mark.element as HTMLElement;
    }
    const cost = measureAt(this.panel, now.at), first = this.panel.before;
    const most = (name: keyof Measure) => Math.max(1, first[name], ...this.panel.stages.map((s) => s.after[name]));
    MEASURES.forEach(({ name, text }, k) => {
      this.sums[k]!.bar.style.width = `${(100 * cost[name]) / most(name)}%`;
      this.sums[k]!.text.textContent = cost[name] === first[name] ? text(first[name]) : `${text(first[name])} → ${text(cost[name])}`;
    });
  }

  hits(): Hit[] {
    return [...this.panel.rows.map((r) => ({ id: r.id, label: r.texts.at(-1)!.text, kind: "line" })), ...this.panel.stages.map((s) => ({ id: s.id, label: s.name, kind: counts(s) || "nothing to do" }))];
  }

  /** What the pass did stays in sight, without moving the page. */
  settle(): void {
    const { touched: one, list } = this;
    if (!one || list.scrollHeight <= list.clientHeight + 1) return;
    const y = one.offsetTop;
    if (y < list.scrollTop || y + one.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = y - list.clientHeight / 3;
  }

  /** A changed line shows what it read before, struck through. */
  private write(one: Drawn, state: RowState, at: number): void {
    const { before, now } = textsAt(one.row, at), said = state === "changed" ? `${before}|${now}` : now;
    one.sign.textContent = SIGNS[state];
    if (said === one.shown) return;
    one.shown = said;
    const { head, gone, come, tail } = difference(before, now);
    one.code.replaceChildren(...(state === "changed" ? [head, h("del", {}, gone), h("ins", {}, come), tail] : [now]));
  }
}

/** −2 +1 ~1: what a pass did. */
const counts = (s: PassStage): string =>
  [["−", s.removed], ["+", s.added], ["~", s.changed], ["=", s.renamed]].filter(([, n]) => n).map(([sign, n]) => `${sign}${n}`).join(" ");
