import { byteText, numberText } from "../../core/bytes";
import { type Cost, costAt, type LinesPanel, mostOf } from "../../core/panels/lines";
import { timeText } from "../../core/panels/timeline";
import { h, Painted } from "../dom";
import type { Now, PanelView } from "../panel";

const COLUMNS: { name: keyof Cost; head: string; text: (n: number) => string }[] = [
  { name: "ops", head: "ops", text: numberText },
  { name: "bytes", head: "made", text: byteText },
  { name: "ns", head: "time", text: timeText },
];

const costClass = (at: number): string => (at === 0 ? "li-cost li-first" : "li-cost");

interface Drawn { row: Painted; cells: { number: HTMLElement; bar: HTMLElement }[] }

/** One row for each line: its text, and three numbers that grow as it runs. */
export class LinesView implements PanelView {
  readonly element: HTMLElement;
  private readonly drawn: Drawn[];
  private readonly most: Cost;
  private built = false;

  constructor(private readonly panel: LinesPanel) {
    this.most = mostOf(panel.rows);
    this.drawn = panel.rows.map((row, k) => {
      const cells = COLUMNS.map(() => ({ number: h("span", {}), bar: h("i", {}) }));
      const gap = k > 0 && panel.rows[k - 1]!.no !== row.no - 1 ? "li-row stop li-gap" : "li-row stop";
      const element = h("div", { class: gap, "data-id": row.id, tabindex: -1, role: "group", "aria-label": `line ${row.no}` },
        h("b", {}, String(row.no)), h("code", {}, row.text), ...cells.map((c, at) => h("span", { class: costClass(at), "data-head": COLUMNS[at]!.head }, c.number, c.bar)));
      return { row: new Painted(element, gap), cells };
    });
    const head = h("div", { class: "li-row li-head", "aria-hidden": "true" }, h("b", {}), h("span", { class: "li-none" }), ...COLUMNS.map((c, at) => h("span", { class: costClass(at) }, c.head)));
    this.element = h("section", { class: "li", "aria-label": panel.label }, head, h("div", { class: "li-rows" }, ...this.drawn.map((d) => d.row.element)));
  }

  fit(width: number): boolean {
    this.element.classList.toggle("li-narrow", width < 520);
    this.element.classList.toggle("li-slim", width < 260);
    const first = !this.built;
    this.built = true;
    return first;
  }

  draw(now: Now): void {
    this.panel.rows.forEach((row, k) => {
      const cost = costAt(row, now.at), { row: mark, cells } = this.drawn[k]!;
      COLUMNS.forEach(({ name, text }, c) => {
        cells[c]!.number.textContent = row.marks.length ? text(cost[name]) : "";
        cells[c]!.bar.style.width = `${(100 * cost[name]) / this.most[name]}%`;
      });
      mark.state(now.step.line === row.id || now.touched.has(row.id) ? `now ${now.tone}` : "");
    });
  }
}
