import { afterEach, describe, expect, it } from "vitest";
import { frameAt } from "../src/core/fold";
import { Folds, itemFrame, itemScene, passesOf, slotsOf } from "../src/core/folds";
import { bundled as bundledTicks, layersOf, columnsOf, type MemoryPanel } from "../src/core/panels/memory";
import { bundled, lengthOf, type TimelinePanel } from "../src/core/panels/timeline";
import { Player } from "../src/core/player";
import type { Scene } from "../src/core/scene";
import { checkScene, SceneError } from "../src/core/validate";
import { type Handle, mount } from "../src/views/mount";
import { folded } from "./scenes";

const scene = folded(), fold = scene.folds![0]!;
const panel = <P>(kind: string): P => scene.panels!.find((p) => p.kind === kind) as P;
const open = (made: Scene = scene): Folds => { const folds = new Folds(made.folds!, () => {}); folds.walk(made.steps); return folds; };

describe("folds", () => {
  it("know the passes of every item: once forward in a row, once back", () => {
    const back = passesOf(scene.folds!, scene.steps).filter((p) => p.phase === "backward");
    expect(back.map((p) => p.item)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(back.every((p) => p.first <= p.last)).toBe(true);
  });

  it("closed, are passed in one step; open, step by step", () => {
    const folds = open(), player = new Player(scene, () => {});
    player.skipped = folds.skipped(scene.steps);
    player.stands = (step) => folds.stands(step);
    const visited = [0];
    while (player.index < player.last) { player.forward(); visited.push(player.index); }
    expect(visited.length).toBeLessThan(40);
    expect(visited.some((k) => player.said(scene.steps[k]!).startsWith("The rules of `turn 10` send"))).toBe(true);
    const back = [player.index];
    while (player.index > 0) { player.back(); back.push(player.index); }
    expect(back.reverse()).toEqual(visited);
    folds.toggle(fold.id);
    expect(folds.skipped(scene.steps).size).toBe(0);
    expect(scene.steps.some((step) => folds.stands(step))).toBe(false);
  });

  it("show of an item what the frame has of it, in the slots of the picture", () => {
    const frame = frameAt(scene.steps, scene.steps.length - 1);
    for (const k of [0, 4, 9]) {
      const { ids } = fold.items[k]!, seen = itemFrame(frame, fold, k);
      fold.ids.forEach((slot, i) => {
        if (ids[i] === "") return;
        expect(seen.values.get(slot)).toBe(frame.values.get(ids[i]!));
        expect(seen.sends.get(slot)).toBe(frame.sends.get(ids[i]!));
      });
      expect(slotsOf(fold, k, ids.filter((id) => id !== ""))).toEqual(expect.arrayContaining(fold.ids.filter((_, i) => ids[i] !== "")));
    }
  });

  it("keep room for the longest text of any item", () => {
    const texts = new Set(itemScene(scene, fold).steps.flatMap((s) => s.events).map((e) => ("id" in e ? e.id : "")));
    expect(fold.graph!.nodes.filter((n) => n.kind === "value").every((n) => texts.has(n.id))).toBe(true);
  });

  it("lead from what is inside to the item and its box", () => {
    const folds = open();
    expect(folds.around(fold.items[3]!.ids[0]!)).toEqual([fold.items[3]!.id, fold.id]);
    expect(folds.around(fold.items[3]!.of[0]!)).toEqual([fold.items[3]!.id, fold.id]);
    expect(folds.around("nowhere")).toEqual([]);
  });

  it("refuse a file whose items do not fit their picture", () => {
    const broken = folded();
    broken.folds![0]!.items[2]!.ids.pop();
    expect(() => checkScene(broken)).toThrow(SceneError);
    broken.folds = [3] as unknown as Scene["folds"] & {};
    expect(() => checkScene(broken)).toThrow(/folds is not complete/);
    const dangling = folded();
    dangling.folds![0]!.graph!.edges[0]!.to = "nowhere";
    expect(() => checkScene(dangling)).toThrow(/names a node "nowhere"/);
  });
});

describe("rows that repeat", () => {
  it("are one run for each item and way, with the same time in all", () => {
    const { runs } = panel<TimelinePanel>("timeline"), folds = open(), few = bundled(runs, (r) => folds.bundle(r.of));
    const sum = (list: typeof runs) => list.reduce((n, r) => n + lengthOf(r), 0);
    expect([few.filter((r) => r.id === fold.items[2]!.id).length, sum(few)]).toEqual([2, sum([...runs])]);
    expect(few.length).toBeLessThan(runs.length / 3);
    folds.toggle(fold.id);
    expect(bundled(runs, (r) => folds.bundle(r.of))).toEqual(runs);
  });

  it("are one layer for each item and kind, as high as its blocks together", () => {
    const { blocks, groups, ticks } = panel<MemoryPanel>("memory"), folds = open(), columns = columnsOf(blocks, scene.steps.map((s) => s.at!));
    const few = layersOf(blocks, columns, "group", undefined, (b) => folds.bundle(b.of)), all = layersOf(blocks, columns, "group");
    const high = (layers: typeof all) => columns.map((_, k) => layers.reduce((n, l) => n + ((l.high[k - l.first] ?? 0) - (l.low[k - l.first] ?? 0)), 0));
    expect(high(few)).toEqual(high(all));
    expect(few.filter((l) => l.id === fold.items[5]!.id).length).toBeLessThanOrEqual(groups.length);
    expect(few.length).toBeLessThan(all.length / 2);
    expect(bundledTicks(ticks!, (t) => folds.bundle(t.of)).filter((t) => t.op === fold.items[5]!.id).length).toBe(2);
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
  const shown = (at: number) => { host = document.createElement("div"); document.body.append(host); view = mount(host, folded(), { step: at }); };
  afterEach(() => { view.destroy(); host.remove(); });

  it("opens a box, follows the clock, and shows the item that is chosen", () => {
    shown(0);
    const inset = () => all(".inset")[0] as HTMLElement, ids = () => all(".inset [data-id]").map((e) => e.getAttribute("data-id"));
    expect(inset().hidden).toBe(true);
    (all(".pictures .node.fold")[0] as SVGElement).dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true }));
    expect(inset().hidden).toBe(false);
    view.seek(scene.steps.findIndex((s) => s.of === fold.items[7]!.id && s.phase === "backward"));
    expect(all(".fold-where")[0]!.textContent).toBe("8 of 10");
    expect(fold.items[7]!.ids).toEqual(expect.arrayContaining(ids()));
    (all(".inset button").find((b) => b.textContent === "›") as HTMLElement).click();
    expect(all(".fold-where")[0]!.textContent).toBe("9 of 10");
    view.seek(0);
    expect(all(".fold-where")[0]!.textContent).toBe("9 of 10");
    (all(".inset button")[0] as HTMLElement).click();
    expect(inset().hidden).toBe(true);
  });

  it("lights the cell and the runs of an item for what is folded away in it, and opens it when it is looked for", () => {
    shown(0);
    const op = fold.items[4]!.ids[0]!, block = panel<MemoryPanel>("memory").blocks.find((b) => b.of === fold.items[4]!.id)!.id;
    for (const id of [block, op]) {
      host.shadowRoot!.querySelector(".box")!.dispatchEvent(new Event("pointerleave"));
      view.select(null);
      if (id === op) (all(".inset button")[0] as HTMLElement).click();
      view.select(id);
      const lit = new Set(all("[data-lit]").map((e) => e.getAttribute("data-id")));
      expect(lit).toContain(id === op ? op : fold.items[4]!.id);
    }
    expect((all(".inset")[0] as HTMLElement).hidden).toBe(false);
    expect(all(".fold-where")[0]!.textContent).toBe("5 of 10");
  });
});
