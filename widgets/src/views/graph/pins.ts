import type { PinDrawing } from "../../core/drawing";
import { pathOf } from "../../core/geometry";
import { Painted, s } from "../dom";
import { areaOf, grow, type Mark } from "./mark";

/** A saved value: a tag pinned to the op that keeps it, linked to the value by dots. Freed, the tag stays as a ghost. */
export function pinMark(pin: PinDrawing): Mark {
  const { x, y, w } = pin.tag, [a, b] = pin.needle;
  const root = s("g", { "data-id": pin.id },
    ...(pin.link.length ? [s("path", { class: "link", d: pathOf(pin.link) })] : []),
    s("g", { class: "drop" },
      s("path", { class: "needle", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }),
      s("rect", { class: "tag", x: x - w / 2, y: y - 10, width: w, height: 20, rx: 10 }),
      s("text", { class: "mono small", x, y: y + 4 }, pin.label)));
  const painted = new Painted(root, "pin");
  return {
    area: pin.link.length ? areaOf(pin.link, 70) : grow({ x, y, w: 0, h: 0 }, w / 2 + 70),
    parts: [["pins", root]],
    draw(frame, now) {
      const state = frame.pins.get(pin.id);
      painted.state(state === undefined ? "" : `on ${state === "on" ? "" : state}${now.has(pin.id) ? " now" : ""}`);
    },
  };
}
