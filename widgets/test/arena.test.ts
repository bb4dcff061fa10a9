import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ArenaPanel, columnAt, liveLine, stateOf } from "../src/core/panels/arena";
import { type Handle, mount } from "../src/views/mount";
import { arena } from "./scenes";

const panel = arena().panels!.find((p) => p.kind === "arena") as ArenaPanel;

describe("the plan at a time", () => {
  it("stands at the last column that is over", () => {
    const { stages } = panel;
    expect(columnAt(panel, stages[0]!.at - 0.01)).toBe(-1);
    expect(stages.map((s) => columnAt(panel, s.at))).toEqual(stages.map((s) => s.column));
    expect(columnAt(panel, 1e9)).toBe(stages.at(-1)!.column);
  });

  it("says of a place whether it is ahead, there or gone", () => {
    const place = { id: "a", name: "a", bytes: 8, offset: 0, first: 2, last: 3 };
    expect([1, 2, 3, 4].map((k) => stateOf(place, k))).toEqual(["ahead", "there", "there", "gone"]);
  });

  it("draws what is alive as steps", () => {
    const two = { ...panel, columns: [{ label: "x", live: 10 }, { label: "y", live: 30 }] };
    expect(liveLine(two, (k) => 10 * k, (b) => 100 - b)).toBe("M0 90H10V70H20");
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
  beforeEach(() => { host = document.createElement("div"); document.body.append(host); view = mount(host, arena()); });
  afterEach(() => { view.destroy(); host.remove(); });

  it("draws each place as a rectangle of its bytes, and nothing lies outside", () => {
    const rects = all(".ar-block");
    expect(rects.length).toBe(panel.blocks.length);
    for (const r of rects) expect(Number(r.getAttribute("y")) + Number(r.getAttribute("height"))).toBeLessThanOrEqual(260);
  });

  it("follows the step: what is taken is loud, what is over is a ghost", () => {
    view.seek(5);
    expect(all(".ar-block.now").map((e) => e.getAttribute("data-id"))).toEqual(["e2/a3"]);
    expect(all(".ar-block.gone").length).toBe(3);
    expect(all(".ar-total")[0]!.textContent).toContain("4\u2009KiB alive");
    expect(all(".ar-kernel.now").map((e) => e.getAttribute("data-id"))).toEqual(["e2"]);
  });

  it("lights a place with its line and its kernel, and the other way round", () => {
    view.select("e2/a3");
    expect(all("[data-lit]").map((e) => e.getAttribute("data-id"))).toEqual(expect.arrayContaining(["e2/a3", "e2", "l3"]));
    view.select("e1");
    expect(all(".ar-block[data-lit]").map((e) => e.getAttribute("data-id"))).toEqual(["e1/a0"]);
    view.select(null);
  });

  it("looks as it did when it was reviewed", async () => {
    view.seek(5);
    await expect(`${all(".ar-svg")[0]!.outerHTML.replaceAll("><", ">\n<")}\n`).toMatchFileSnapshot("pictures/arena.svg.txt");
  });
});
