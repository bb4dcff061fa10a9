import { numberText } from "../../core/bytes";
import { focusAt, foldedAtFirst, parents, type TreePanel, type TreeRow, visible } from "../../core/panels/tree";
import type { Hit } from "../../core/search";
import { h, Painted, s } from "../dom";
import type { Now, PanelView } from "../panel";

/** A table of rows that fold: name, what it is, and how many of the numbers to learn are in it. */
export class TreeView implements PanelView {
  readonly element: HTMLElement;
  private readonly body = h("div", { class: "tr-rows", role: "group" });
  private readonly folded: Set<string>;
  private readonly parents: Set<string>;
  private marks = new Map<string, Painted>();
  private shown: string | null = null;
  private settled: string | null = null;
  private built = false;

  constructor(private readonly panel: TreePanel, private readonly context: { renewed(): void }) {
    this.folded = foldedAtFirst(panel.rows);
    this.parents = parents(panel.rows);
    this.body.setAttribute("aria-label", panel.label);
    this.element = h("section", { class: "tr", "aria-label": panel.label }, this.body);
  }

  /** Rows are as wide as there is room: they are made once. */
  fit(width: number): boolean {
    this.element.classList.toggle("tr-narrow", width < 480);
    if (this.built) return false;
    this.built = true;
    this.build();
    return true;
  }

  draw(now: Now): void {
    const id = focusAt(this.panel, now.at);
    if (id === this.shown) return;
    if (this.shown !== null) this.marks.get(this.shown)?.state("");
    this.shown = id;
    if (id !== null) this.marks.get(id)?.state("now");
  }

  hits(): Hit[] {
    return this.panel.rows.map((r) => ({ id: r.id, label: r.id.slice(2) || this.panel.label, kind: r.kind }));
  }

  /** A row that is folded away is unfolded when it is looked for. */
  show(ids: readonly string[]): void {
    const { rows } = this.panel;
    for (const id of ids) {
      let depth = rows.find((r) => r.id === id)?.depth ?? -1;
      for (let k = rows.findIndex((r) => r.id === id); k >= 0 && depth > 0; k--)
        if (rows[k]!.depth < depth) { depth = rows[k]!.depth; if (this.folded.delete(rows[k]!.id)) this.built = false; }
    }
    if (this.built) return;
    this.built = true;
    this.build();
    this.context.renewed();
  }

  /** The row that is told stays in sight, without moving the page. */
  settle(): void {
    const row = this.shown === this.settled ? null : (this.shown !== null && this.marks.get(this.shown)?.element as HTMLElement) || null;
    this.settled = this.shown;
    if (row === null || this.body.scrollHeight <= this.body.clientHeight) return;
    const y = row.offsetTop;
    if (y < this.body.scrollTop || y + row.offsetHeight > this.body.scrollTop + this.body.clientHeight) this.body.scrollTop = y - this.body.clientHeight / 2;
  }

  private build(): void {
    this.marks = new Map();
    this.body.replaceChildren(...visible(this.panel.rows, this.folded).map((row) => this.row(row)));
    if (this.shown !== null) this.marks.get(this.shown)?.state("now");
  }

  private row(row: TreeRow): HTMLElement {
    const kind = row.kind === "module" ? "tr-module" : row.kind === "parameter" ? "tr-parameter" : "tr-buffer", base = `tr-row stop ${kind}`;
    const bar = h("i", {}), element = h("div", { class: base, "data-id": row.id, tabindex: -1, role: "group", "aria-label": `${row.kind} ${row.name}: ${row.what}` },
      h("span", { class: "tr-name" }, this.fold(row), symbol(row.kind), h("code", {}, row.name || this.panel.label)), h("span", { class: "tr-what" }, row.what),
      h("span", { class: "tr-facts" }, row.facts.join(" · ")), h("span", { class: "tr-count" }, row.count ? numberText(row.count) : "", bar));
    element.style.setProperty("--depth", String(row.depth));
    bar.style.width = `${100 * row.share}%`;
    this.marks.set(row.id, new Painted(element, base));
    return element;
  }

  private fold(row: TreeRow): HTMLElement | null {
    if (!this.parents.has(row.id)) return h("span", { class: "tr-leaf" });
    const open = !this.folded.has(row.id);
    const button = h("button", { type: "button", class: "quiet tr-fold", tabindex: -1, "aria-expanded": String(open), "aria-label": `${open ? "Fold" : "Unfold"} ${row.name || this.panel.label}` }, open ? "▾" : "▸");
    button.onclick = (ev) => {
      ev.stopPropagation();
      if (!this.folded.delete(row.id)) this.folded.add(row.id);
      this.build();
      this.context.renewed();
    };
    return button;
  }
}

/** A module is a box, a parameter a pill with a double outline, a buffer a plain pill. */
const symbol = (kind: TreeRow["kind"]): SVGElement => s("svg", { width: 18, height: 12, class: "tr-symbol", "aria-hidden": "true" },
  kind === "module" ? s("rect", { x: 2.5, y: 0.5, width: 13, height: 11, rx: 2 }) : s("rect", { x: 0.5, y: 0.5, width: 17, height: 11, rx: 5.5 }),
  kind === "parameter" ? s("rect", { x: 2.5, y: 2.5, width: 13, height: 7, rx: 3.5 }) : null);
