import { describe, expect, it, vi } from "vitest";
import { drawingOf } from "../src/core/drawing";
import { frameAt } from "../src/core/fold";
import { graphScore } from "../src/core/motion/graph";
import { type Actor, bounded, keysAlong, later, lengthOf, LONGEST, MANY, type Move, until } from "../src/core/motion/moves";
import { Places, shareAt } from "../src/core/motion/places";
import { tapeScore } from "../src/core/motion/tape";
import { trafficScore } from "../src/core/motion/traffic";
import { fitted, tapeAt } from "../src/core/panels/tape";
import { type GraphScene, hasGraph, type Scene } from "../src/core/scene";
import { type Handle, mount } from "../src/views/mount";
import { arena, example, folded, fusion, lab, tape, twice } from "./scenes";

const graphs: Record<string, GraphScene> = Object.fromEntries(
  ([["backward", example()], ["inplace", example("inplace")], ["twice", twice()], ["tape", tape()], ["folded", folded()], ["fusion", fusion()], ["lab", lab()], ["arena", arena()]] as [string, Scene][])
    .filter((x): x is [string, GraphScene] => hasGraph(x[1])));
const scored = (scene: GraphScene, k: number): Move[] => graphScore(new Places(drawingOf(scene, 1.2)), frameAt(scene.steps, k - 1), scene.steps[k]!).score;
const every = Object.entries(graphs).flatMap(([name, scene]) => scene.steps.slice(1).map((_, k) => [name, k + 1, scene] as const));
const numbers = (score: readonly Move[], text: string) => score.filter((m): m is Actor => m.do === "actor" && m.text === text && m.look === "cot" && !m.early);

describe("a score", () => {
  it("is the same for the same step, and plain data", () => {
    for (const [, k, scene] of every) {
      const score = scored(scene, k);
      expect(scored(scene, k)).toEqual(score);
      expect(JSON.parse(JSON.stringify(score))).toEqual(score);
    }
  });

  it("is over in time, or is left out", () => {
    for (const [, k, scene] of every) {
      const score = bounded(scored(scene, k));
      expect(lengthOf(score)).toBeLessThanOrEqual(LONGEST + 1e-6);
      expect(score.length).toBeLessThanOrEqual(MANY);
    }
  });

  it("names only what the picture draws, and its moments come in order", () => {
    for (const [, k, scene] of every) {
      const { nodes, edges, pins } = scene.graph, hulls = scene.steps.flatMap((s) => s.events.filter((e) => e.type === "hull"));
      const ids = new Set([...nodes, ...edges, ...pins, ...hulls].map((x) => x.id));
      for (const m of scored(scene, k)) {
        expect(m.at).toBeGreaterThanOrEqual(0);
        expect(m.for).toBeGreaterThan(0);
        if ("what" in m) expect(ids).toContain(m.what.id);
        const moments = m.do === "actor" ? m.keys.map((key) => key.t) : m.do === "grow" ? m.rects.map((r) => r.t) : [0, 1];
        expect([moments[0], moments.at(-1)]).toEqual([0, 1]);
        expect(moments).toEqual([...moments].sort((a, b) => a - b));
      }
    }
  });

  it("lets a gradient leave its op and end in the tray, by way of its edge, without a gap", () => {
    const scene = graphs.twice!, drawing = drawingOf(scene, 1.2), at = scene.steps.findIndex((s) => s.say.startsWith("`mul` sends 3"));
    const { edge } = scene.steps[at]!.events.find((e) => e.type === "send")!, [to, from] = [edge.split(">")[0], edge.split(">")[1]];
    const op = drawing.nodes.find((n) => n.id === from)!, tray = drawing.sums.find((x) => x.id === to)!;
    const [run, drop] = numbers(scored(scene, at), "3");
    expect([run!.keys[0]!.x, run!.keys[0]!.y]).toEqual([op.cx, op.y]);
    expect(drop!.at).toBe(run!.at + run!.for);
    expect([drop!.keys[0]!.x, drop!.keys[0]!.y]).toEqual([run!.keys.at(-1)!.x, run!.keys.at(-1)!.y]);
    expect(Math.abs(drop!.keys.at(-1)!.y - (tray.y + 13))).toBeLessThan(1);
    expect(drop!.keys.at(-1)!.x).toBeGreaterThan(tray.x); // into the place of the second part
  });

  it("lets only those numbers meet that the program multiplies or adds", () => {
    for (const [, k, scene] of every.filter(([name]) => name === "twice")) {
      const products = scene.steps[k]!.events.flatMap((e) => (e.type === "send" && e.times ? [`${e.above} × ${e.times}`] : []));
      const actors = scored(scene, k).filter((m): m is Actor => m.do === "actor"), sign = actors.filter((m) => m.text === "×");
      expect(sign).toHaveLength(products.length);
      for (const { how } of scene.steps[k]!.events.filter((e) => e.type === "send")) expect(products).toContain(how);
    }
  });

  it("reads as it did when it was reviewed", async () => {
    const say = (m: Move) => `  ${Math.round(m.at)} to ${Math.round(m.at + m.for)}: ` + ("what" in m ? `${m.do} ${m.what.is} ${m.what.id} ${m.what.part ?? ""}`.trim() : m.do === "actor" ? `${m.look} "${m.text}" (${Math.round(m.keys[0]!.x)}, ${Math.round(m.keys[0]!.y)}) to (${Math.round(m.keys.at(-1)!.x)}, ${Math.round(m.keys.at(-1)!.y)})` : `${m.look} grows`);
    const text = graphs.twice!.steps.slice(1).map((s, k) => [s.say, ...scored(graphs.twice!, k + 1).map(say)].join("\n")).join("\n\n");
    await expect(`${text}\n`).toMatchFileSnapshot("pictures/score-twice.txt");
  });
});

