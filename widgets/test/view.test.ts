import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Scene } from "../src/core/scene";
import { type Handle, mount, type Options } from "../src/views/mount";
import { example } from "./scenes";

let host: HTMLElement, view: Handle;
const $ = <E extends Element = HTMLElement>(q: string): E => host.shadowRoot!.querySelector<E>(q)!;
const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
const node = (id: string) => $<SVGElement>(`.node[data-id="${id}"]`);
const say = () => $(".say").textContent;
const key = (k: string, on: Element = $(".box")) => on.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true, composed: true, cancelable: true }));

function show(scene: Scene = example(), options: Options = {}): void {
  host = document.createElement("div");
  document.body.append(host);
  view = mount(host, scene, options);
}

beforeEach(() => { vi.useFakeTimers(); });
afterEach(() => { view.destroy(); host.remove(); vi.useRealTimers(); });

describe("steps", () => {
  it("shows everything as ghosts first, in the place where it will stay", () => {
    show();
    expect(all(".nodes .node")).toHaveLength(8);
    expect(all(".nodes .node.on")).toHaveLength(0);
    const place = node("mul").getAttribute("transform");
    view.seek(13);
    expect(node("mul").getAttribute("transform")).toBe(place);
  });

  it("goes by button, scrubber and call, and tells its host", () => {
    const steps: number[] = [];
    show(example(), { onStep: (i) => steps.push(i) });
    $(".next").click();
    const range = $<HTMLInputElement>(".range");
    range.value = "10";
    range.dispatchEvent(new Event("input"));
    expect($(".count").textContent).toBe("11 / 14");
    expect(range.getAttribute("aria-valuetext")).toContain("3 + 2 = 5");
    view.seek(99);
    view.seek(-1);
    expect(steps).toEqual([1, 10, 13, 0]);
  });

  it("starts where it is told", () => {
    show(example(), { step: 4 });
    expect(view.step).toBe(4);
    expect($(".line.now").textContent).toContain("v4 = v2 * v3");
    expect($(".line.now").getAttribute("aria-current")).toBe("step");
  });

  it("plays to the end and stops, at the reader's speed", () => {
    const playing: boolean[] = [];
    show(example(), { step: 11, onPlaying: (p) => playing.push(p) });
    $(".speed").click();
    expect($(".speed").textContent).toBe("2×");
    view.play();
    vi.advanceTimersByTime(10_000);
    expect([view.step, view.playing]).toEqual([13, false]);
    expect(playing).toEqual([true, false]);
  });

  it("marks what is loud, sums what arrives, frees what is done", () => {
    show(example(), { step: 7 });
    expect(node("mul").getAttribute("class")).toContain("now backward");
    expect($(".pin.freed[data-id='p:mul:v2']")).toBeTruthy();
    expect($(".sum[data-id='v2']").getAttribute("class")).toBe("sum on wait");
    view.seek(10);
    expect($(".sum[data-id='v2'] .num").textContent).toBe("3 + 2 = 5");
    expect($(".kept .total").textContent).toBe("8\u2009B");
  });

  it("touches only what differs", () => {
    show(example(), { step: 9 });
    const watch = vi.spyOn(Element.prototype, "setAttribute");
    view.seek(10);
    const touched = new Set(watch.mock.contexts.map((e) => (e as Element).getAttribute?.("data-id")).filter(Boolean));
    watch.mockRestore();
    expect(touched).toEqual(new Set(["v2", "add", "v2>add", "l3"].filter((id) => touched.has(id))));
    expect(touched.has("v4")).toBe(false);
  });
});

