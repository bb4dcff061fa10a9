/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import { choices, isRight, readNumber } from "../src/core/predict";
import type { NodePrediction, Scene, ValuePrediction } from "../src/core/scene";
import { search } from "../src/core/search";
import { checkScene, parseScene, partsOf, SceneError } from "../src/core/validate";
import { monoWidth, pieces } from "../src/core/words";
import type { MemoryPanel } from "../src/core/panels/memory";
import type { StridesPanel } from "../src/core/panels/strides";
import type { TilingPanel } from "../src/core/panels/tiling";
import { mount } from "../src/views/mount";
import { notice } from "../src/views/notice";
import { example, fusion, memory, strides, tiling } from "./scenes";

const reason = (f: () => unknown): string => {
  try { f(); } catch (error) { if (error instanceof SceneError) return `${error.title} ${error.hint}`; throw error; }
  return "";
};

describe("a scene that cannot be drawn is answered with what to do", () => {
  it("takes a good one", () => expect(checkScene(example()).title).toBe("Backward"));
  it.each([
    [null, /Nothing is recorded yet.*with ml.record\(\)/],
    [{}, /Nothing is recorded yet/],
    [[1, 2], /not a view/],
    [{ schema: "minitorch-lab.recording/1" }, /a recording, not a view.*Recording\.load\(path\).*save/],
    [{ schema: "minitorch-lab.scene/7" }, /version 7, this page reads version 1/],
    [{ schema: "something" }, /It should say "schema": "minitorch-lab.scene\/1"/],
  ])("%j", (data, answer) => expect(reason(() => checkScene(data))).toMatch(answer));

  it("empty text, and text cut short", () => {
    expect(reason(() => parseScene(" "))).toMatch(/Nothing is recorded/);
    expect(reason(() => parseScene(JSON.stringify(example()).slice(0, 900)))).toMatch(/not complete JSON.*cut short/);
  });

  it("no steps, half a step, no graph, an edge to nowhere", () => {
    expect(reason(() => checkScene({ ...example(), steps: [] }))).toMatch(/recording is empty/);
    expect(reason(() => checkScene({ ...example(), steps: [{ say: "x" }] }))).toMatch(/step 1 is not complete/);
    expect(reason(() => checkScene({ ...example(), graph: undefined }))).toMatch(/graph is missing/);
    const scene = example();
    scene.graph.edges[0]!.to = "nowhere";
    expect(reason(() => checkScene(scene))).toMatch(/edge "v1>exp" names a node "nowhere"/);
  });
});

/** Every scene that there is as a file, and with it every kind of panel. */
const FILES = import.meta.glob<{ default: Scene }>("./scenes/*.json", { eager: true });
const NASTY = "<img src=x onerror=\"window.hit = 1\">\u202e" + "long".repeat(100);

/** Texts become hostile, ids lead nowhere, and numbers become `number` if it is given; the kinds of things and the clock stay. */
function spoilt(thing: unknown, number?: number, key = ""): unknown {
  if (Array.isArray(thing)) return thing.map((part) => spoilt(part, number, key));
  if (typeof thing === "object" && thing !== null) return Object.fromEntries(Object.entries(thing).map(([name, part]) => [name, spoilt(part, number, name)]));
  if (typeof thing === "string") return ["kind", "schema", "type", "state", "phase"].includes(key) ? thing : NASTY + key;
  return typeof thing === "number" && !["at", "born", "died"].includes(key) ? number ?? thing : thing;
}

