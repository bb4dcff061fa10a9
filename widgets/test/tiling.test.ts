import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Block, doneAt, fetchedAt, type TilingPanel, tilingAt } from "../src/core/panels/tiling";
import { type Handle, mount } from "../src/views/mount";
import { tiling } from "./scenes";

const panel = tiling().panels!.find((p) => p.kind === "tiling") as TilingPanel;
const entries = (blocks: readonly Omit<Block, "in">[]) => blocks.reduce((n, b) => n + b.rows * b.columns, 0);

describe("the picture", () => {
  it("counts what each way has fetched, and keeps the totals of those before", () => {
    expect(fetchedAt(panel, 0)).toEqual([null, null, null, null, null]);
    expect(fetchedAt(panel, 5)).toEqual([65_536, 1_088, null, null, null]);
    expect(fetchedAt(panel, 28)).toEqual(panel.ways.map((w) => w.total));
  });

  it("fills the tiles that are done, in the order of the way", () => {
    expect(doneAt(panel, tilingAt(panel, 0))).toEqual({ done: [], now: null });
    expect(doneAt(panel, tilingAt(panel, 5)).now).toEqual({ row: 0, column: 16, rows: 1, columns: 16 });
    const grouped = doneAt(panel, tilingAt(panel, 23)); // eight tiles, four rows of them
    expect(grouped.done.map((b) => [b.row / 4, b.column / 4])).toEqual([[0, 0], [1, 0], [2, 0], [3, 0], [0, 1], [1, 1], [2, 1], [3, 1]]);
    expect(entries(doneAt(panel, tilingAt(panel, 27)).done)).toBe(1024);
  });

  it("needs four rows and four columns for every tile, fetched or found", () => {
    for (let at = 10; at < 28; at++) {
      const stage = tilingAt(panel, at)!;
      expect(entries([...stage.fetched!, ...stage.found!])).toBe(256);
      expect(stage.held!.length).toBeLessThanOrEqual(48);
    }
  });

  it("cuts the tiles at the border", () => {
    const small = { ...panel, m: 3, n: 5, ways: [{ id: "z:0", label: "", rows: 2, columns: 2, count: 6, tiles: [[1, 2]] as [number, number][], total: 1 }] };
    expect(doneAt(small, { at: 0, of: "z:0", done: 1 }).now).toEqual({ row: 2, column: 4, rows: 1, columns: 1 });
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
  beforeEach(() => { vi.useFakeTimers(); host = document.createElement("div"); document.body.append(host); view = mount(host, tiling()); });
  afterEach(() => { view.destroy(); host.remove(); vi.useRealTimers(); });

  it("shows a question mark until a way has begun", () => {
    const numbers = () => all(".ti-way output").map((o) => o.textContent);
    expect(numbers()).toEqual(["?", "?", "?", "?", "?"]);
    view.seek(9);
    expect(numbers()).toEqual(["65,536", "34,816", "16,384", "?", "?"]);
    expect(all(".ti-way.now").map((w) => w.getAttribute("data-id"))).toEqual(["z:2"]);
  });

  it("draws what is fetched, found and held", () => {
    view.seek(12);
    expect([".ti-fetched", ".ti-found", ".ti-held"].map((q) => all(`.ti-svg ${q}`).length)).toEqual([8, 8, 48]);
    view.select("z:4");
    expect(all("[data-lit]").map((e) => e.getAttribute("data-id"))).toContain("z:4");
  });

  it("looks as it did when it was reviewed", async () => {
    for (const [step, name] of [[5, "one-by-sixteen"], [23, "grouped"]] as const) {
      view.seek(step);
      await expect(`${all(".ti-svg")[0]!.outerHTML.replaceAll("><", ">\n<")}\n`).toMatchFileSnapshot(`pictures/tiling-${name}.svg.txt`);
    }
  });
});