describe("keys", () => {
  it("step, jump, change phase, play", () => {
    show();
    const at = (k: string) => { key(k); return view.step; };
    expect([at("ArrowRight"), at("ArrowRight"), at("ArrowLeft"), at("]"), at("]"), at("["), at("End"), at("Home")]).toEqual([1, 2, 1, 5, 13, 5, 13, 0]);
    key(" ");
    expect(view.playing).toBe(true);
    key(" ");
    expect(view.playing).toBe(false);
  });

  it("do not reach the page, and others pass", () => {
    show();
    const heard: string[] = [], listen = (ev: Event) => { heard.push((ev as KeyboardEvent).key); };
    document.addEventListener("keydown", listen);
    for (const k of ["ArrowRight", " ", "Home", "[", "/", "Escape", "a", "Tab"]) key(k);
    document.removeEventListener("keydown", listen);
    expect(heard).toEqual(["a", "Tab"]);
  });

  it("are those that the view says it takes, and no others", () => {
    show();
    const taken = (k: string) => !key(k); // a key that acts is stopped
    const told = $(".box").getAttribute("aria-keyshortcuts")!.split(" ").map((k) => (k === "Space" ? " " : k));
    const others = [..."abcdefghijklmnopqrstuvwxyzABDM0123456789", "Enter", "Delete", "Backspace", "Tab", "PageDown", "F1"];
    expect(told.filter((k) => !taken(k))).toEqual([]);
    expect(others.filter(taken)).toEqual([]);
  });

  it("walk the nodes with ↑ and ↓, one tab stop for all", () => {
    show();
    expect(all(".node[tabindex='0']")).toHaveLength(1);
    key("ArrowDown");
    expect(host.shadowRoot!.activeElement).toBe(node("v1"));
    key("ArrowDown", node("v1"));
    expect(host.shadowRoot!.activeElement).toBe(node("exp"));
    expect($(".strip").textContent).toContain("tape node 1");
    expect(all(".node[tabindex='0']")).toEqual([node("exp")]);
  });
});

describe("predict", () => {
  const ask = () => $(".toggle.predict").click();
  const answer = (text: string) => { const f = $<HTMLInputElement>(".guess"); f.value = text; key("Enter", f); };

  it("hides the number and what follows, and the picture waits", () => {
    show(example(), { step: 9 });
    ask();
    key("ArrowRight");
    expect(say()).not.toContain("5");
    expect($(".sum[data-id='v2'] .num").textContent).toBe("3 + ?");
    expect(view.step).toBe(10);
  });

  it("answers a wrong guess by why, a right one with the step", () => {
    show(example(), { step: 9 });
    ask();
    key("ArrowRight");
    answer("2");
    expect($(".why").textContent).toContain("two ways");
    answer("5.0");
    expect(say()).toContain("3 + 2 = 5: the second arrival");
    expect($(".tick").getAttribute("aria-label")).toBe("Right.");
    expect($(".sum[data-id='v2'] .num").textContent).toBe("3 + 2 = 5");
  });

  it("shows the answer when the reader goes on", () => {
    show(example(), { step: 9 });
    ask();
    key("ArrowRight");
    key("ArrowRight");
    expect([view.step, say()?.includes("= 5")]).toEqual([10, true]);
  });

  it("asks for the next node: a click or the list, and gives nothing away", () => {
    show(example(), { step: 8 });
    ask();
    key("ArrowRight");
    expect(say()).toMatch(/^Which node runs next\?/);
    expect(node("add").getAttribute("class")).not.toContain("now");
    node("exp").dispatchEvent(new Event("click", { bubbles: true, composed: true }));
    expect($(".why").textContent).toContain("still missing");
    const list = $<HTMLSelectElement>("select.guess");
    list.value = "add";
    list.dispatchEvent(new Event("change"));
    expect(say()).toContain("add sends 2 to v2");
    expect($(".why")).toBeNull();
  });

  it("stops playback until the answer is given", () => {
    show(example(), { step: 9 });
    ask();
    view.play();
    vi.advanceTimersByTime(60_000);
    expect([view.step, view.playing]).toEqual([10, true]);
    answer("5");
    vi.advanceTimersByTime(60_000);
    expect(view.step).toBe(12);
  });
});

