import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { frameAt } from "../src/core/fold";
import { type ListingPanel, variantAt } from "../src/core/panels/listing";
import { firstSpans, trafficAt, type TrafficPanel } from "../src/core/panels/traffic";
import { type Handle, mount } from "../src/views/mount";
import { fusion } from "./scenes";

const panel = fusion().panels!.find((p) => p.kind === "traffic") as TrafficPanel;
const code = fusion().panels!.find((p) => p.kind === "listing") as ListingPanel;
const names = (slots: { cell: { text: string }; gone: boolean }[], gone: boolean) => slots.filter((s) => s.gone === gone).map((s) => s.cell.text).join(" ");

describe("the traffic", () => {
  it("is counted launch by launch, op by op", () => {
    expect([0, 1, 2, 3].map((at) => trafficAt(panel, at).moved)).toEqual([0, 12_000, 24_000, 36_000]);
    expect(firstSpans(panel).spans.map((s) => [s.label, s.from, s.to])).toEqual([["K1", 0, 12_000], ["K2", 12_000, 24_000], ["K3", 24_000, 36_000]]);
    expect(trafficAt(panel, 3).stage).toBeNull();
  });

  it("loses two cells with every decision, and what is lost stands at the end", () => {
    const frames = [4, 5, 6].map((at) => trafficAt(panel, at));
    expect(frames.map((f) => f.stage!.bytes)).toEqual([28_000, 20_000, 20_000]);
    expect(frames.map((f) => names(f.slots, false))).toEqual(["A B C mul D mul add_1", "A B C D add_1", "A B C D add_1"]);
    expect(frames.map((f) => names(f.slots, true))).toEqual(["add add", "add add mul mul", "add add mul mul"]);
    expect(frames[1]!.spans).toEqual([{ id: "h:3", label: "K1", from: 0, to: 20_000 }]);
    for (const f of frames) expect(f.slots.reduce((x, s) => { expect(s.from).toBe(x); return x + s.cell.bytes; }, 0)).toBe(36_000);
  });
});

describe("the code", () => {
  it("is that of the stage, as long as the next has not come", () => {
    expect([0, 3, 4, 5, 6].map((at) => variantAt(code, at))).toEqual([0, 0, 1, 2, 2]);
    expect(code.stages.at(-1)!.rows.map((r) => r.text.trim())).toEqual(["for j in 1000:", "add = A[j] + B[j]", "mul = add * C[j]", "add_1[j] = D[j] + mul"]);
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
  const ids = (q: string) => all(q).map((e) => e.getAttribute("data-id"));
  beforeEach(() => { vi.useFakeTimers(); host = document.createElement("div"); document.body.append(host); view = mount(host, fusion()); });
  afterEach(() => { view.destroy(); host.remove(); vi.useRealTimers(); });

  it("puts a hull around every launch, and one around what has become one", () => {
    const hulls = [0, 1, 3, 4, 6].map((k) => { view.seek(k); return all(".hull.on text").map((t) => t.textContent).join(" "); });
    expect(hulls).toEqual(["", "K1", "K1 K2 K3", "K1 K2", "K1"]);
    expect([...frameAt(fusion().steps, 6).hulls.values()].map((h) => h.ids)).toEqual([["g1/add", "g1/mul", "g1/add_1", "t:add", "t:mul"]]);
  });

  it("shows what lies in a register, and takes it back when one goes back", () => {
    view.seek(6);
    expect(ids(".nodes .node.gone").sort()).toEqual(["t:add", "t:mul"]);
    expect(all(".nodes .node.gone .val").map((t) => t.textContent)).toEqual(["register", "register"]);
    view.seek(3);
    expect(ids(".nodes .node.gone")).toEqual([]);
    expect(all(".hulls .hull.on")).toHaveLength(3);
  });

  it("lights an op with its line, its value, its code, its kernel and its accesses", () => {
    view.seek(6);
    view.select("g1/mul");
    expect(new Set(ids("[data-lit]"))).toEqual(new Set(["g1/mul", "l3", "t:mul", "w:mul", "h:3", "x:3", "x:4", "x:5"]));
    view.select("l3");
    expect(new Set(ids("[data-lit]"))).toEqual(new Set(["l3", "g1/mul", "t:mul", "w:mul"]));
  });

  it("names the terms of the iron law that have moved", () => {
    const law = () => all(".tf-term").map((t) => [t.classList.contains("moved"), t.querySelector("output")!.textContent]);
    view.seek(3);
    expect(law()).toEqual([[false, "36,000 B"], [false, "3,000 FLOP"], [false, "3 launches"]]);
    view.seek(6);
    expect(law()).toEqual([[true, "36,000 → 20,000 B"], [false, "3,000 FLOP"], [true, "3 → 1 launch"]]);
  });

  it("has as many lines at every step, one variant of which can be seen and reached", () => {
    for (let k = 0; k < view.steps; k++) {
      view.seek(k);
      expect(all(".ls-variant.on")).toHaveLength(1);
      expect(all(".ls-row.stop").every((row) => row.parentElement!.classList.contains("on"))).toBe(true);
    }
    expect(all(".ls-row.stop")).toHaveLength(3);
  });

  it("looks as it did when it was reviewed", async () => {
    for (const [step, name] of [[3, "op-by-op"], [4, "one-decision"], [6, "schedule"]] as const) {
      view.seek(step);
      const pictures = all(".graph svg:not(.actors), .tf-svg").map((svg) => svg.outerHTML.replaceAll("><", ">\n<"));
      await expect(`${pictures.join("\n\n")}\n`).toMatchFileSnapshot(`pictures/fusion-${name}.svg.txt`);
    }
  });
});
