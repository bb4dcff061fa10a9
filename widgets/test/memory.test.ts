import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Axis, axisOf } from "../src/core/axis";
import { alive, type Block, columnsOf, edgesOf, gridOf, layersOf, liveAt, type MemoryPanel, outline, plateau, spansOf } from "../src/core/panels/memory";
import type { Scene } from "../src/core/scene";
import { type Handle, mount } from "../src/views/mount";
import { lab, memory, step } from "./scenes";

const block = (id: string, bytes: number, born: number, died: number | null, group = 0): Block => ({ id, name: id, bytes, group, born, died });
/** a is there before; b is born at 2 and dies at 6; c is born at 5, while b lives. */
const BLOCKS = [block("a", 10, -1, null), block("b", 4, 2, 6, 1), block("c", 3, 5, null, 1)];
const ATS = [0, 3, 7, 9];

describe("the axis", () => {
  it("says in which step an event falls, and up to which step a time goes", () => {
    const axis = new Axis([2, 5, 5, 9]);
    expect([-1, 2, 3, 5, 6, 9, 99].map((at) => axis.column(at))).toEqual([0, 0, 1, 1, 3, 3, 3]);
    expect([0, 2, 4, 5, 8, 9, 99].map((at) => axis.upTo(at))).toEqual([0, 0, 0, 2, 2, 3, 3]);
    expect(axisOf([step("x"), step("y", { at: 7 })]).ats).toEqual([0, 7]);
  });
});

