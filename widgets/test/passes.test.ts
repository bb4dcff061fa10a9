import { describe, expect, it } from "vitest";
import { difference, measureAt, passAt, type PassesPanel, rowState, textsAt } from "../src/core/panels/passes";
import type { Scene } from "../src/core/scene";
import { mount } from "../src/views/mount";
import pipelineJson from "./scenes/pipeline.json";

const scene = (): Scene => structuredClone(pipelineJson) as unknown as Scene;
const panel = scene().panels![0] as PassesPanel;
const row = (name: string) => panel.rows.find((r) => r.id === `g1/${name}`)!;
const time = (name: string) => panel.stages.find((s) => s.name === name)!.at;

describe("the rows", () => {
  it("are removed by one pass and gone after it", () => {
    const at = time("simplify");
    expect([0, at, at + 1].map((now) => rowState(row("mul"), now))).toEqual(["same", "removed", "gone"]);
  });

  it("are changed by one pass and the same before and after it", () => {
    const at = time("cse");
    expect([at - 1, at, at + 1].map((now) => rowState(row("div"), now))).toEqual(["same", "changed", "same"]);
    expect(textsAt(row("div"), at)).toEqual({ before: "div: f32[1024] = div(exp_1, 2)", now: "div: f32[1024] = div(exp, 2)" });
  });

  it("come with the pass that adds them", () => {
    const added = { id: "g1/new", born: 2, texts: [{ at: 2, text: "new" }] };
    expect([1, 2, 3].map((now) => rowState(added, now))).toEqual(["", "added", "same"]);
  });

  it("differ by whole words", () => {
    expect(difference("div(exp_1, 2)", "div(exp, 2)")).toEqual({ head: "div(", gone: "exp_1", come: "exp", tail: ", 2)" });
    expect(difference("f(a, a)", "f(a)")).toEqual({ head: "f(a", gone: ", a", come: "", tail: ")" });
    expect(difference("same", "same")).toEqual({ head: "same", gone: "", come: "", tail: "" });
  });

  it("are at the pass whose time has come, and so is the cost", () => {
    expect(passAt(panel, 0)).toBeUndefined();
    expect(passAt(panel, 999)).toBe(panel.stages.at(-1)!.at);
    expect(measureAt(panel, 0)).toEqual(panel.before);
    expect(measureAt(panel, 999).ops).toBe(panel.rows.filter((r) => r.died === undefined && r.texts[0]!.text.includes(" = ")).length);
  });
});

describe("the view", () => {
  it("marks what the pass of every step did, and no more", () => {
    const host = document.createElement("div"), handle = mount(host, scene());
    const shown = (q: string) => [...host.shadowRoot!.querySelectorAll(q)].map((e) => e.getAttribute("data-id"));
    scene().steps.forEach((step, k) => {
      handle.seek(k);
      const touched = step.focus.filter((id) => !id.startsWith("q:"));
      expect(new Set([...shown(".ps-row.removed"), ...shown(".ps-row.added"), ...shown(".ps-row.changed")])).toEqual(new Set(touched));
      expect(shown(".ps-pass.now")).toEqual(step.focus.filter((id) => id.startsWith("q:")));
    });
    handle.destroy();
  });

  it("shows what a changed line was", () => {
    const host = document.createElement("div"), handle = mount(host, scene(), { step: time("cse") });
    const line = host.shadowRoot!.querySelector(".ps-row.changed")!;
    expect([line.querySelector("del")!.textContent, line.querySelector("ins")!.textContent]).toEqual(["exp_1", "exp"]);
    handle.destroy();
  });
});