describe("bad input, for every kind of panel", () => {
  const files = Object.entries(FILES).filter(([, file]) => file.default.panels?.length);

  it.each(files)("%s with numbers that are none is refused in words", (_, file) => {
    for (const number of [NaN, Infinity, -Infinity, 1e300])
      expect(reason(() => checkScene({ ...file.default, panels: spoilt(file.default.panels, number) }))).toMatch(/panel holds a number that is not finite/);
  });

  it.each(files)("%s spoilt is drawn without its sense, or answered, and runs nothing", (_, file) => {
    const scene = { ...structuredClone(file.default), graph: undefined, folds: undefined, kept: [], panels: spoilt(file.default.panels) };
    const host = document.createElement("div");
    document.body.append(host);
    try {
      const view = mount(host, scene);
      view.seek(3);
      view.select("nowhere");
      expect(host.shadowRoot!.querySelectorAll("section").length).toBeGreaterThan(0);
      view.destroy();
    } catch (error) {
      notice(host, error);
      expect(host.shadowRoot!.textContent).toMatch(/This view is broken: .* Make it again/);
    }
    expect([host.shadowRoot!.querySelectorAll("img, script").length, (window as unknown as { hit?: number }).hit]).toEqual([0, undefined]);
    host.remove();
  });

  it.each(files)("%s without one of its lists is refused by name", (_, file) => {
    for (const [k, panel] of file.default.panels!.entries())
      for (const list of partsOf(panel.kind)) {
        const scene = structuredClone(file.default);
        (scene.panels![k] as unknown as Record<string, unknown>)[list] = 3;
        expect(reason(() => checkScene(scene))).toContain(`its ${panel.kind} panel has no ${list}`);
      }
  });

  it("a million parts are refused in words, at once", () => {
    const runs = Array.from({ length: 1_000_000 }, (_, k) => ({ id: `r${k}`, label: "add", at: k, python: 1, kernel: 1, together: 0 }));
    expect(reason(() => checkScene({ ...example(), panels: [{ kind: "timeline", id: "t", label: "t", runs }] }))).toMatch(/more than 400,000 parts, too many to draw/);
  });

  it.each([
    ["steps", (s: Scene) => { s.steps[0]!.events = Array.from({ length: 1_000_000 }, () => ({ type: "pin", id: "p" }) as const); }],
    ["source", (s: Scene) => { s.source = Array.from({ length: 1_000_000 }, (_, k) => ({ id: "l1", no: k, text: "x" })); }],
    ["kept", (s: Scene) => { s.kept = Array.from({ length: 1_000_000 }, () => ({ id: "k", label: "x", bytes: 1, by: [], spans: [] })); }],
  ])("a million of them in %s, too", (_, fill) => {
    const scene = example();
    fill(scene);
    expect(reason(() => checkScene(scene))).toMatch(/parts, too many to draw/);
  });

  it.each([-1, 0, 0.5, 1e9])("tiles and shapes of %d are refused in words, and nothing loops over them", (size) => {
    for (const part of ["rows", "columns", "count"] as const) {
      const scene = tiling(), panel = scene.panels!.find((p) => p.kind === "tiling") as TilingPanel;
      panel.ways[1]![part] = size;
      expect(reason(() => checkScene(scene))).toMatch(/its tiling panel has a size of .*, where whole numbers from 1 on are needed/);
    }
    const scene = strides(), panel = scene.panels!.find((p) => p.kind === "strides") as StridesPanel;
    panel.views[0]!.shape[0] = size;
    if (size !== 0) expect(reason(() => checkScene(scene))).toMatch(/its strides panel has a size of/);
  });

  it.each([NaN, Infinity, -Infinity, 1e300, "12", null])("a node at %s is refused in words", (number) => {
    for (const key of ["x", "y", "w", "h"] as const) {
      const scene = example();
      (scene.graph.nodes[0] as unknown as Record<string, unknown>)[key] = number;
      expect(reason(() => checkScene(scene))).toMatch(/its node "v1" has no place, or no size/);
    }
    const scene = example();
    scene.graph.edges[0]!.via = [[number as number, 3]];
    expect(reason(() => checkScene(scene))).toMatch(/its edge "v1>exp" leads to no place/);
  });

  it("a graph with a cycle is drawn: it has places, and nothing walks along it", () => {
    const scene = example(), edge = scene.graph.edges.at(-1)!;
    scene.graph.edges.push({ id: "back", from: edge.to, to: scene.graph.nodes[0]!.id }, { id: "self", from: edge.to, to: edge.to });
    const host = document.createElement("div");
    document.body.append(host);
    const view = mount(host, scene);
    view.seek(9);
    expect(host.shadowRoot!.querySelectorAll(".graph .node").length).toBe(scene.graph.nodes.length);
    view.destroy();
    host.remove();
  });

  it("parts that do not fit together are told as that, with what to do", () => {
    const scene = fusion(), host = document.createElement("div");
    (scene.panels![0] as unknown as { first: unknown }).first = [null];
    try { mount(host, scene).seek(2); } catch (error) { notice(host, error); }
    expect(host.shadowRoot!.textContent).toMatch(/This view is broken: its parts do not fit together\. ?One of them .* Make it again from the recording/);
  });

  it("what gzip has compressed is a recording", () => expect(reason(() => parseScene("\u001f\ufffd\b"))).toMatch(/This is a recording, not a view/));
});

