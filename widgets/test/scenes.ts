import type { GraphScene, Scene, Step } from "../src/core/scene";
import arenaJson from "./scenes/arena.json";
import backward from "./scenes/backward.json";
import foldedJson from "./scenes/folded.json";
import fusionJson from "./scenes/fusion.json";
import inplace from "./scenes/inplace.json";
import labJson from "./scenes/lab.json";
import memoryJson from "./scenes/memory.json";
import modulesJson from "./scenes/modules.json";
import sourceJson from "./scenes/source.json";
import stridesJson from "./scenes/strides.json";
import tilingJson from "./scenes/tiling.json";
import tapeJson from "./scenes/tape.json";
import twiceJson from "./scenes/twice.json";
import timelineJson from "./scenes/timeline.json";

/** A fresh copy of an example: tests may change it. */
export const example = (name: "backward" | "inplace" = "backward"): GraphScene =>
  structuredClone({ backward, inplace }[name]) as unknown as GraphScene;

/** Scenes that Python writes: `python -m tests.widgets.fixtures`. */
const written = (scene: unknown) => (): Scene => structuredClone(scene) as Scene;
export const memory = written(memoryJson), lab = written(labJson), timeline = written(timelineJson), strides = written(stridesJson), modules = written(modulesJson), source = written(sourceJson), fusion = written(fusionJson), tiling = written(tilingJson), twice = written(twiceJson), tape = written(tapeJson), folded = written(foldedJson), arena = written(arenaJson);

export const step = (say: string, more: Partial<Step> = {}): Step => ({ phase: "forward", say, line: null, focus: [], events: [], ...more });

/** A chain of `n` values with an op before each. */
export function chain(n: number): GraphScene {
  const scene = example();
  scene.graph = { width: 200 * n, height: 200, nodes: [], edges: [], pins: [] };
  scene.steps = [step("start", { phase: "start" })];
  delete scene.wrong;
  for (let k = 0; k < n; k++) {
    scene.graph.nodes.push({ id: `op${k}`, kind: "op", label: "mul", x: 200 * k + 30, y: 100, w: 48, h: 34 });
    scene.graph.nodes.push({ id: `v${k}`, kind: "value", label: `v${k}`, x: 200 * k + 120, y: 100, w: 64, h: 34 });
    scene.graph.edges.push({ id: `op${k}>v${k}`, from: `op${k}`, to: `v${k}` });
    if (k > 0) scene.graph.edges.push({ id: `v${k - 1}>op${k}`, from: `v${k - 1}`, to: `op${k}` });
    scene.steps.push(step(`v${k} = ${k}`, { focus: [`op${k}`], events: [{ type: "value", id: `v${k}`, value: String(k) }] }));
  }
  return scene;
}
