import { byteText, numberText } from "../../core/bytes";
import { crosses, cutAt, type JointNode, type PartitionPanel, type Side, stateOf } from "../../core/panels/partition";
import type { Hit } from "../../core/search";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import type { Now, PanelView } from "../panel";

const ROW = 24, BOX = 20, FONT = 11, HEAD = 20;
/** The widths of "backward ↑" and of "backward", in bold. */
const LONG = 74, SHORT = 60;
/** Of a name there must be room for so many characters; else it stands alone, and its bytes are told when it is pointed at. */
const NAME = 4;

interface Drawn { node: JointNode; side: Side; mark: Painted }

/**
 * Forward runs down on the left, backward up on the right; between them lies the cut, and lines cross it from what is kept
 * to what reads it. Above: how much is kept, and how much is computed again, for this cut and for all others.
 */
export class PartitionView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "pt-chart" });
  private readonly bars: { cut: number; bytes: HTMLElement; entries: HTMLElement }[];
  private readonly totals = { bytes: h("span", {}), entries: h("span", {}), budget: h("span", { class: "pt-budget" }) };
  private readonly fills = { bytes: h("i", {}), entries: h("i", {}) };
  private readonly both: ReadonlySet<string>;
  private drawn: Drawn[] = [];
  private lines: { read: PartitionPanel["reads"][number]; mark: Painted }[] = [];

  constructor(private readonly panel: PartitionPanel) {
    super();
    this.both = new Set(panel.forward.map((n) => n.id));
    const most = this.most, tick = (part: number) => { const mark = h("b", {}); mark.style.left = `${100 * part}%`; return mark; };
    this.bars = panel.cuts.map((c, cut) => ({ cut, bytes: tick(c.bytes / most.bytes), entries: tick(c.entries / most.entries) }));
    const row = (name: "bytes" | "entries", title: string) => h("div", { class: `pt-row pt-${name}` }, h("span", { class: "pt-title" }, title), h("span", { class: "pt-bar" }, this.fills[name], ...this.bars.map((b) => b[name])), this.totals[name]);
    this.element = h("section", { class: "pt", "aria-label": panel.label }, h("div", { class: "pt-sums" }, row("bytes", "kept"), row("entries", "again"), this.totals.budget), this.chart);
  }

  protected paint(now: Now): void {
    const cut = cutAt(this.panel, now.at), { most } = this;
    for (const { node, side, mark } of this.drawn) mark.state(`${stateOf(node, side, cut, this.both)}${now.touched.has(node.id) ? " loud" : ""}`.trim());
    for (const { read, mark } of this.lines) mark.state(crosses(read, cut) ? "on" : "");
    this.fills.bytes.style.width = `${(100 * (cut?.bytes ?? 0)) / most.bytes}%`;
    this.fills.entries.style.width = `${(100 * (cut?.entries ?? 0)) / most.entries}%`;
    this.totals.bytes.textContent = cut ? `${byteText(cut.bytes)} of ${byteText(most.bytes)}` : `? of ${byteText(most.bytes)}`;
    this.totals.entries.textContent = cut ? `${numberText(cut.entries)} entries` : "?";
    this.totals.budget.textContent = cut ? `budget ${cut.budget === 1 ? "1" : cut.budget.toPrecision(3)}` : "";
    for (const b of this.bars) for (const tick of [b.bytes, b.entries]) tick.className = this.panel.cuts[b.cut] === cut ? "now" : "";
  }

  hits(): Hit[] {
    const kinds = new Map([...this.panel.forward, ...this.panel.backward].map((n) => [n.id, n]));
    return [...kinds.values()].map((n) => ({ id: n.id, label: n.name, kind: n.facts }));
  }

  private get most(): { bytes: number; entries: number } {
    return { bytes: Math.max(1, ...this.panel.cuts.map((c) => c.bytes)), entries: Math.max(1, ...this.panel.cuts.map((c) => c.entries)) };
  }

  protected build(): void {
    const { forward, backward } = this.panel, gap = Math.max(64, Math.min(160, this.width * 0.16)), wide = (this.width - gap) / 2;
    const rows = Math.max(forward.length, backward.length), bottom = HEAD + rows * ROW;
    const yLeft = new Map(forward.map((n, k) => [n.id, HEAD + k * ROW])), yRight = new Map(backward.map((n, k) => [n.id, bottom - (k + 1) * ROW]));
    this.drawn = [];
    const box = (n: JointNode, side: Side) => this.box(n, side, side === "forward" ? 0 : wide + gap, (side === "forward" ? yLeft : yRight).get(n.id)!, wide);
    const left = forward.map((n) => box(n, "forward")), right = backward.map((n) => box(n, "backward"));
    this.lines = this.panel.reads.filter((r) => yLeft.has(r.from) && yRight.has(r.to)).map((read) => {
      const y1 = yLeft.get(read.from)! + BOX / 2, y2 = yRight.get(read.to)! + BOX / 2, x2 = wide + gap;
      return { read, mark: new Painted(s("path", { d: `M${wide} ${y1}C${wide + gap * 0.55} ${y1} ${x2 - gap * 0.55} ${y2} ${x2 - 5} ${y2}` }), "pt-line") };
    });
    const middle = wide + gap / 2, tip = s("marker", { id: "pt-tip", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto", markerUnits: "userSpaceOnUse" }, s("path", { class: "pt-head", d: "M0 0L8 4L0 8z" }));
    const [down, up] = wide < LONG ? ["", ""] : [" ↓", " ↑"];
    this.chart.replaceChildren(s("svg", { class: "pt-svg", width: this.width, height: bottom + 4, role: "group", "aria-label": this.panel.label }, s("defs", {}, tip),
      s("text", { class: "pt-name", x: 0, y: 11 }, `forward${down}`), s("text", { class: "pt-name", x: Math.min(wide + gap, this.width - SHORT), y: 11 }, `backward${up}`), s("text", { class: "pt-name pt-mid", x: middle, y: 11 }, "cut"),
      s("path", { class: "pt-cut", d: `M${middle} ${HEAD - 2}V${bottom}` }), ...this.lines.map((l) => l.mark.element), ...left, ...right));
  }

  private box(node: JointNode, side: Side, x: number, y: number, w: number): SVGElement {
    const bytes = byteText(node.bytes), beside = w - 16 - monoWidth(bytes, FONT) - 8, sized = beside >= NAME * monoWidth("m", FONT);
    const room = sized ? beside : w - 16, long = monoWidth(node.text, FONT) <= room;
    const text = long ? node.text : short(node.name, room), base = `pt-node stop pt-${node.kind} pt-${side}${node.result ? " pt-result" : ""}`;
    const group = s("g", { "data-id": node.id, tabindex: -1, role: "img", "aria-label": `${side}: ${node.text}, ${bytes}` },
      s("rect", { x: x + 0.5, y: y + 0.5, width: w - 1, height: BOX - 1, rx: node.kind === "op" ? 3 : BOX / 2 }),
      s("text", { x: x + 8, y: y + 14 }, text), sized ? s("text", { class: "pt-size", x: x + w - 8, y: y + 14 }, bytes) : null);
    this.drawn.push({ node, side, mark: new Painted(group, base) });
    return group;
  }
}

/** As many characters as there is room for. */
function short(text: string, room: number): string {
  const most = Math.max(2, Math.floor(room / monoWidth("m", FONT)));
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`;
}
