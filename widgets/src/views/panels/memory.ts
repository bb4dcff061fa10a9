import { bundled, type Column, columnsOf, edgesOf, gridOf, type Layer, layersOf, liveAt, type MemoryPanel, outline, plateau, spansOf } from "../../core/panels/memory";
import type { Hit } from "../../core/search";
import { byteText, numberText } from "../../core/bytes";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import type { Context, Now, PanelView } from "../panel";
import { Steady } from "../steady";
import { hatches, hatchOf } from "./hatches";
import { Choice } from "./choice";

/** Ops stand above the stack, and over them the label of the peak. */
const HEIGHT = 236, TOP = 52, TABLE = 216, WIDE = 560, GRID = 72;

/** What is alive: a stack of blocks over the steps, or over the bytes allocated; what is yet to come is pale. */
export class MemoryView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "mem-chart" });
  private readonly table = h("dl", { class: "mem-table" });
  private readonly total = new Steady(h("output", { class: "mem-total" }), "88,888,888 B alive");
  private readonly by: Choice<"group" | "owner">;
  private readonly over: Choice<"steps" | "bytes">;
  private readonly columns: Column[];
  private cells: { number: HTMLElement; bar: HTMLElement }[] = [];
  private marks: Painted[] = [];
  private ops: { mark: Painted; first: number; end: number }[] = [];
  private readonly veil = h("div", { class: "veil" });
  private readonly cursor = h("div", { class: "time" });
  private edges: number[] = [];

  constructor(private readonly panel: MemoryPanel, private readonly context: Context) {
    super();
    const redo = () => { this.rebuild(); context.renewed(); };
    this.by = new Choice("Stacked by", { group: "kind", owner: "owner" }, redo);
    this.over = new Choice("Over", { steps: "steps", bytes: "bytes allocated" }, redo);
    this.by.element.hidden = !panel.owners?.length;
    this.columns = columnsOf(panel.blocks, context.axis.ats);
    const head = h("div", { class: "mem-head" }, h("h3", { class: "panel-title" }, panel.label), this.total.element, this.by.element, this.over.element);
    this.element = h("section", { class: "mem", "aria-label": panel.label }, head,
      h("div", { class: "mem-body" }, this.chart, this.table), h("p", { class: "mem-peak", "data-id": `peak:${panel.id}` }, panel.peak.say), h("p", { class: "mem-note" }, this.note));
  }

  refold(): void {
    if (this.panel.blocks.some((b) => b.of !== undefined)) this.rebuild();
  }

  protected paint(now: Now): void {
    const { panel, edges } = this, k = now.column, w = this.plot;
    const sums = liveAt(panel.blocks, now.at, this.groups.length, this.by.value);
    this.cells.forEach((cell, g) => {
      cell.number.textContent = byteText(sums[g]!);
      cell.bar.style.width = `${(100 * sums[g]!) / this.most}%`;
    });
    this.element.classList.toggle("mem-climbing", now.at < panel.peak.at);
    this.total.say(`${numberText(sums.reduce((a, b) => a + b, 0))} B alive`);
    const x = edges[k + 1]! * w;
    this.veil.style.transform = `scaleX(${Math.max(0, 1 - x / w)})`;
    this.cursor.style.transform = `translateX(${Math.max(0, x - 1)}px)`;
    for (const mark of this.marks) mark.state(touches(now, mark.element.getAttribute("data-id")!) ? "now" : "");
    for (const { mark, first, end } of this.ops) mark.state(first <= k && k < end ? "now" : "");
  }

  hits(): Hit[] {
    return this.panel.blocks.slice(0, 4000).map((b) => ({ id: b.id, label: b.name, kind: byteText(b.bytes) }));
  }

  /** What a reader cannot know from the picture alone. */
  private get note(): string {
    const rule = this.panel.ticks?.map((t) => t.label).filter((label) => label.endsWith("′")).sort((a, b) => a.length - b.length)[0];
    return `Pale is still to come.${rule === undefined ? "" : ` ${rule} is the rule of ${rule.slice(0, -1)}, in the walk back.`}`;
  }

  private get groups() { return this.by.value === "owner" ? this.panel.owners! : this.panel.groups; }
  /** Keeps the ids of its patterns apart from those of other panels. */
  private get prefix(): string { return `mem-${this.panel.id.replace(/\W/g, "-")}`; }
  private get wide(): boolean { return this.width >= WIDE; }
  private get most(): number { return Math.max(1, this.panel.top ?? 0, this.panel.peak.bytes); }
  private get plot(): number { return Math.max(120, this.width - (this.wide ? TABLE : 0)); }

  protected build(): void {
    const { panel, plot } = this, groups = this.groups;
    this.element.classList.toggle("mem-wide", this.wide);
    this.edges = edgesOf(panel.blocks, this.context.axis.ats, this.over.value);
    const { most } = this, y = (bytes: number) => TOP + (HEIGHT - TOP) * (1 - bytes / most);
    const x = (column: number) => this.edges[column]! * plot;
    const grid = gridOf(most), layers = layersOf(panel.blocks, this.columns, this.by.value, undefined, (b) => this.context.folds.bundle(b.of)), peak = y(panel.peak.bytes);
    this.marks = layers.map((l) => this.mark(l, outline(l, x, y)));
    for (const over of [this.veil, this.cursor]) { over.style.top = "24px"; over.style.height = `${HEIGHT - 24}px`; }
    this.veil.style.width = `${plot}px`;
    const label = `peak ${numberText(panel.peak.bytes)} B`, wide = monoWidth(label, 11), left = x(this.context.axis.column(panel.peak.at)) - wide - 8;
    const at = left >= 0 ? left : Math.min(plot - wide, left + wide + 16);
    this.chart.replaceChildren(s("svg", { width: plot, height: HEIGHT, class: "mem-svg", role: "group", "aria-label": `Memory over ${this.over.value}` },
      hatches(this.prefix), ...grid.map((v) => line(y(v), plot, byteText(v))), this.heads(x), s("g", {}, ...this.marks.map((m) => m.element)),
      s("g", { class: "mem-names", "aria-hidden": "true" }, ...layers.map((l) => name(l, x, y, grid)).filter((t) => t !== null)),
      s("path", { class: "mem-floor", d: `M0 ${HEIGHT - 0.5}H${plot}` })), this.veil, this.peakLine(plot, peak, label, at), this.cursor);
    this.cells = groups.map((g) => ({ number: h("span", {}), bar: h("i", { "data-role": g.role }) }));
    this.table.replaceChildren(...groups.flatMap((g, k) => [h("dt", {}, swatch(this.prefix, g.role), h("span", {}, g.label)), h("dd", {}, this.cells[k]!.number, this.cells[k]!.bar)]));
  }

  /** The peak is known from the start: its line lies over what is yet to come. */
  private peakLine(width: number, y: number, label: string, x: number): HTMLElement {
    const text = h("span", {}, label), line = h("div", { class: "mem-peak-line" }, text);
    line.style.top = `${y}px`;
    line.style.width = `${width}px`;
    text.style.left = `${x}px`;
    return line;
  }

  /** The ops above the columns in which they ran, with as much of their names as there is room for. */
  private heads(x: (column: number) => number): SVGElement {
    const spans = spansOf(bundled(this.panel.ticks ?? [], (t) => this.context.folds.bundle(t.of)), (at) => this.context.axis.column(at), this.context.axis.n);
    const roomy = spans.filter(({ first, end }) => x(end) - x(first) >= 8);
    this.ops = roomy.map(({ tick, first, end }) => {
      const left = x(first) + 1, w = x(end) - x(first) - 2, fits = Math.floor((w - 4) / monoWidth("m", 11));
      const prime = tick.label.endsWith("′") ? "′" : "", short = `${tick.label.slice(0, fits - prime.length - 1)}…${prime}`; // of a rule the prime says it
      const number = tick.label.match(/\d+$/)?.[0] ?? ""; // of an item of a fold
      const text = tick.label.length <= fits ? tick.label : tick.op.includes("/") ? (number.length <= fits ? number : "") : fits >= 3 ? short : "";
      const box = s("g", { "data-id": tick.op }, s("rect", { x: left, y: 0.5, width: w, height: 20, rx: 4 }), s("text", { x: left + w / 2, y: 14.5 }, text));
      return { mark: new Painted(box, "mem-head-op"), first, end };
    });
    return s("g", { class: "mem-heads" }, ...this.ops.map((op) => op.mark.element));
  }

  private mark(layer: Layer, d: string): Painted {
    const role = this.groups[layer.group]?.role ?? "other";
    const tall = Math.max(...layer.high.map((high, k) => high - layer.low[k]!)), thin = ((HEIGHT - TOP) * tall) / this.most < 4 ? " mem-thin" : "";
    const base = `mem-block stop${thin}`, path = s("path", { d, class: base, "data-id": layer.id, "data-role": role, tabindex: -1, role: "img", "aria-label": layer.name, fill: hatchOf(this.prefix, role) });
    return new Painted(path, base);
  }
}

