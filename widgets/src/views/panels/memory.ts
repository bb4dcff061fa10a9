import { type Column, columnsOf, edgesOf, type Layer, layersOf, liveAt, type MemoryPanel, outline, plateau } from "../../core/panels/memory";
import type { Hit } from "../../core/search";
import { byteText } from "../../core/bytes";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import type { Context, Now, PanelView } from "../panel";
import { hatches, hatchOf } from "./hatches";
import { Choice } from "./choice";

const HEIGHT = 196, TOP = 20, TABLE = 216, WIDE = 560;

/** What is alive: a stack of blocks over the steps, or over the bytes allocated; what is yet to come is pale. */
export class MemoryView implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "mem-chart" });
  private readonly table = h("dl", { class: "mem-table" });
  private readonly total = h("output", { class: "mem-total" });
  private readonly by: Choice<"group" | "owner">;
  private readonly over: Choice<"steps" | "bytes">;
  private readonly columns: Column[];
  private cells: HTMLElement[] = [];
  private marks: Painted[] = [];
  private veil: SVGElement | null = null;
  private cursor: SVGElement | null = null;
  private width = -1;
  private edges: number[] = [];
  private now: Now | null = null;

  constructor(private readonly panel: MemoryPanel, private readonly context: Context) {
    const redo = () => { this.build(); context.renewed(); };
    this.by = new Choice("Stacked by", { group: "kind", owner: "owner" }, redo);
    this.over = new Choice("Over", { steps: "steps", bytes: "bytes allocated" }, redo);
    this.by.element.hidden = !panel.owners?.length;
    this.columns = columnsOf(panel.blocks, context.axis.ats);
    const head = h("div", { class: "mem-head" }, h("h3", { class: "panel-title" }, panel.label), this.total, this.by.element, this.over.element);
    this.element = h("section", { class: "mem", "aria-label": panel.label }, head,
      h("div", { class: "mem-body" }, this.chart, this.table), h("p", { class: "mem-peak", "data-id": `peak:${panel.id}` }, panel.peak.say));
  }

  fit(width: number): boolean {
    if (width === this.width) return false;
    this.width = width;
    this.build();
    return true;
  }

  draw(now: Now): void {
    this.now = now;
    const { panel, edges } = this, k = now.at < 0 ? -1 : this.context.axis.column(now.at), w = this.plot;
    const sums = liveAt(panel.blocks, now.at, this.groups.length, this.by.value);
    this.cells.forEach((cell, g) => { cell.textContent = byteText(sums[g]!); });
    this.total.textContent = `${byteText(sums.reduce((a, b) => a + b, 0))} alive`;
    const x = edges[k + 1]! * w;
    this.veil?.setAttribute("x", String(x));
    this.veil?.setAttribute("width", String(Math.max(0, w - x)));
    this.cursor?.setAttribute("transform", `translate(${Math.max(0.75, x - 0.75)} 0)`);
    for (const mark of this.marks) mark.state(now.touched.has(mark.element.getAttribute("data-id")!) ? "now" : "");
  }

  hits(): Hit[] {
    return this.panel.blocks.slice(0, 4000).map((b) => ({ id: b.id, label: b.name, kind: byteText(b.bytes) }));
  }

  private get groups() { return this.by.value === "owner" ? this.panel.owners! : this.panel.groups; }
  private get wide(): boolean { return this.width >= WIDE; }
  private get plot(): number { return Math.max(120, this.width - (this.wide ? TABLE : 0)); }

  private build(): void {
    const { panel, plot } = this, groups = this.groups;
    this.element.classList.toggle("mem-wide", this.wide);
    this.edges = edgesOf(panel.blocks, this.context.axis.ats, this.over.value);
    const most = Math.max(1, panel.top ?? 0, panel.peak.bytes), y = (bytes: number) => TOP + (HEIGHT - TOP) * (1 - bytes / most);
    const x = (column: number) => this.edges[column]! * plot;
    const layers = layersOf(panel.blocks, this.columns, this.by.value), peak = y(panel.peak.bytes);
    this.marks = layers.map((l) => this.mark(l, outline(l, x, y)));
    this.veil = s("rect", { class: "mem-veil", y: 0, height: HEIGHT });
    this.cursor = s("path", { class: "mem-cursor", d: `M0 0V${HEIGHT}` });
    const label = `peak ${byteText(panel.peak.bytes)}`, at = Math.min(plot - monoWidth(label, 11) - 2, Math.max(0, x(this.context.axis.column(panel.peak.at)) - 8));
    this.chart.replaceChildren(s("svg", { width: plot, height: HEIGHT, class: "mem-svg", role: "group", "aria-label": `Memory over ${this.over.value}` },
      hatches("mem"), s("g", {}, ...this.marks.map((m) => m.element)),
      s("g", { class: "mem-names", "aria-hidden": "true" }, ...layers.map((l) => name(l, x, y)).filter((t) => t !== null)),
      this.veil, s("path", { class: "mem-peak-line", d: `M0 ${peak}H${plot}` }), s("text", { class: "mem-peak-text", x: at, y: peak - 6 }, label),
      s("path", { class: "mem-floor", d: `M0 ${HEIGHT - 0.5}H${plot}` }), this.cursor));
    this.cells = groups.map(() => h("dd", {}));
    this.table.replaceChildren(...groups.flatMap((g, k) => [h("dt", {}, swatch(g.role), h("span", {}, g.label)), this.cells[k]!]));
    if (this.now) this.draw(this.now);
  }

  private mark(layer: Layer, d: string): Painted {
    const role = this.groups[layer.group]?.role ?? "other";
    const path = s("path", { d, class: "mem-block stop", "data-id": layer.id, "data-role": role, tabindex: -1, role: "img", "aria-label": layer.name, fill: hatchOf("mem", role) });
    return new Painted(path, "mem-block stop");
  }
}

/** The name of a layer, where it fits. */
function name(layer: Layer, x: (column: number) => number, y: (bytes: number) => number): SVGElement | null {
  const { first, count, low, high } = plateau(layer), width = x(first + count) - x(first);
  if (y(low) - y(high) < 15 || monoWidth(layer.name, 11) + 8 > width) return null;
  return s("text", { x: x(first) + 5, y: (y(low) + y(high)) / 2 + 4 }, layer.name);
}

const swatch = (role: string): SVGElement =>
  s("svg", { width: 14, height: 12, "aria-hidden": "true", class: "mem-swatch" }, s("rect", { class: "mem-block", "data-role": role, x: 0.5, y: 0.5, width: 13, height: 11, rx: 2, fill: hatchOf("mem", role) }));