describe("the parts of a score", () => {
  it("what was there before stays until its score comes", () => {
    const [m] = later([until(100, "cot", "1", 0, 0)], 50);
    expect([m!.at, m!.for]).toEqual([0, 150]);
  });

  it("a way is as fast at its start as at its end", () => {
    const points = [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 9 }];
    expect(keysAlong(points, { o: 0 }, { o: 1 }).map((key) => [key.t, key.o])).toEqual([[0, 0], [0.1, undefined], [1, 1]]);
    expect(shareAt(points, { x: 2, y: 0 })).toBe(0.1);
  });

  it("too long a score is played faster; more than twice as fast, and more than can be followed, is left out", () => {
    const move = (time: number): Move => ({ do: "from", what: { id: "a" }, css: {}, at: 0, for: time });
    expect(lengthOf(bounded([move(3000)]))).toBeCloseTo(LONGEST);
    expect(bounded([move(2 * LONGEST + 1)])).toEqual([]);
    expect(bounded(Array.from({ length: MANY + 1 }, () => move(1)))).toEqual([]);
    expect(bounded([move(100)], 2 * LONGEST)[0]!.for).toBe(50); // on one beat with a longer one
  });
});

describe("the director", () => {
  const show = (scene: Scene) => { const host = document.createElement("div"); document.body.append(host); return { host, view: mount(host, scene) }; };
  const press = (host: HTMLElement, key: string) => host.shadowRoot!.querySelector(".box")!.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  const end = ({ host, view }: { host: HTMLElement; view: Handle }) => { view.destroy(); host.remove(); };

  it("moves one step on and one step back, and jumps further", () => {
    const animate = vi.spyOn(Element.prototype, "animate"), shown = show(twice());
    const moved = (act: () => void) => { animate.mockClear(); act(); return animate.mock.calls.length > 0; };
    expect(moved(() => press(shown.host, "ArrowRight"))).toBe(true);
    expect(moved(() => press(shown.host, "ArrowLeft"))).toBe(true);
    expect(moved(() => press(shown.host, "End"))).toBe(false);
    expect(moved(() => shown.view.seek(3))).toBe(false);
    expect(moved(() => shown.view.seek(4))).toBe(false); // a program asks, nothing moves by itself
    expect(moved(() => press(shown.host, "ArrowRight"))).toBe(true);
    shown.host.shadowRoot!.querySelector<HTMLElement>(".toggle.motion")!.click();
    expect(moved(() => press(shown.host, "ArrowRight"))).toBe(false);
    end(shown);
    animate.mockRestore();
  });

  it("leaves the layers empty, whatever was cut off", () => {
    const shown = show(twice()), layers = () => [...shown.host.shadowRoot!.querySelectorAll(".actors")].reduce((n, l) => n + l.childElementCount, 0);
    for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowRight"]) press(shown.host, key);
    expect(layers()).toBeGreaterThan(0);
    press(shown.host, "Shift");
    expect(layers()).toBe(0);
    expect(shown.view.step).toBe(4);
    end(shown);
  });

  it("shows a moment between two steps, and says how long the way is", () => {
    const shown = show(twice()), length = shown.view.at(2.4);
    expect([shown.view.step, length > 240, length <= LONGEST]).toEqual([3, true, true]);
    expect(shown.view.at(0)).toBe(0);
    end(shown);
  });
});

