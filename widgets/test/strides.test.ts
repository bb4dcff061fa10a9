import { describe, expect, it } from "vitest";
import { pathOf, placeOf, stageAt, type StridesPanel } from "../src/core/panels/strides";
import { mount } from "../src/views/mount";
import { strides } from "./scenes";

const panel = strides().panels![0] as StridesPanel;
const view = (name: string) => panel.views.find((v) => v.label === name)!;

describe("the picture", () => {
  it("leads every index to offset + Σ index · stride", () => {
    for (const v of panel.views) for (const c of v.cells) {
      const address = c.index.reduce((sum, i, k) => sum + i * v.strides[k]!, v.offset);
      expect(c.to).toBe(`a:${v.memory}:${address}`);
      expect(panel.memories[v.memory]!.cells[address]!.text).toBe(c.text);
    }
  });

  it("reads column order in jumps, and a broadcast column again and again", () => {
    const addresses = (name: string) => pathOf(view(name), view(name).cells.at(-1)!.id).map((a) => Number(a.split(":")[2]));
    expect(addresses("x")).toEqual([0, 1, 2, 3, 4, 5]);
    expect(addresses("x.T")).toEqual([0, 3, 1, 4, 2, 5]);
    expect(addresses("wide")).toEqual([1, 1, 1, 4, 4, 4]);
  });

  it("puts three dimensions into grids one under the other", () => {
    const deep = { ...view("x"), shape: [2, 2, 3], strides: [6, 3, 1] };
    expect(placeOf(deep, [1, 1, 2])).toEqual({ row: 3.4, column: 2 });
  });

  it("is at a stage as long as the next has not begun", () => {
    expect(stageAt(panel, -1)).toBeUndefined();
    expect(stageAt(panel, 0)).toEqual(panel.stages[0]);
    expect(stageAt(panel, 999)).toEqual(panel.stages.at(-1));
  });

  it("marks index and address of every step, and links an address with all its indices", () => {
    const host = document.createElement("div"), scene = strides();
    const handle = mount(host, scene);
    const all = (q: string) => [...host.shadowRoot!.querySelectorAll(q)].map((e) => e.getAttribute("data-id"));
    scene.steps.forEach((step, k) => {
      handle.seek(k);
      if (step.focus.length === 3) expect(new Set(all(".st-cell.now"))).toEqual(new Set([step.focus[0], step.focus[2]]));
    });
    handle.select("a:0:1");
    expect(all("[data-lit]")).toEqual(["v:0:0.1", "v:1:1.0", "v:2:0.0", "v:3:0.0", "v:3:0.1", "v:3:0.2", "a:0:1"].sort((a, b) => all("[data-lit]").indexOf(a) - all("[data-lit]").indexOf(b)));
    handle.destroy();
  });
});
