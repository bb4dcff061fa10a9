import type { LegendSymbol, Scene } from "../core/scene";
import { h, s } from "./dom";

const pill = (cls: string, ...more: SVGElement[]) => s("g", { class: cls }, s("rect", { class: "body", x: 1, y: 2, width: 24, height: 12, rx: 6 }), ...more);
const double = () => s("rect", { class: "inner", x: 3, y: 4, width: 20, height: 8, rx: 4 });

const square = (cls: string) => s("rect", { class: cls, x: 5, y: 1, width: 16, height: 14 });

const SYMBOLS: Record<LegendSymbol, { word: string; draw: () => SVGElement }> = {
  value: { word: "value", draw: () => pill("node value on") },
  leaf: { word: "leaf", draw: () => pill("node leaf on", double()) },
  param: { word: "parameter", draw: () => pill("node param on", double()) },
  input: { word: "input, no gradient", draw: () => pill("node input on") },
  const: { word: "constant", draw: () => pill("node const on") },
  op: { word: "op", draw: () => s("g", { class: "node op on" }, s("rect", { class: "body", x: 3, y: 1, width: 20, height: 14, rx: 3 })) },
  fold: { word: "repeats, folded", draw: () => s("g", { class: "node fold on" }, s("rect", { class: "behind", x: 6, y: 1, width: 19, height: 11, rx: 3 }), s("rect", { class: "body", x: 2, y: 4, width: 19, height: 11, rx: 3 })) },
  batch: { word: "batch axis", draw: () => pill("node value on", s("path", { class: "batch", d: "M12 2H7A6 6 0 0 0 7 14H12z" }), s("path", { class: "batch-edge", d: "M12 2V14M14 2V14" })) },
  cotangent: { word: "gradient", draw: () => s("g", { class: "back on" }, s("path", { class: "dash", d: "M8 8H25" }), s("path", { class: "tip", d: "M1 8l9-4v8z" })) },
  tangent: { word: "tangent", draw: () => s("g", { class: "push on" }, s("path", { class: "outer", d: "M1 8H18" }), s("path", { class: "core", d: "M1 8H18" }), s("path", { class: "tip", d: "M25 8l-9-4v8z" })) },
  saved: { word: "saved for backward", draw: () => s("g", { class: "pin on" }, s("path", { class: "needle", d: "M13 9v7" }), s("rect", { class: "tag", x: 3, y: 1, width: 20, height: 9, rx: 4.5 })) },
  tray: { word: ".grad", draw: () => s("g", { class: "sum tray on" }, s("rect", { class: "fill", x: 3, y: 3, width: 20, height: 11 }), s("path", { class: "frame", d: "M3 2v9q0 3 3 3h14q3 0 3-3v-9" })) },
  write: { word: "written in place", draw: () => s("g", { class: "badge on" }, s("rect", { x: 1, y: 2, width: 24, height: 12, rx: 6 })) },
  hook: { word: "hook", draw: () => s("g", { class: "hooked on", transform: "translate(13 8)" }, s("circle", { r: 7.5 }), s("text", { class: "small", y: 4 }, "ƒ")) },
  faded: { word: "not kept", draw: () => pill("node value on gone") },
  hull: { word: "kernel", draw: () => s("g", { class: "hull on" }, s("rect", { class: "hull-line", x: 1, y: 1, width: 24, height: 14, rx: 4 })) },
  read: { word: "read", draw: () => s("g", { class: "tf-cell on tf-value" }, s("rect", { class: "tf-body", x: 4, y: 2, width: 18, height: 12, rx: 3 })) },
  "write-cell": { word: "written", draw: () => s("g", { class: "tf-cell on tf-value" }, s("rect", { class: "tf-body", x: 4, y: 2, width: 18, height: 12, rx: 3 }), s("path", { class: "tf-stroke", d: "M6 13L14 3M12 13L20 3" })) },
  fetched: { word: "fetched from memory", draw: () => square("ti-fetched") },
  found: { word: "found in the cache", draw: () => square("ti-found") },
  held: { word: "held in the cache", draw: () => square("ti-held") },
  done: { word: "computed", draw: () => square("ti-done") },
  wrong: { word: "wrong number", draw: () => s("g", { class: "sum wrong on" }, s("rect", { class: "fill", x: 2, y: 2, width: 22, height: 12, rx: 3 }), s("rect", { class: "frame", x: 2, y: 2, width: 22, height: 12, rx: 3 })) },
};

/** In forward mode an input without a gradient is one that stands still; under vmap none has one. */
function wordOf(scene: Scene, name: LegendSymbol): string {
  if (scene.view === "fusion") return { input: "argument", faded: "in a register" }[name as string] ?? SYMBOLS[name].word;
  if (name !== "input" || scene.view === "backward") return SYMBOLS[name].word;
  return scene.view === "forward" ? "input, no tangent" : scene.legend.includes("batch") ? "input" : SYMBOLS[name].word;
}

/** The symbols this scene uses, each with its word. Unknown names are left out. */
export function legend(scene: Scene): HTMLElement {
  const items = scene.legend.filter((name) => name in SYMBOLS).map((name) => {
    return h("li", {}, s("svg", { width: 26, height: 16, viewBox: "0 0 26 16", "aria-hidden": "true" }, SYMBOLS[name].draw()), wordOf(scene, name));
  });
  return h("ul", { class: "legend", "aria-label": "Legend" }, ...items);
}
