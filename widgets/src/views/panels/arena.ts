import { byteText } from "../../core/bytes";
import { type ArenaPanel, columnAt, liveLine, type Place, stateOf } from "../../core/panels/arena";
import { gridOf } from "../../core/panels/memory";
import type { Hit } from "../../core/search";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import type { Context, Now, PanelView } from "../panel";
import { Steady } from "../steady";

/** Kernels stand above the places, and over these the label of the arena. */
const HEIGHT = 260, TOP = 52, SIDE = 64;

/** Where values lie in the memory that they share: a rectangle for each, as long as it is needed. */
export class ArenaView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "ar-chart" });
  private readonly total: Steady;
  private readonly veil = h("div", { class: "veil" });
  private readonly cursor = h("div", { class: "time" });
  private marks: { mark: Painted; place: Place }[] = [];
  private kernels: { mark: Painted; first: number; end: number }[] = [];

  constructor(private readonly panel: ArenaPanel, _context: Context) {
    super();
    this.total = new Steady(h("output", { class: "ar-total" }), totalOf("8,888\u2009KiB", panel));
    this.element = h("section", { class: "ar", "aria-label": panel.label },
      h("div", { class: "ar-head" }, h("h3", { class: "panel-title" }, panel.label), this.total.element), this.chart);
  }

  hits(): Hit[] {
    return this.panel.blocks.map((b) => ({ id: b.id, label: b.name, kind: byteText(b.bytes) }));
  }

  protected paint(now: Now): void {
    const { panel } = this, k = columnAt(panel, now.at), x = this.x(k + 1);
    this.total.say(totalOf(byteText(k < 0 ? 0 : panel.columns[k]!.live), panel));
    this.veil.style.transform = `scaleX(${Math.max(0, 1 - (x - SIDE) / Math.max(1, this.width - SIDE))})`;
    this.cursor.style.transform = `translateX(${Math.max(SIDE, x - 1)}px)`;
    for (const { mark, place } of this.marks) mark.state(`${stateOf(place, k)}${now.touched.has(place.id) ? " now" : ""}`);
    for (const { mark, first, end } of this.kernels) mark.state(first <= k && k < end ? "now" : "");
  }

  private x(column: number): number { return SIDE + ((this.width - SIDE) * column) / Math.max(1, this.panel.columns.length); }

  protected build(): void {
    const { panel, width } = this, y = (bytes: number) => TOP + (HEIGHT - TOP) * (1 - bytes / Math.max(1, panel.bytes)), x = (column: number) => this.x(column);
    this.marks = panel.blocks.map((place) => ({ place, mark: this.mark(place, y) }));
    for (const over of [this.veil, this.cursor]) { over.style.top = "24px"; over.style.height = `${HEIGHT - 24}px`; }
    this.veil.style.left = `${SIDE}px`;
    this.veil.style.width = `${width - SIDE}px`;
    const same = panel.bound === panel.bytes, label = same ? `arena ${byteText(panel.bytes)} = most alive at once` : `arena ${byteText(panel.bytes)}`;
    this.chart.replaceChildren(s("svg", { width, height: HEIGHT, class: "ar-svg", role: "group", "aria-label": "Offsets in the arena, over the steps of the kernels" },
      ...gridOf(panel.bytes).map((v) => s("g", { class: "ar-grid" }, s("path", { d: `M${SIDE} ${Math.round(y(v)) + 0.5}H${width}` }), s("text", { x: SIDE - 6, y: y(v) + 4 }, byteText(v)))),
      s("text", { class: "ar-zero", x: SIDE - 6, y: HEIGHT - 1 }, "byte 0"),
      s("g", {}, ...this.heads()), s("g", {}, ...this.marks.map(({ mark }) => mark.element)),
      s("g", { class: "ar-names", "aria-hidden": "true" }, ...panel.blocks.map((b) => this.name(b, y)).filter((t) => t !== null)),
      s("path", { class: "ar-live", d: liveLine(panel, x, y) }),
      s("path", { class: "ar-floor", d: `M${SIDE} ${HEIGHT - 0.5}H${width}` })),
      this.veil, this.level(y(panel.bytes), label, "ar-size"), ...(same ? [] : [this.level(y(panel.bound), `most alive at once ${byteText(panel.bound)}`, "ar-bound")]), this.cursor);
  }

  /** A level across the picture, over what is yet to come. */
  private level(y: number, label: string, kind: string): HTMLElement {
    const line = h("div", { class: `ar-level ${kind}` }, h("span", {}, label));
    line.style.top = `${y}px`;
    line.style.left = `${SIDE}px`;
    line.style.width = `${this.width - SIDE}px`;
    return line;
  }

  private heads(): Element[] {
    this.kernels = this.panel.kernels.map(({ id, label, first, count }) => {
      const left = this.x(first) + 1, w = Math.max(2, this.x(first + count) - left - 1);
      const box = s("g", { "data-id": id }, s("rect", { x: left, y: 0.5, width: w, height: 20, rx: 4 }),
        monoWidth(label, 11) + 4 <= w ? s("text", { x: left + w / 2, y: 14.5 }, label) : null);
      return { mark: new Painted(box, "ar-kernel"), first, end: first + count };
    });
    return this.kernels.map((k) => k.mark.element);
  }

  private mark(place: Place, y: (bytes: number) => number): Painted {
    const left = this.x(place.first) + 0.5, top = y(place.offset + place.bytes);
    const rect = s("rect", { x: left, y: top + 0.5, width: Math.max(1, this.x(place.last + 1) - left - 0.5), height: Math.max(1, y(place.offset) - top - 1),
      "data-id": place.id, tabindex: -1, role: "img", "aria-label": `${place.name}: ${byteText(place.bytes)} at byte ${place.offset}` });
    return new Painted(rect, "ar-block stop");
  }

  /** The name of a block where there is room for it, else its first value. */
  private name(place: Place, y: (bytes: number) => number): SVGElement | null {
    const left = this.x(place.first) + 5, room = this.x(place.last + 1) - left - 2, high = y(place.offset) - y(place.offset + place.bytes);
    const text = [place.name, place.name.split(" ")[0]!].find((t) => monoWidth(t, 11) <= room);
    return high < 15 || text === undefined ? null : s("text", { x: left, y: (y(place.offset) + y(place.offset + place.bytes)) / 2 + 4 }, text);
  }
}

const totalOf = (live: string, panel: ArenaPanel): string => `${live} alive (dotted line) in an arena of ${byteText(panel.bytes)}`;