describe("predictions", () => {
  const value = (answer: string, accept: string[] = []): ValuePrediction => ({ kind: "value", answer, accept, at: 0, length: 1, why: "" });

  it("reads numbers as people type them", () => {
    expect([readNumber("−3.5"), readNumber("1,000"), readNumber(" 2 ")]).toEqual([-3.5, 1000, 2]);
    expect(readNumber("")).toBeNaN();
  });

  it("accepts the number in any spelling, and four digits of it", () => {
    expect(isRight(value("5"), "5.0")).toBe(true);
    expect(isRight(value("−0.4161"), "-0.4161468")).toBe(true);
    expect(isRight(value("[1, 2]"), "[1,2]")).toBe(true);
    expect(isRight(value("5"), "2")).toBe(false);
    expect(isRight(value("5"), "")).toBe(false);
  });

  it("offers the nodes still to come", () => {
    const scene = example(), asked: NodePrediction = { kind: "node", answer: "add", why: "" };
    expect(choices(scene, scene.steps, 9, asked)).toEqual(["exp", "add"]);
    expect(choices(scene, scene.steps, 9, { ...asked, options: ["mul"] })).toEqual(["mul"]);
  });
});

describe("search and words", () => {
  it("finds names first, then facts", () => {
    const ids = search(example(), "v2").map((h) => h.id);
    expect(ids[0]).toBe("v2");
    expect(ids).toContain("l2");
    expect(search(example(), "tape node 3").map((h) => h.id)).toEqual(["mul"]);
    expect(search(example(), "  ")).toEqual([]);
  });

  it("splits code from words", () => {
    expect(pieces("`mul` sends 3")).toEqual([{ text: "mul", code: true }, { text: " sends 3", code: false }]);
    expect(monoWidth("abcd", 10)).toBeCloseTo(24.08);
  });
});

describe("panels", () => {
  it("take the place of a graph, and must have their parts", () => {
    expect(checkScene(memory()).panels).toHaveLength(1);
    expect(reason(() => checkScene({ ...memory(), panels: [{ kind: "memory", id: "m", label: "M", blocks: [] }] }))).toMatch(/memory panel has no groups/);
    expect(reason(() => checkScene({ ...memory(), panels: "none" }))).toMatch(/panels are no list/);
    expect(reason(() => checkScene({ ...memory(), panels: [null] }))).toMatch(/cannot draw a picture of the kind "undefined"/);
    expect(reason(() => checkScene({ ...memory(), panels: [{ kind: "hologram" }] }))).toMatch(/kind "hologram".*newer version/);
  });

  it("with ids and times that lead nowhere are still drawn", () => {
    const scene = memory(), panel = scene.panels![0] as MemoryPanel, host = document.createElement("div");
    scene.links = { nothing: ["nowhere"], l1: ["gone"] };
    panel.blocks.push({ id: "odd", name: "<b>odd</b>", bytes: 5, group: 0, born: 1e9, died: 2 });
    panel.ticks!.push({ at: 1e9, op: "nobody", label: "?" });
    const handle = mount(host, scene);
    for (let k = 0; k < scene.steps.length; k++) handle.seek(k);
    expect(host.shadowRoot!.querySelector("b.odd, .mem-svg b")).toBeNull();
    handle.destroy();
  });
});
