import { describe, expect, it } from "vitest";
import { type BytecodePanel, machineAt, roomOf, slotsOf } from "../src/core/panels/bytecode";
import { captureAt, come, cutState, type PiecesPanel } from "../src/core/panels/pieces";
import { guardState, type GuardsPanel } from "../src/core/panels/guards";
import type { Scene } from "../src/core/scene";
import { mount } from "../src/views/mount";
import captureJson from "./scenes/capture.json";

const capture = (): Scene => structuredClone(captureJson) as unknown as Scene;
const [machine, graphs, guards] = capture().panels as [BytecodePanel, PiecesPanel, GuardsPanel];
const stepWith = (text: string) => capture().steps.findIndex((s) => s.say.includes(text));

describe("the machine", () => {
  it("stands where the last stage put it", () => {
    expect(machineAt(machine, -1)).toBeUndefined();
    expect(machineAt(machine, 0)!.op).toBeNull();
    expect(machineAt(machine, 999)).toEqual(machine.stages.at(-1));
  });

  it("has the op on top of the stack once the op has entered the graph", () => {
    const at = stepWith("`add: f32[3] = add(x, 1)` enters the graph"), stage = machineAt(machine, at)!;
    expect(stage.stack.map((t) => machine.things[t]!.text)).toEqual(["add"]);
    const row = machine.codes[stage.code]!.rows.find((r) => r.id === stage.op)!;
    expect(`${row.name} ${row.arg}`).toBe("BINARY_OP +");
  });

  it("keeps room for the deepest stack, the topmost first, and drops the lowest where there is no room", () => {
    expect(roomOf(machine).stack).toBe(Math.max(...machine.stages.map((s) => s.stack.length)));
    expect(roomOf(machine, 2).stack).toBe(2);
    expect(slotsOf([1, 2, 3], 4)).toEqual([null, 3, 2, 1]);
    expect(slotsOf([1, 2, 3], 2)).toEqual([3, 2]);
  });
});

describe("the graphs", () => {
  const [first, second] = graphs.captures, cut = first!.pieces[0]!.cut!, broken = stepWith("Graph break"), failed = stepWith("Guard failed");

  it("come with their step, ops before the break and the continuation after it", () => {
    expect(cut.at).toBe(broken);
    expect(cutState(cut, broken - 1)).toBe("");
    expect(cutState(cut, broken)).toBe("on");
    expect(cutState(cut, broken + 1)).toBe("on ran");
    expect(first!.pieces[0]!.rows.map((r) => come(r.at, broken))).toEqual(["on"]);
    expect(come(first!.pieces[1]!.at, broken + 1)).toBe("");
    expect(come(first!.pieces[1]!.at, broken + 2)).toBe("on");
  });

  it("are those of the second capture after the guard has failed", () => {
    expect([captureAt(graphs, failed - 1), captureAt(graphs, failed + 1)]).toEqual([0, 1]);
    expect(second!.label).toContain("shape (3,), now (5,)");
  });

  it("let a guard hold until a call comes for which it fails", () => {
    const guard = guards.rows.find((g) => g.died !== undefined)!;
    expect(guard.subject).toBe("x");
    expect([guard.born - 1, guard.born, failed - 1, failed].map((now) => guardState(guard, now))).toEqual(["", "on", "on", "failed"]);
  });
});

describe("the view", () => {
  const shown = (host: HTMLElement, q: string) => [...host.shadowRoot!.querySelectorAll(q)].map((e) => e.getAttribute("data-id"));

  it("marks the instruction of every step, and lights line, instruction and op together", () => {
    const host = document.createElement("div"), scene = capture(), handle = mount(host, scene);
    scene.steps.forEach((step, k) => {
      handle.seek(k);
      const op = machineAt(machine, step.at!)!.op;
      expect(shown(host, ".bc-row.now")).toEqual(op === null ? [] : [op]);
    });
    const op = machine.codes[0]!.rows.find((r) => r.name === "BINARY_OP")!.id;
    handle.select("g1/add");
    expect(new Set(shown(host, "[data-lit]"))).toEqual(new Set(["g1/add", op, "l2"]));
    handle.destroy();
  });

  it("shows what is on the stack, and a thing that is gone no more", () => {
    const host = document.createElement("div"), handle = mount(host, capture(), { step: stepWith("puts 'middle' on the stack") });
    const texts = () => [...host.shadowRoot!.querySelectorAll(".bc-slot .bc-thing")].map((e) => e.textContent);
    expect(texts()).toEqual(["'middle'", "print", "NULL"]);
    handle.seek(stepWith("from now on it is called `y`"));
    expect(texts()).toEqual([]);
    handle.destroy();
  });

  it("finds instructions, graphs, breaks and guards", () => {
    const host = document.createElement("div"), handle = mount(host, capture());
    for (const id of ["c:3", "g1/add", "b1", "q2"]) {
      handle.select(id);
      expect(shown(host, "[data-lit]")).toContain(id);
    }
    handle.destroy();
  });
});
