import { CHIP_HEIGHT, chipWidth } from "../../core/chips";
import type { EdgeDrawing } from "../../core/drawing";
import type { Frame } from "../../core/fold";
import { arrowHead, type Point, strokesOf } from "../../core/geometry";
import { shorten } from "../../core/routes";
import { Painted, s } from "../dom";
import { areaOf, type Mark } from "./mark";

/** The forward edge: a line and its arrow, solid once both ends have happened. */
export function edgeMark(edge: EdgeDrawing, on: (frame: Frame, id: string) => boolean): Mark {
  const tip = edge.forward.at(-1)![3];
  const root = s("g", { "data-id": edge.id },
    ...strokesOf(shorten(edge.forward, "end", 6)).map(({ d }) => s("path", { class: "line", d })),
    s("path", { class: "head", d: arrowHead(tip, 1) }));
  const painted = new Painted(root, "edge");
  return {
    area: areaOf(edge.forward),
    parts: [["edges", root]],
    draw(frame, _now, tone) {
      const solid = on(frame, edge.from) && on(frame, edge.to);
      painted.state(!solid ? "" : tone === "forward" ? "on" : "on faded");
    },
  };
}

/** The way of a gradient: dashed, arrow towards the input; its number stands in a chip on a layer above. */
export function backMark(edge: EdgeDrawing, firstValue: string): Mark {
  const { curve, chip } = edge.back!, tip = curve[0]![0];
  const line = s("g", { "data-id": edge.id },
    ...strokesOf(shorten(curve, "start", 7)).map(({ d, plain }) => s("path", { class: plain ? "dash plain" : "dash", d })),
    s("path", { class: "tip", d: arrowHead(tip, -1, 6) }));
  const { tag, number, say } = chipOf(edge.id, chip, "chip", firstValue);
  const path = new Painted(line, "back");
  return {
    area: areaOf(curve, 80),
    parts: [["backs", line], ["chips", tag]],
    draw(frame, now, tone) {
      const value = frame.sends.get(edge.id), current = now.has(edge.id);
      const state = value === undefined ? "" : "on" + (current ? " now" : "") + (current && tone === "wrong" ? " wrong" : "");
      if (value !== undefined) say(value);
      path.state(state);
      number.state(state);
    },
  };
}

/** The way of a tangent: a double line, arrow towards the consumer, its number in a chip. */
export function pushMark(edge: EdgeDrawing, firstValue: string): Mark {
  const { curve, chip } = edge.back!, tip = curve.at(-1)![3];
  const pieces = strokesOf(shorten(curve, "end", 7));
  const line = s("g", { "data-id": edge.id },
    ...pieces.flatMap(({ d }) => [s("path", { class: "outer", d }), s("path", { class: "core", d })]),
    s("path", { class: "tip", d: arrowHead(tip, 1, 6) }));
  const { tag, number, say } = chipOf(edge.id, chip, "chip tangent", firstValue);
  const path = new Painted(line, "push");
  return {
    area: areaOf(curve, 80),
    parts: [["backs", line], ["chips", tag]],
    draw(frame, now) {
      const value = frame.pushes.get(edge.id), state = value === undefined ? "" : now.has(edge.id) ? "on now" : "on";
      if (value !== undefined) say(value);
      path.state(state);
      number.state(state);
    },
  };
}

/** A number on an edge. */
function chipOf(id: string, at: Point, base: string, firstValue: string): { tag: SVGElement; number: Painted; say(value: string): void } {
  const text = s("text", { class: "mono num", y: 4 }), frame = s("rect", { y: -CHIP_HEIGHT / 2, height: CHIP_HEIGHT, rx: 4 });
  const tag = s("g", { "data-id": id, transform: `translate(${at.x} ${at.y})` }, frame, text), number = new Painted(tag, base, text);
  const say = (value: string) => {
    if (!number.text(value)) return;
    frame.setAttribute("x", String(-chipWidth(value) / 2));
    frame.setAttribute("width", String(chipWidth(value)));
  };
  say(firstValue);
  return { tag, number, say };
}
