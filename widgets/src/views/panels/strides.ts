import { pathOf, placeOf, stageAt, type StridedView, type StridesPanel } from "../../core/panels/strides";
import type { Hit } from "../../core/search";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import type { Now, PanelView } from "../panel";

const GAP = 28, ADDRESS = 16, WIDE = 640;

/** Memory on top, one grid for each view under it; an arrow leads from the index that is told to its address. */
export class StridesView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "st-chart" });
  private cells = new Map<string, Painted>();
  private grids = new Map<string, Painted>();
  private places = new Map<string, { x: number; y: number }>();
  private arrow: SVGElement | null = null;

  constructor(private readonly panel: StridesPanel) {
    super();
    this.element = h("section", { class: "st", "aria-label": panel.label }, this.chart);
  }

  protected paint(now: Now): void {
    const stage = stageAt(this.panel, now.at), view = this.panel.views.find((v) => v.id === stage?.op);
    const path = view === undefined ? [] : pathOf(view, stage!.focus), cell = stage?.focus ?? null, to = path.at(-1);
    const seen = new Set([...path, ...(view?.cells.slice(0, path.length).map((c) => c.id) ?? [])]);
    for (const [id, mark] of this.cells) mark.state(id === cell || id === to ? "now" : seen.has(id) ? "seen" : "");
    for (const [id, mark] of this.grids) mark.state(view === undefined || id === view.id ? "now" : "");
    const a = cell === null ? undefined : this.places.get(cell), b = to === undefined ? undefined : this.places.get(to);
    this.arrow?.setAttribute("d", a && b ? `M${a.x} ${a.y - this.low / 2}C${a.x} ${a.y - 60} ${b.x} ${b.y + 70} ${b.x} ${b.y + this.low / 2 + ADDRESS + 3}` : "");
  }

  hits(): Hit[] {
    return this.panel.views.flatMap((v) => [{ id: v.id, label: v.label, kind: "view" }, ...v.cells.map((c) => ({ id: c.id, label: `${v.label}[${c.index.join(", ")}]`, kind: c.text }))]);
  }

  /** Width and height of a cell. */
  private get side(): number { return this.width >= WIDE ? 48 : 34; }
  private get low(): number { return this.width >= WIDE ? 34 : 26; }

  protected build(): void {
    this.cells = new Map();
    this.grids = new Map();
    this.places = new Map();
    const rows = this.panel.memories.map((m) => m.cells), most = Math.max(1, ...rows.map((cells) => cells.length));
    const { side, low } = this, cell = Math.min(side, Math.max(22, Math.floor(this.width / Math.min(most, 16)))), each = Math.max(1, Math.floor(this.width / cell));
    let y = 14;
    const memory = rows.map((cells, k) => {
      const parts: SVGElement[] = [s("text", { class: "st-name", x: 0, y: y - 2 }, rows.length > 1 ? `memory ${k + 1}` : "memory")];
      cells.forEach((c, i) => parts.push(this.cell(c.id, c.text, (i % each) * cell, y + 4 + Math.floor(i / each) * (low + ADDRESS + 4), cell, String(i))));
      y += 4 + Math.ceil(cells.length / each) * (low + ADDRESS + 4) + 12;
      return s("g", { class: "st-memory" }, ...parts);
    });
    let x = 0, tallest = 0;
    y += 40; // room for the arrow
    const grids = this.panel.views.map((v) => {
      const size = this.size(v);
      if (x > 0 && x + size.w > this.width) { x = 0; y += tallest + GAP; tallest = 0; }
      const grid = this.grid(v, x, y);
      x += size.w + GAP;
      tallest = Math.max(tallest, size.h);
      return grid;
    });
    this.arrow = s("path", { class: "st-arrow", d: "" });
    const tip = s("marker", { id: "st-tip", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" }, s("path", { class: "st-head", d: "M0 0L8 4L0 8z" }));
    this.chart.replaceChildren(s("svg", { width: this.width, height: y + tallest + 4, class: "st-svg", role: "group", "aria-label": "Memory and indices" },
      s("defs", {}, tip), ...memory, ...grids, this.arrow));
  }

  private size(v: StridedView): { w: number; h: number } {
    const blocks = v.shape.length > 2 ? v.shape[0]! : 1, rows = v.shape.at(-2) ?? 1;
    const wide = Math.max(monoWidth(v.label, 12), monoWidth(this.rule(v), 11));
    return { w: Math.max(wide, (v.shape.at(-1) ?? 1) * this.side), h: 40 + blocks * (rows + 0.4) * this.low };
  }

  private rule(v: StridedView): string {
    return `strides (${v.strides.join(", ")}) + ${v.offset}`;
  }

  private grid(v: StridedView, x: number, y: number): SVGElement {
    const cells = v.cells.map((c) => {
      const { row, column } = placeOf(v, c.index);
      return this.cell(c.id, c.text, x + column * this.side, y + row * this.low, this.side, null);
    });
    const under = y + this.size(v).h - 40; // names stand below, so that no arrow crosses them
    const group = s("g", { class: "st-grid" }, s("g", { "data-id": v.id, class: "st-title" }, s("text", { class: "st-label", x, y: under + 8 }, v.label), s("text", { class: "st-rule", x, y: under + 26 }, this.rule(v))), ...cells);
    this.grids.set(v.id, new Painted(group, "st-grid"));
    return group;
  }

  private cell(id: string, text: string, x: number, y: number, w: number, address: string | null): SVGElement {
    const { low } = this, group = s("g", { "data-id": id, class: "st-cell stop", tabindex: -1, role: "img", "aria-label": address === null ? `entry ${text}` : `address ${address}: ${text}` },
      s("rect", { x: x + 0.5, y: y + 0.5, width: w - 1, height: low - 1 }), s("text", { x: x + w / 2, y: y + low / 2 + 4 }, text),
      address === null ? null : s("text", { class: "st-address", x: x + w / 2, y: y + low + 12 }, address));
    this.cells.set(id, new Painted(group, "st-cell stop"));
    this.places.set(id, { x: x + w / 2, y: y + low / 2 });
    return group;
  }
}
