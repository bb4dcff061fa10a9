import { numberText } from "../../core/bytes";
import { firstSpans, type Slot, type Span, type Spent, trafficAt, type TrafficPanel } from "../../core/panels/traffic";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import { trafficScore } from "../../core/motion/traffic";
import { layerOf } from "../motion/stage";
import type { Now, PanelView, Passage, Scored } from "../panel";

const BAR = 36, HEAD = 20, FOOT = 30, GAP = 14;
const TERMS: { name: keyof Spent; head: string; text: (n: number) => string }[] = [
  { name: "bytes", head: "data / bandwidth", text: (n) => `${count(n)} B` },
  { name: "flops", head: "work / (peak · utilisation)", text: (n) => `${count(n)} FLOP` },
  { name: "launches", head: "overhead", text: (n) => `${count(n)} ${n === 1 ? "launch" : "launches"}` },
];
const count = (n: number): string => (n < 1e7 ? numberText(n) : `${numberText(Number((n / 1e6).toPrecision(4)))} M`);

interface Bar { cells: Map<string, { mark: Painted; element: SVGElement }>; total: HTMLElement; head: HTMLElement; spans: SVGElement; unknown: SVGElement | null; y: number }

/** Two bars: every access op by op, and what is left of them. A cell that is not needed any more moves to the end. */
export class TrafficView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "tf-chart" });
  private readonly terms: { box: HTMLElement; value: HTMLElement }[];
  private bars: Bar[] = [];
  private readonly layer = layerOf();

  constructor(private readonly panel: TrafficPanel) {
    super();
    this.terms = TERMS.map((t) => {
      const value = h("output", {});
      return { box: h("div", { class: "tf-term" }, h("span", {}, t.head), value), value };
    });
    this.element = h("section", { class: "tf", "aria-label": panel.label },
      h("p", { class: "panel-name" }, `${panel.label}: length is bytes; plain is read, hatched is written`), this.chart,
      h("div", { class: "tf-law", role: "group", "aria-label": "The iron law" }, h("b", {}, "time ="), ...this.terms.map((t) => t.box)));
  }

  protected paint(now: Now): void {
    const { panel } = this, frame = trafficAt(panel, now.at), before = panel.stages[0]!, stage = frame.stage ?? before, first = firstSpans(panel);
    const [a, b] = this.bars as [Bar, Bar], all = frame.stage !== null || frame.moved === before.bytes;
    for (const { cell } of first.slots) this.state(a, cell.id, (frame.ran.has(cell.id) ? "on" : "") + (now.touched.has(cell.of) && frame.stage === null && frame.ran.has(cell.id) ? " now" : ""));
    a.total.textContent = frame.moved ? `${count(frame.moved)} B` : "";
    a.spans.replaceChildren(...this.brackets(first.spans.filter((_, k) => panel.first[k]!.at <= now.at), a.y));
    b.unknown!.setAttribute("class", frame.stage === null ? "tf-unknown on" : "tf-unknown");
    for (const { cell, from, gone } of frame.slots) {
      this.state(b, cell.id, frame.stage === null ? "" : gone ? "gone" : "on");
      b.cells.get(cell.id)!.element.style.transform = `translate(${this.x(from)}px, ${b.y}px)`;
    }
    for (const [id] of b.cells) if (!frame.slots.some((slot) => slot.cell.id === id)) this.state(b, id, "");
    b.spans.replaceChildren(...(frame.stage === null ? [] : this.brackets(frame.spans, b.y)));
    b.head.textContent = frame.stage === null ? "Fused" : `Fused: ${TERMS[2]!.text(stage.launches)}`;
    b.total.textContent = frame.stage === null ? "" : `${count(stage.bytes)} B` + (stage.bytes < before.bytes ? ` (−${count(before.bytes - stage.bytes)})` : "");
    TERMS.forEach(({ name, text }, k) => {
      const { box, value } = this.terms[k]!, moved = frame.stage !== null && stage[name] !== before[name];
      value.textContent = !all ? "" : moved ? `${text(before[name]).split(" ")[0]} → ${text(stage[name])}` : text(before[name]);
      box.classList.toggle("moved", moved);
    });
  }

  score({ from, to, cues }: Passage): Scored {
    const [{ y: first }, { y: after }] = this.bars as [Bar, Bar];
    return { place: { root: this.element, layer: this.layer }, score: trafficScore(this.panel, from, to, { x: (bytes) => this.x(bytes), first, after, height: BAR }, cues) };
  }

  private get total(): number { return Math.max(1, this.panel.stages[0]!.bytes); }
  private x(bytes: number): number { return Math.round((10 * bytes * this.width) / this.total) / 10; }

  private state(bar: Bar, id: string, state: string): void {
    bar.cells.get(id)?.mark.state(state);
  }

  protected build(): void {
    const first = firstSpans(this.panel), extra = this.panel.cells.filter((c) => !first.slots.some((slot) => slot.cell === c)), y2 = HEAD + BAR + FOOT + GAP + HEAD;
    const all = [...first.slots, ...extra.map((cell) => ({ cell, from: 0, gone: true }))];
    this.bars = [this.bar(first.slots, HEAD, `Op by op: ${TERMS[2]!.text(this.panel.first.length)}`, false), this.bar(all, y2, "Fused", true)];
    const height = y2 + BAR + FOOT;
    const hatch = ["value", "temporary"].map((role) => s("pattern", { id: `tf-${role}`, width: 6, height: 6, patternUnits: "userSpaceOnUse", class: `tf-hatch tf-${role}` }, s("rect", { width: 6, height: 6 }), s("path", { d: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5" })));
    this.chart.replaceChildren(s("svg", { width: this.width, height, class: "tf-svg", role: "group", "aria-label": this.panel.label }, s("defs", {}, ...hatch),
      ...this.bars.flatMap((b) => [b.unknown, ...[...b.cells.values()].map((c) => c.element), b.spans])), ...this.bars.flatMap((b) => [b.head, b.total]), this.layer);
  }

  private bar(slots: readonly Slot[], y: number, title: string, later: boolean): Bar {
    const cells = new Map(slots.map(({ cell, from }) => {
      const w = Math.max(1, this.x(cell.bytes)), room = monoWidth(cell.text, 12) + 8 <= w, base = `tf-cell ${later ? "tf-after" : "tf-first"} stop tf-${cell.role} tf-${cell.rw}`;
      const chip = room ? s("rect", { class: "tf-chip", x: w / 2 - monoWidth(cell.text, 12) / 2 - 3, y: 9, width: monoWidth(cell.text, 12) + 6, height: 18, rx: 4 }) : null;
      const element = s("g", { "data-id": cell.id, tabindex: -1, role: "img", "aria-label": `${cell.text} ${cell.rw === "read" ? "read" : "written"}: ${count(cell.bytes)} bytes` },
        s("rect", { class: "tf-body", x: Math.min(1, w / 4), width: Math.max(w - 2, w / 2), height: BAR, rx: Math.min(4, w / 4), fill: cell.rw === "write" ? `url(#tf-${cell.role})` : null }), chip,
        room ? s("text", { x: w / 2, y: 22 }, cell.text) : null);
      element.style.transform = `translate(${this.x(from)}px, ${y}px)`;
      return [cell.id, { mark: new Painted(element, base), element }] as const;
    }));
    const unknown = later ? s("g", {}, s("rect", { x: 1, y, width: Math.max(1, this.width - 2), height: BAR, rx: 4 }), s("text", { x: this.width / 2, y: y + 24 }, "?")) : null;
    const late = later ? " tf-late" : "", head = h("span", { class: `tf-head${late}` }, title), total = h("output", { class: `tf-total${late}` });
    for (const element of [head, total]) element.style.top = `${y - HEAD}px`;
    return { cells, total, head, spans: s("g", { class: `tf-spans${late}` }), unknown, y };
  }

  /** Which launch does which accesses. */
  private brackets(spans: readonly Span[], y: number): SVGElement[] {
    return spans.map(({ id, label, from, to }) => {
      const a = this.x(from) + 2, b = this.x(to) - 2, text = b - a > monoWidth(label, 11) ? s("text", { x: (a + b) / 2, y: y + BAR + 22 }, label) : null;
      return s("g", { class: "tf-span", "data-for": id }, s("path", { d: `M${a} ${y + BAR + 4}v5H${Math.max(a + 1, b)}v-5` }), text);
    });
  }
}
