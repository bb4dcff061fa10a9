/**
 * What no picture has, and what would keep a browser busy for ever: numbers that are none, sizes of nothing, more parts
 * than a page can hold. A file from anywhere may have them.
 */
import type { Graph, Panel, Scene } from "./scene";

/** More parts than this would keep the browser busy for so long that the page seems to be frozen. */
export const MOST = 400_000;
/** Pixels: of one thing, and of where it stands. */
const LARGE = 20_000, FAR = 1e8;

/** No number is infinite, missing, or larger than JavaScript can count: loops over such numbers would never end. */
export function sensible(thing: unknown): boolean {
  if (typeof thing === "number") return Math.abs(thing) <= Number.MAX_SAFE_INTEGER;
  if (typeof thing !== "object" || thing === null) return true;
  if (Array.isArray(thing)) return thing.every(sensible);
  for (const key in thing) if (!sensible((thing as Record<string, unknown>)[key])) return false;
  return true;
}

/** The sizes over which a panel of a kind counts, and the least that they may be. */
function sizesOf(panel: Panel): { least: number; sizes: readonly unknown[] } {
  if (panel.kind === "tiling") return { least: 1, sizes: [panel.m, panel.n, panel.k, ...panel.ways.flatMap((w) => [w.rows, w.columns, w.count])] };
  if (panel.kind === "strides") return { least: 0, sizes: panel.views.flatMap((v) => v.shape) };
  if (panel.kind === "arena") return { least: 0, sizes: [panel.bytes, panel.bound, ...panel.blocks.flatMap((b) => [b.bytes, b.offset, b.first, b.last])] };
  return { least: 0, sizes: [] };
}

/** What is wrong with the sizes of a panel, in words; null if nothing is. */
export function wrongSize(panel: Panel): string | null {
  const { least, sizes } = sizesOf(panel), most = panel.kind === "arena" ? Number.MAX_SAFE_INTEGER : MOST;
  const wrong = sizes.find((n) => !Number.isInteger(n) || (n as number) < least || (n as number) > most);
  return wrong === undefined ? null : `its ${panel.kind} panel has a size of ${String(wrong)}, where whole numbers from ${least} on are needed`;
}

/** The same of a graph: where its things stand, and how large they are. */
export function wrongPlace(graph: Graph): string | null {
  const far = (n: unknown) => typeof n !== "number" || !(Math.abs(n) <= FAR), large = (n: unknown) => typeof n !== "number" || !(n > 0 && n <= LARGE);
  if (far(graph.width) || far(graph.height)) return "its graph is larger than any page";
  for (const n of graph.nodes) if (far(n.x) || far(n.y) || large(n.w) || large(n.h)) return `its node "${n.id}" has no place, or no size, in the picture`;
  for (const p of graph.pins) if (far(p.x) || far(p.y)) return `its pin "${p.id}" has no place in the picture`;
  for (const e of graph.edges) if (e.via?.some((at) => !Array.isArray(at) || far(at[0]) || far(at[1]))) return `its edge "${e.id}" leads to no place in the picture`;
  return null;
}

/** Whether there is more to draw and to tell than a page can hold, however deep it lies. */
export function tooMany(scene: Scene): boolean {
  let count = 0;
  const walk = (thing: unknown): void => {
    if (typeof thing !== "object" || thing === null) return;
    if (Array.isArray(thing)) {
      for (let k = 0; k < thing.length && count <= MOST; k++) { count++; walk(thing[k]); }
    } else for (const key in thing) walk((thing as Record<string, unknown>)[key]);
  };
  for (const part of [scene.panels, scene.kept, scene.source, scene.legend, scene.folds, scene.graph, scene.steps, scene.wrong]) walk(part);
  return count > MOST;
}