/** Whether the step touches what has this id: itself, or as the item of a fold. */
const touches = (now: Now, id: string): boolean => now.touched.has(id) || now.step.of === id;

/** A line across the picture, with its bytes. */
const line = (y: number, width: number, label: string): SVGElement =>
  s("g", { class: "mem-grid" }, s("path", { d: `M0 ${Math.round(y) + 0.5}H${width}` }), s("text", { x: 2, y: y - 4 }, label));

/** The name of a layer, where it fits and no line of the grid has its bytes. */
function name(layer: Layer, x: (column: number) => number, y: (bytes: number) => number, grid: readonly number[]): SVGElement | null {
  const { first, count, low, high } = plateau(layer), width = x(first + count) - x(first), middle = (y(low) + y(high)) / 2 + 4;
  if (y(low) - y(high) < 15 || monoWidth(layer.name, 11) + 8 > width) return null;
  if (x(first) < GRID && grid.some((v) => Math.abs(y(v) - 4 - middle) < 14)) return null;
  return s("text", { x: x(first) + 5, y: middle }, layer.name);
}

const swatch = (prefix: string, role: string): SVGElement =>
  s("svg", { width: 14, height: 12, "aria-hidden": "true", class: "mem-swatch" }, s("rect", { class: "mem-block", "data-role": role, x: 0.5, y: 0.5, width: 13, height: 11, rx: 2, fill: hatchOf(prefix, role) }));