describe("the stack", () => {
  it("shows each step at its fullest moment", () => {
    expect(columnsOf(BLOCKS, ATS)).toEqual([{ at: -1, bytes: 10 }, { at: 2, bytes: 14 }, { at: 5, bytes: 17 }, { at: 9, bytes: 13 }]);
  });

  it("puts a block on what is under it, as long as it lives", () => {
    const layers = layersOf(BLOCKS, columnsOf(BLOCKS, ATS), "group");
    expect(layers.map(({ id, first, low, high }) => ({ id, first, low, high }))).toEqual([
      { id: "a", first: 0, low: [0, 0, 0, 0], high: [10, 10, 10, 10] },
      { id: "b", first: 1, low: [10, 10], high: [14, 14] },
      { id: "c", first: 2, low: [14, 10], high: [17, 13] },
    ]);
    expect(outline(layers[1]!, (k) => 10 * k, (b) => 20 - b)).toBe("M10 6L30 6L30 10L10 10z");
    expect(plateau(layers[2]!)).toEqual({ first: 2, count: 1, low: 14, high: 17 });
  });

  it("never loses a byte: the top of every column is what is alive", () => {
    const columns = columnsOf(BLOCKS, ATS);
    for (const most of [0, 1, 2, 400]) {
      const layers = layersOf(BLOCKS, columns, "group", most);
      columns.forEach((c, k) => expect(Math.max(...layers.map((l) => l.high[k - l.first] ?? 0))).toBe(c.bytes));
    }
  });

  it("draws ten thousand blocks as few", () => {
    const many = Array.from({ length: 10_000 }, (_, k) => block(`b${k}`, 1 + (k % 7), k, k + 20, k % 5));
    const layers = layersOf(many, columnsOf(many, Array.from({ length: 500 }, (_, k) => 20 * k)), "group");
    expect(layers.length).toBeLessThanOrEqual(165); // over 500 columns
  });

  it("adds up what is alive, by group", () => {
    expect(liveAt(BLOCKS, 5, 2, "group")).toEqual([10, 7]);
    expect(BLOCKS.map((b) => alive(b, 6))).toEqual([true, false, true]);
  });

  it("can give each step the width of the bytes that it allocates", () => {
    expect(edgesOf(BLOCKS, ATS, "steps")).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(edgesOf(BLOCKS, ATS, "bytes").map((x) => Math.round(7 * x))).toEqual([0, 0, 4, 7, 7]);
  });

  it("draws a few round lines", () => {
    expect(gridOf(1_795_672)).toEqual([1024 * 1024]);
    expect(gridOf(1000)).toEqual([500]);
    expect(gridOf(600 * 1024)).toEqual([200 * 1024, 400 * 1024]);
  });

  it("gives a tick the columns up to the next", () => {
    const ticks = [{ at: 2, op: "o1", label: "mul" }, { at: 5, op: "o2", label: "add" }];
    expect(spansOf(ticks, (at) => new Axis([2, 3, 5, 9]).column(at), 4).map(({ first, end }) => [first, end])).toEqual([[0, 2], [2, 3]]);
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const $ = <E extends Element = HTMLElement>(q: string): E => host.shadowRoot!.querySelector<E>(q)!;
  const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
  const show = (scene: Scene) => { host = document.createElement("div"); document.body.append(host); view = mount(host, scene); };
  const panel = (scene: Scene) => scene.panels!.find((p) => p.kind === "memory") as MemoryPanel;
  beforeEach(() => { vi.useFakeTimers(); });
  afterEach(() => { view.destroy(); host.remove(); vi.useRealTimers(); });

  it("says at every step the bytes that its sentence says", () => {
    const scene = memory();
    show(scene);
    scene.steps.forEach((s, k) => {
      const told = /Alive: ([\d,.]+\s\S+)\.$/.exec(s.say)?.[1];
      view.seek(k);
      if (told) expect($(".mem-total").textContent).toBe(`${told} alive`);
    });
    expect($(".mem-note").textContent).toBe("Pale is still to come. add′ is the rule of add, in the walk back.");
    expect($(".mem-peak").textContent).toBe("Peak 1,795,672 B = 814,120 B of parameters, 814,120 B of gradients, 100,608 B of inputs, 34,052 B of activations and 32,772 B of temporaries.");
  });

  it("lights the line, the op and the tensor of a block, and the other way round", () => {
    show(lab());
    const id = panel(lab()).blocks.find((b) => b.name === "h")!.id;
    view.select(id);
    const lit = () => new Set(all("[data-lit]").map((e) => e.getAttribute("data-id")));
    expect([...lit()]).toEqual(expect.arrayContaining([id, "l1"]));
    const op = [...lit()].find((e) => /^o\d/.test(e!))!;
    view.select(op);
    expect([...lit()]).toEqual(expect.arrayContaining([id, op]));
    expect($(".strip").textContent).toContain("relu");
  });

  it("stacks by owner when asked, and its parts are found again", () => {
    show(memory());
    (all(".choice").find((b) => b.textContent === "owner") as HTMLElement).click();
    expect(all(".mem-table dt").map((e) => e.textContent)).toContain("W1");
    view.select(panel(memory()).blocks.find((b) => b.name === "W1")!.id);
    expect(all(".mem-svg [data-lit]").length).toBeGreaterThan(0);
  });

  it("is walked over with ↑ and ↓, and searched by name", () => {
    show(memory());
    const key = (k: string, on: Element = $(".box")) => on.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true, composed: true, cancelable: true }));
    expect(all("[tabindex='0'].stop")).toHaveLength(1);
    key("ArrowDown");
    expect(host.shadowRoot!.activeElement?.getAttribute("data-id")).toBe(panel(memory()).blocks.find((b) => b.name === "W1")!.id);
    key("/");
    const field = $<HTMLInputElement>(".find input");
    field.value = "W1.g";
    field.dispatchEvent(new Event("input"));
    expect(all(".find [role=option] code").map((e) => e.textContent)).toEqual(["W1.grad"]);
  });

  it("shares the time on one clock, and only there", () => {
    show(memory());
    const others = ["a", "a", "b"].map((clock) => { const e = document.createElement("div"); return mount(e, memory(), { clock }); });
    others[0]!.seek(5);
    expect([others[1]!.step, others[2]!.step, view.step]).toEqual([5, 0, 0]);
    others.forEach((o) => o.destroy());
  });

  it("shows where the name of an op is cut", () => {
    show(memory());
    const heads = all(".mem-head-op text").map((e) => e.textContent!);
    const whole = panel(memory()).ticks!.map((t) => t.label);
    expect(heads.length).toBeGreaterThan(0);
    for (const head of heads.filter((text) => text !== "" && !whole.includes(text))) expect(head).toContain("…");
    expect(heads.some((text) => text.includes("…"))).toBe(true);
  });

  it("keeps the peak from who is to predict it", () => {
    const scene = memory(), at = scene.steps.findIndex((step) => step.predict !== undefined);
    show(scene);
    const climbing = () => $(".mem").classList.contains("mem-climbing"), said = () => getComputedStyle($(".mem-peak")).visibility !== "hidden";
    expect([climbing(), said()]).toEqual([true, true]); // who only looks may know
    $<HTMLElement>(".toggle.predict").click();
    view.seek(at - 1);
    expect(said()).toBe(false);
    expect(getComputedStyle($(".strip")).visibility).not.toBe("hidden");
    $(".box").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true, composed: true, cancelable: true }));
    expect([view.step, said()]).toEqual([at, false]);
    expect($(".say").textContent).toMatch(/Here is the peak: +BShow$/); // bytes are asked for
    expect(getComputedStyle($(".strip")).visibility).toBe("hidden"); // its facts might tell
    $<HTMLElement>(".show").click();
    expect([climbing(), said()]).toEqual([false, true]);
  });
});
