import { describe, expect, it } from "vitest";
import { advance, emptyFrame, frameAt, touched } from "../src/core/fold";
import { forkOf, nextPhase, phasesOf, previousPhase } from "../src/core/phases";
import { chain, example, step } from "./scenes";

describe("fold", () => {
  const { steps, wrong } = example();

  it("starts with nothing but ghosts", () => {
    const f = frameAt(steps, 0);
    expect([f.values.size, f.pins.size, f.sends.size, f.sums.size]).toEqual([0, 0, 0, 0]);
  });

  it("adds both partial adjoints at v2 and fills the tray", () => {
    expect(frameAt(steps, 7).sums.get("v2")).toMatchObject({ text: "3 + ?", state: "wait" });
    expect(frameAt(steps, 10).sums.get("v2")).toMatchObject({ text: "3 + 2 = 5", state: "ok" });
    expect(frameAt(steps, 13).sums.get("v1")?.text).toBe("10");
  });

  it("pins, and frees when the op has run backward", () => {
    expect(frameAt(steps, 4).pins.get("p:mul:v2")).toBe("on");
    expect(frameAt(steps, 7).pins.get("p:mul:v2")).toBe("freed");
    expect(frameAt(steps, 7).pins.get("p:exp:v2")).toBe("on");
  });

  it("pushes tangents forward, and clears them before the next pass", () => {
    const pass = [
      step("x moves", { events: [{ type: "sum", id: "x", text: "1", state: "tangent" }] }),
      step("sin", { focus: ["sin"], events: [{ type: "push", edge: "x>sin", value: "0.5" }] }),
      step("again", { events: [{ type: "clear", ids: ["x>sin", "x"] }] }),
    ];
    expect(frameAt(pass, 1).pushes.get("x>sin")).toBe("0.5");
    expect(touched(pass[1]!)).toEqual(new Set(["sin", "x>sin"]));
    expect([frameAt(pass, 2).pushes.size, frameAt(pass, 2).sums.size]).toEqual([0, 0]);
  });

  it("marks what has hooks, and the one that fires", () => {
    const fired = step("fires", { events: [{ type: "hook", id: "y", text: "hook: 10 → 1" }] });
    const f = frameAt([step("begins", { events: [{ type: "hooked", id: "y" }] }), fired], 1);
    expect([f.hooked.has("y"), f.hooks.get("y")]).toEqual([true, "hook: 10 → 1"]);
    expect(touched(fired).has("hook:y")).toBe(true);
  });

  it("lets what is not kept fade, and brings it back", () => {
    const gone = [step("gone", { events: [{ type: "fade", ids: ["a", "sin"] }] }), step("back", { events: [{ type: "return", ids: ["a"] }] })];
    expect([...frameAt(gone, 0).faded]).toEqual(["a", "sin"]);
    expect([...frameAt(gone, 1).faded]).toEqual(["sin"]);
  });

  it("is the same whether folded at once or step by step", () => {
    const f = emptyFrame();
    for (let i = 0; i < steps.length; i++) expect(advance(f, steps, i)).toEqual(frameAt(steps, i));
  });

  it("keeps a wrong number with the right one beside it", () => {
    expect(frameAt(wrong!.steps, wrong!.steps.length - 1).sums.get("v1")).toMatchObject({ text: "6", right: "10", state: "wrong" });
  });

  it("folds writes, stale pins, hooks and refusals", () => {
    const f = frameAt(example("inplace").steps, 8);
    expect([f.values.get("y"), f.versions.get("y"), f.pins.get("p:sq:y"), f.hooks.get("z")]).toEqual(["[0, 0]", 1, "stale", "hook: × 2"]);
    expect(f.refused.has("sq")).toBe(true);
  });

  it("clears sends and sums", () => {
    const f = frameAt([...steps, { ...steps[0]!, events: [{ type: "clear", ids: ["v2>mul", "v2"] }] }], steps.length);
    expect([f.sends.has("v2>mul"), f.sums.has("v2"), f.sends.has("v2>add")]).toEqual([false, false, true]);
  });

  it("names what a step touches", () => {
    expect(touched(steps[7]!)).toEqual(new Set(["mul", "p:mul:v3", "v2>mul"]));
  });

  it("folds a thousand steps in a few milliseconds", () => {
    const long = chain(1000).steps, start = performance.now();
    for (let k = 0; k < 10; k++) frameAt(long, 1000);
    expect((performance.now() - start) / 10).toBeLessThan(8);
  });
});

describe("phases", () => {
  const { steps, wrong } = example(), spans = phasesOf(steps);

  it("groups steps", () => {
    expect(spans.map((s) => [s.phase, s.first, s.count])).toEqual([["start", 0, 1], ["forward", 1, 4], ["backward", 5, 9]]);
  });

  it("moves to the next and the previous phase, and stays inside", () => {
    expect([nextPhase(spans, 0), nextPhase(spans, 2), nextPhase(spans, 9)]).toEqual([1, 5, 13]);
    expect([previousPhase(spans, 9), previousPhase(spans, 5), previousPhase(spans, 0)]).toEqual([5, 1, 0]);
  });

  it("finds where the wrong walk leaves the right one", () => {
    expect(forkOf(steps, wrong!.steps)).toBe(8);
  });
});
