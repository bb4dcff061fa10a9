import { describe, expect, it } from "vitest";
import { Crowd } from "../src/core/crowd";
import { drawingOf } from "../src/core/drawing";
import { around, contains, overlap, pathOf, pointAt, pt, sample, stretchFor, strokesOf } from "../src/core/geometry";
import { lanesOf } from "../src/core/lanes";
import { through } from "../src/core/routes";
import { chain, example } from "./scenes";

describe("curves", () => {
  it("pass through every point, level there", () => {
    const curve = through([pt(0, 0), pt(100, 40), pt(200, 0)]);
    expect(curve.map((c) => c[3])).toEqual([pt(100, 40), pt(200, 0)]);
    for (const [a, b, c, d] of curve) { expect(b.y).toBe(a.y); expect(c.y).toBe(d.y); }
    expect(pointAt(curve, 0.5)).toEqual(pt(100, 40));
  });

  it("are written as path data", () => {
    expect(pathOf(through([pt(0, 0), pt(100, 0)]))).toBe("M0 0C45 0 55 0 100 0");
  });

  it("are dashed but for very long level pieces, which are plain lines", () => {
    const strokes = strokesOf(through([pt(0, 0), pt(100, 40), pt(9000, 40), pt(9100, 80)]));
    expect(strokes.map((k) => k.plain)).toEqual([false, true, false]);
    expect(strokes[1]!.d).toBe("M100 40H9000");
  });

  it("stretch x within limits", () => {
    expect([stretchFor(594, 660), stretchFor(660, 660), stretchFor(3000, 660)]).toEqual([0.9, 1, 1.6]);
    expect(stretchFor(100, 660), "too wide anyhow: it scrolls").toBe(1);
  });
});

describe("lanes", () => {
  const { graph } = example(), nodes = new Map(graph.nodes.map((n) => [n.id, n]));
  const lanes = lanesOf(nodes, graph.edges, new Set(["v2>mul", "v3>mul", "v2>add", "one>add", "v1>exp"]));

  it("keep the directions of neighbouring edges apart and in order", () => {
    const at = ["v2>mul", "v2>add"].flatMap((id) => { const l = lanes.get(id)!; return l.side < 0 ? [l.out.backward, l.out.forward] : [l.out.forward, l.out.backward]; });
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(new Set(at).size).toBe(4);
  });

  it("run the upper input's gradient above, the lower one's below", () => {
    expect([lanes.get("v2>mul")!.side, lanes.get("v3>mul")!.side]).toEqual([-1, 1]);
  });

  it("keep a lone edge level", () => {
    expect(lanes.get("v1>exp")).toMatchObject({ out: { forward: 0 }, in: { forward: 0 } });
  });
});

describe("drawing", () => {
  for (const stretch of [0.9, 1, 1.6])
    it(`puts no label on another one, no edge through a label, at ${stretch}`, () => {
      for (const scene of [example(), example("inplace")]) {
        const d = drawingOf(scene, stretch);
        const bodies = d.nodes.map((n) => ({ id: n.id, r: around(n.cx, n.y, n.w, n.h) }));
        const chips = d.edges.filter((e) => e.back).map((e) => ({ id: e.id, r: around(e.back!.chip.x, e.back!.chip.y, e.back!.width, 22) }));
        const tags = d.pins.map((p) => ({ id: p.id, r: around(p.tag.x, p.tag.y, p.tag.w, 20) }));
        const sums = d.sums.map((s) => ({ id: s.id, r: around(s.x, s.y + 13, s.w, 26) }));
        const all = [...bodies, ...chips, ...tags, ...sums];
        for (const a of all) for (const b of all) if (a !== b) expect(overlap(a.r, b.r), `${a.id} on ${b.id}`).toBe(0);
        for (const e of d.edges)
          for (const b of [...bodies, ...tags, ...sums])
            if (b.id !== e.from && b.id !== e.to) expect(sample(e.forward).some((p) => contains(b.r, p)), `${e.id} through ${b.id}`).toBe(false);
        for (const p of d.pins)
          for (const b of bodies) expect(sample(p.link).some((q) => contains(b.r, q)), `${p.id} through ${b.id}`).toBe(false);
      }
    });

  it("keeps the room for the longest text from the start", () => {
    const d = drawingOf(example(), 1);
    expect(d.sums.find((s) => s.id === "v2")!.w).toBeGreaterThanOrEqual(92);
  });

  it("goes through the via points it needs, stretched in x, and leaves out the others", () => {
    const scene = example(), edge = scene.graph.edges.find((e) => e.id === "v2>mul")!;
    edge.via = [[300, 40], [480, 40]];
    const ends = () => drawingOf(scene, 1.5).edges.find((e) => e.id === "v2>mul")!.forward.map((c) => c[3]);
    expect(ends()).toHaveLength(1);
    scene.graph.nodes.push({ id: "wall", kind: "op", label: "wall", x: 390, y: 96, w: 160, h: 60 });
    expect(ends()).toContainEqual(pt(450, 40));
    expect(ends()).toContainEqual(pt(720, 40));
  });

  it("lays out a thousand nodes in well under a second", () => {
    const start = performance.now();
    drawingOf(chain(500), 1);
    expect(performance.now() - start).toBeLessThan(800);
  });
});

describe("crowd", () => {
  it("counts covered area and crossed lines, but not the label's own", () => {
    const crowd = new Crowd();
    crowd.add({ x: 0, y: 0, w: 10, h: 10 });
    crowd.addLine([pt(100, 100)], "e");
    expect(crowd.cost({ x: 5, y: 5, w: 10, h: 10 }, "x")).toBeGreaterThan(20);
    expect(crowd.cost(around(100, 100, 20, 20), "e")).toBe(0);
    expect(crowd.cost(around(100, 100, 20, 20), "f")).toBe(12);
  });
});
