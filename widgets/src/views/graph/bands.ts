import type { Point } from "../../core/geometry";
import type { GraphScene } from "../../core/scene";
import { h } from "../dom";

/** Layers of the picture, as wide as it is, and their labels, which stand in sight however far one scrolls. */
export function bandsOf(scene: GraphScene, origin: Point): HTMLElement[] {
  return (scene.graph.bands ?? []).flatMap((band) => {
    const back = h("div", { class: "layer-band" }), head = h("div", { class: "layer-head" }, h("span", {}, band.label));
    for (const element of [back, head]) element.style.top = `${band.y - origin.y}px`;
    back.style.height = `${band.h}px`;
    return [back, head];
  });
}
