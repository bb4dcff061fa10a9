import { describe, expect, it } from "vitest";
import { crosses, cutAt, type PartitionPanel, stateOf } from "../src/core/panels/partition";
import type { Scene } from "../src/core/scene";
import { mount } from "../src/views/mount";
import partitionJson from "./scenes/partition.json";

const scene = (): Scene => structuredClone(partitionJson) as unknown as Scene;
const panel = scene().panels![0] as PartitionPanel, forward = new Set(panel.forward.map((n) => n.id));
const node = (side: "forward" | "backward", name: string) => panel[side].find((n) => n.name === name)!;

describe("the cut", () => {
  it("is the last whose time has come", () => {
    expect(cutAt(panel, panel.cuts[0]!.at - 1)).toBeUndefined();
    expect(cutAt(panel, panel.cuts[1]!.at)).toEqual(panel.cuts[1]);
    expect(cutAt(panel, 999)).toEqual(panel.cuts.at(-1));
  });

  it("keeps less and computes more again from budget to budget", () => {
    const states = panel.cuts.map((cut) => panel.backward.filter((n) => stateOf(n, "backward", cut, forward) === "again").map((n) => n.name));
    expect(states).toEqual([[], ["tanh"], ["sin", "exp", "tanh"]]);
    const kept = panel.cuts.map((cut) => panel.forward.filter((n) => stateOf(n, "forward", cut, forward) === "kept").reduce((sum, n) => sum + n.bytes, 0));
    expect(kept).toEqual(panel.cuts.map((c) => c.bytes));
  });

  it("shows the two graphs whole before the first cut, without what is computed again", () => {
    expect(stateOf(node("forward", "tanh"), "forward", undefined, forward)).toBe("on");
    expect(stateOf(node("backward", "tanh"), "backward", undefined, forward)).toBe("");
    expect(stateOf(node("backward", "mul_3"), "backward", undefined, forward)).toBe("on");
  });

  it("is crossed by lines from what is kept to what reads it", () => {
    const read = panel.reads.find((r) => r.from.endsWith("/tanh"))!;
    expect(panel.cuts.map((cut) => crosses(read, cut))).toEqual([true, false, false]);
    expect(crosses(read, undefined)).toBe(false);
    for (const cut of panel.cuts) for (const id of cut.kept.ids) expect(panel.reads.some((r) => r.from === id && crosses(r, cut)), id).toBe(true);
  });
});

describe("the view", () => {
  it("marks what is kept and what is computed again at every step", () => {
    const host = document.createElement("div"), handle = mount(host, scene());
    const shown = (q: string) => [...host.shadowRoot!.querySelectorAll(q)].map((e) => e.getAttribute("data-id"));
    scene().steps.forEach((step, k) => {
      handle.seek(k);
      const cut = cutAt(panel, step.at!);
      expect(new Set(shown(".pt-forward.kept"))).toEqual(new Set(cut?.kept.ids ?? []));
      expect(host.shadowRoot!.querySelector(".pt-budget")!.textContent).toBe(cut ? `budget ${cut.budget === 1 ? 1 : cut.budget.toPrecision(3)}` : "");
    });
    handle.destroy();
  });

  it("drops the bytes of a name, which are told when it is pointed at, where there is no room for both", () => {
    const host = document.createElement("div");
    Object.defineProperty(host, "clientWidth", { value: 204 });
    const handle = mount(host, scene()), all = (q: string) => [...host.shadowRoot!.querySelectorAll(q)].map((e) => e.textContent);
    expect(all(".pt-size")).toEqual([]);
    expect(all(".pt-name")).toEqual(["forward", "backward", "cut"]);
    expect(host.shadowRoot!.querySelector("[data-id='g1/tanh']")!.getAttribute("aria-label")).toContain("KiB");
    handle.destroy();
  });

  it("lights a value in both columns with its line", () => {
    const host = document.createElement("div"), handle = mount(host, scene());
    handle.select("g1/tanh");
    const lit = [...host.shadowRoot!.querySelectorAll("[data-lit]")].map((e) => e.getAttribute("data-id"));
    expect(lit.filter((id) => id === "g1/tanh")).toHaveLength(2);
    expect(lit).toContain("l5");
    handle.destroy();
  });
});