describe("wrong order", () => {
  it("leaves at the fork, shows the wrong number beside the right one, and comes back", () => {
    const steps: number[] = [];
    show(example(), { step: 12, onStep: (i) => steps.push(i) });
    $(".toggle.wrong").click();
    expect(view.step).toBe(8);
    expect($(".sum[data-id='v1']").getAttribute("class")).toContain("wrong");
    expect($(".sum[data-id='v1'] .num").textContent).toBe("6 ≠ 10");
    expect(all(".band [data-phase='wrong-order']")).toHaveLength(1);
    $(".toggle.wrong").click();
    expect($(".sum[data-id='v1'] .num").textContent).toBe("?");
    expect(steps).toEqual([8]);
  });

  it("ends when its host seeks: hosts count the steps of the right walk", () => {
    show(example(), { step: 12 });
    $(".toggle.wrong").click();
    view.seek(13);
    expect([view.step, view.steps]).toEqual([13, 14]);
    expect($(".toggle.wrong").getAttribute("aria-pressed")).toBe("false");
  });
});

describe("links, search, transcript", () => {
  it("lights what belongs together, on pointing and on selecting", () => {
    const picks: (string | null)[] = [];
    show(example(), { onSelect: (id) => picks.push(id) });
    node("mul").dispatchEvent(new Event("click", { bubbles: true, composed: true }));
    const lit = all("[data-lit]").map((e) => e.getAttribute("data-id"));
    expect(lit).toContain("l4");
    expect(lit).toContain("p:mul:v3");
    expect(lit).not.toContain("exp");
    expect($(".strip").textContent).toContain("tape node 3");
    expect($(".strip").textContent).toMatch(/stays lit until a second click, or Esc$/);
    expect($(".aloud").textContent).toMatch(/^Selected: mul/);
    key("Escape");
    expect(all("[data-lit]")).toHaveLength(0);
    expect(picks).toEqual(["mul", null]);
  });

  it("shares a selection with the views of the same recording only", () => {
    show();
    const other = document.createElement("div"), third = document.createElement("div");
    const b = mount(other, example()), c = mount(third, { ...example(), recording: "else" });
    view.select("mul");
    expect(other.shadowRoot!.querySelectorAll("[data-lit]").length).toBeGreaterThan(3);
    expect(third.shadowRoot!.querySelectorAll("[data-lit]")).toHaveLength(0);
    b.destroy();
    c.destroy();
  });

  it("searches with /", () => {
    show();
    key("/");
    const field = $<HTMLInputElement>(".find input");
    field.value = "ad";
    field.dispatchEvent(new Event("input"));
    expect(all(".find [role=option]").map((o) => o.textContent)).toContain("addop");
    key("Enter", field);
    expect($(".find").hidden).toBe(true);
    expect($(".strip").textContent).toContain("tape node 2");
  });

  it("lists all sentences; a click goes there", () => {
    show();
    const details = $<HTMLDetailsElement>(".transcript");
    details.open = true;
    details.dispatchEvent(new Event("toggle"));
    expect(all("tbody tr")).toHaveLength(14);
    expect(all("tbody tr")[10]!.textContent).toBe("11backwardv2 now holds 3 + 2 = 5: the second arrival is added.");
    (all("tbody button")[10] as HTMLElement).click();
    expect(view.step).toBe(10);
    expect($("tr[aria-current]").textContent).toMatch(/^11/);
  });
});

describe("safety", () => {
  it("shows markup in the reader's lines as text", () => {
    const scene = example();
    scene.source[0]!.text = "x = '<img src=x onerror=alert(1)>'";
    scene.steps[0]!.say = "<b>bold</b> `<i>`";
    scene.graph.nodes[0]!.label = "<script>";
    show(scene);
    expect(all("img, b b, i i, script")).toHaveLength(0);
    expect($(".line").textContent).toContain("<img src=x onerror=alert(1)>");
    expect(say()).toBe("<b>bold</b> <i>");
  });

  it("cleans up: no timers, no elements, no listeners", () => {
    const add = vi.spyOn(window, "addEventListener"), remove = vi.spyOn(window, "removeEventListener");
    show();
    view.play();
    view.destroy();
    expect(vi.getTimerCount()).toBe(0);
    expect(host.shadowRoot!.querySelector(".box")).toBeNull();
    expect(remove.mock.calls.map((c) => c[0])).toEqual(add.mock.calls.map((c) => c[0]));
    vi.restoreAllMocks();
  });
});