describe("the strip", () => {
  const scene = tape(), panel = scene.panels!.find((p) => p.kind === "tape")!, at = (say: string) => scene.steps.findIndex((s) => s.say.startsWith(say));
  const states = (k: number) => tapeAt(panel, scene.steps[k]!.at!).states, head = (k: number) => tapeAt(panel, scene.steps[k]!.at!).head;

  it("is written to the right, and read to the left", () => {
    const [mul, add, first, second, last] = [at("`mul` makes"), at("`add` makes"), at("`add` is read"), at("`mul` is read"), scene.steps.length - 1];
    expect([mul, add, first, second, last].map(states)).toEqual([["now", ""], ["on", "now"], ["on", "now"], ["now", "read"], ["read", "read"]]);
    expect(head(mul)).toBeLessThan(head(add));
    expect(head(add)).toBe(head(first));
    expect(head(second)).toBe(head(mul));
    expect(head(last)).toBeLessThan(head(second));
  });

  it("drops a copy of the op where its frame is, and what was kept on the beat of the graph", () => {
    const k = at("`mul` is read"), from = scene.steps[k - 1]!.at!, to = scene.steps[k]!.at!, before = frameAt(scene.steps, k - 1);
    const falls = tapeScore(panel, from, to, before, scene.steps[k]!, { freed: 700 }, () => null).filter((m) => m.do === "actor" && m.look === "saved" && !m.early);
    expect(falls.map((m) => [(m as Actor).text, m.at])).toEqual([["a=2", 700], ["b=3", 760]]);
    const made = at("`mul` makes"), drop = tapeScore(panel, scene.steps[made - 1]!.at!, scene.steps[made]!.at!, frameAt(scene.steps, made - 1), scene.steps[made]!, { made: 900 }, () => ({ x: 5, y: -80 }));
    const [copy] = drop.filter((m): m is Actor => m.do === "actor");
    expect([copy!.text, copy!.keys[0]!.x, copy!.keys.at(-1)!.x]).toEqual(["mul", 5, head(made)]);
  });

  it("cuts what has no room, its number first", () => {
    expect([fitted("a=2", 40), fitted("weight=2", 48), fitted("encoder.weight", 50)]).toEqual(["a=2", "weight", "encode…"]);
  });
});

describe("the bars", () => {
  const panel = fusion().panels!.find((p) => p.kind === "traffic")!, bars = { x: (bytes: number) => bytes / 40, first: 20, after: 120, height: 36 };
  const [first, second] = [panel.stages[1]!.at, panel.stages[2]!.at], score = (from: number, to: number) => trafficScore(panel, from, to, bars, { made: 900 });
  const falling = (moves: readonly Move[]) => moves.filter((m): m is Actor => m.do === "actor");

  it("lets fall what is not moved any more, and each only once", () => {
    expect(falling(score(first - 1, first)).map((m) => m.text)).toEqual(["add", "add"]);
    expect(falling(score(second - 1, second)).map((m) => m.text)).toEqual(["mul", "mul"]);
  });

  it("comes down from op by op, and closes up when all have fallen; the terms change last", () => {
    for (const at of [first, second]) {
      const moves = score(at - 1, at), fallen = Math.max(...falling(moves).map((m) => m.at + m.for));
      const closing = moves.filter((m) => m.do === "from" && m.what.is === "tf-after" && m.via?.length).map((m) => (m as Extract<Move, { do: "from" }>).via!.at(-1)!.t * m.for);
      for (const ms of closing) expect(ms).toBeGreaterThanOrEqual(fallen - 1);
      for (const m of moves) if (m.do === "from" && m.what.part?.startsWith(".tf-t")) expect(m.at).toBeGreaterThanOrEqual(fallen);
    }
    const down = score(first - 1, first).filter((m) => m.do === "from" && m.what.is === "tf-after" && m.css.translate);
    expect(down.every((m) => (m as Extract<Move, { do: "from" }>).css.translate!.endsWith("-100px"))).toBe(true);
  });

  it("moves nothing where nothing is decided", () => expect(score(second, second)).toEqual([]));
});
