import { numberText } from "../../core/bytes";
import { type Block, doneAt, fetchedAt, type TilingPanel, tilingAt } from "../../core/panels/tiling";
import type { Hit } from "../../core/search";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import type { Now, PanelView } from "../panel";

const GAP = 24, NAME = 18, LARGEST = 8, BESIDE = 300;

/** A at the left, B on top, C where they meet; the tile of the moment, what it needs, and what each way has fetched. */
export class TilingView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "ti-chart" });
  private readonly bars: { row: Painted; bar: HTMLElement; number: HTMLElement }[];
  private readonly moving = { a: s("g", {}), b: s("g", {}), c: s("g", {}) };
  private unit = 1;

  constructor(private readonly panel: TilingPanel) {
    super();
    this.bars = panel.ways.map((way) => {
      const bar = h("i", {}), number = h("output", {});
      const row = h("div", { "data-id": way.id, tabindex: -1, role: "group", "aria-label": `${way.label}: ${numberText(way.total)} fetched` }, h("span", {}, way.label), number, h("div", { class: "ti-track" }, bar));
      return { row: new Painted(row, "ti-way stop"), bar, number };
    });
    const floor = h("div", { class: "ti-floor" }, h("span", {}, "each number once"), h("output", {}, numberText(panel.floor)), h("div", { class: "ti-track" }, h("i", {})));
    (floor.querySelector("i") as HTMLElement).style.width = `${(100 * panel.floor) / this.most}%`;
    this.element = h("section", { class: "ti", "aria-label": panel.label }, this.chart,
      h("div", { class: "ti-ways", role: "group", "aria-label": panel.label }, h("p", { class: "panel-name" }, panel.label), ...this.bars.map((b) => b.row.element), floor));
  }

  protected paint(now: Now): void {
    const { panel, unit: u } = this, stage = tilingAt(panel, now.at), { done, now: current } = doneAt(panel, stage), sums = fetchedAt(panel, now.at);
    const parts: SVGElement[][] = [[], []];
    for (const kind of ["held", "found", "fetched"] as const) for (const block of stage?.[kind] ?? []) parts[block.in === "a" ? 0 : 1]!.push(this.box(block, `ti-${kind}`));
    this.moving.a.replaceChildren(...parts[0]!);
    this.moving.b.replaceChildren(...parts[1]!);
    this.moving.c.replaceChildren(...done.map((b) => this.box(b, "ti-done")), ...(current ? [this.box(current, "ti-current", Math.min(1.5, u / 4))] : []));
    this.bars.forEach(({ row, bar, number }, k) => {
      const sum = sums[k] ?? null, way = panel.ways[k]!;
      number.textContent = sum === null ? "?" : numberText(sum);
      bar.style.width = `${(100 * (sum ?? 0)) / this.most}%`;
      row.state((sum === null ? "" : "on") + (stage?.of === way.id && now.touched.size < 3 ? " now" : ""));
    });
  }

  hits(): Hit[] {
    return this.panel.ways.map((way) => ({ id: way.id, label: way.label, kind: numberText(way.total) }));
  }

  private get most(): number { return Math.max(1, ...this.panel.ways.map((way) => way.total)); }

  private box({ row, column, rows, columns }: Omit<Block, "in">, name: string, out = 0): SVGElement {
    const u = this.unit;
    return s("rect", { class: name, x: column * u - out, y: row * u - out, width: columns * u + 2 * out, height: rows * u + 2 * out });
  }

  protected build(): void {
    const { panel, width } = this, { m, n, k } = panel, beside = width >= 720;
    this.element.classList.toggle("ti-beside", beside);
    const room = width - (beside ? BESIDE + 24 : 0) - GAP - 2;
    this.unit = Math.max(0.5, Math.min(LARGEST, Math.floor((10 * room) / (k + n)) / 10));
    const u = this.unit, left = k * u + GAP, top = k * u + GAP + NAME, tile = panel.ways.at(-1) ?? { rows: 1, columns: 1 }, deep = Math.max(tile.rows, tile.columns);
    const matrix = (name: string, x: number, y: number, rows: number, columns: number, high: number, wide: number, inside: SVGElement) => {
      const lines = [...Array(Math.ceil(rows / high) - 1).keys()].map((i) => `M0 ${(i + 1) * high * u}h${columns * u}`).join("") + [...Array(Math.ceil(columns / wide) - 1).keys()].map((j) => `M${(j + 1) * wide * u} 0v${rows * u}`).join("");
      return s("g", { transform: `translate(${x} ${y})`, "data-id": `u:${name}`, class: "ti-matrix" }, s("text", { x: 0, y: -5 }, `${name} (${rows}, ${columns})`), s("rect", { class: "ti-ground", width: columns * u, height: rows * u }),
        s("path", { class: "ti-lines", d: lines }), inside);
    };
    const dots = s("pattern", { id: "ti-dots", width: 4, height: 4, patternUnits: "userSpaceOnUse", class: "ti-dots" }, s("rect", { width: 4, height: 4 }), s("path", { d: "M1 1h1" }));
    const hatch = s("pattern", { id: "ti-hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", class: "ti-hatch" }, s("rect", { width: 6, height: 6 }), s("path", { d: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5" }));
    this.chart.replaceChildren(s("svg", { width: left + n * u + 2, height: top + m * u + 4, class: "ti-svg", role: "img", "aria-label": "A, B and their product C" }, s("defs", {}, dots, hatch),
      matrix("A", 1, top, m, k, tile.rows, deep, this.moving.a), matrix("B", left, NAME, k, n, deep, tile.columns, this.moving.b), matrix("C", left, top, m, n, tile.rows, tile.columns, this.moving.c)));
  }
}
