import { around, type Point } from "../../core/geometry";
import { Painted, s } from "../dom";
import type { Mark } from "./mark";

/** What a hook did to a gradient: one line under its box. */
export function hookMark(id: string, at: Point): Mark {
  const root = s("text", { x: at.x, y: at.y, "data-id": id });
  const painted = new Painted(root, "small hook", root);
  return {
    area: around(at.x, at.y, 320, 40),
    parts: [["sums", root]],
    draw(frame) {
      const text = frame.hooks.get(id);
      if (text !== undefined) painted.text(text);
      painted.state(text === undefined ? "" : "on");
    },
  };
}

/** A node has hooks: a round mark at its corner, filled while one fires. */
export function hookedMark(id: string, at: Point): Mark {
  const root = s("g", { "data-id": id, transform: `translate(${at.x} ${at.y})` },
    s("circle", { r: 8.5 }), s("text", { class: "small mono", y: 4 }, "ƒ"));
  const painted = new Painted(root, "hooked");
  return {
    area: around(at.x, at.y, 24, 24),
    parts: [["chips", root]],
    draw(frame, now) {
      painted.state(frame.hooked.has(id) ? (now.has(`hook:${id}`) ? "on now" : "on") : "");
    },
  };
}
