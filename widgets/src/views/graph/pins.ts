import type { PinDrawing } from "../../core/drawing";
import { pathOf } from "../../core/geometry";
import { Painted, s } from "../dom";
import { areaOf, type Mark } from "./mark";

/** A saved value: a tag pinned to the op that keeps it, with a dotted link to the value. Freed, the tag stays as a ghost. */
export function pinMark(pin: PinDrawing): Mark {
  const { x, y, w } = pin.tag, [a, b] = pin.needle;
  const root = s("g", { "data-id": pin.id },
    s("path", { class: "link", d: pathOf(pin.link) }),
    s("g", { class: "drop" },
      s("path", { class: "needle", d: `M${a.x} ${a.y}L${b.x} ${b.y}` }),
      s("rect", { class: "tag", x: x - w / 2, y: y - 10, width: w, height: 20, rx: 10 }),
      s("text", { class: "mono small", x, y: y + 4 }, pin.label)));
  const painted = new Painted(root, "pin");
  return {
    area: areaOf(pin.link, 70),
    parts: [["pins", root]],
    draw(frame, now) {
      const state = frame.pins.get(pin.id);
      painted.state(state === undefined ? "" : `on ${state === "on" ? "" : state}${now.has(pin.id) ? " now" : ""}`);
    },
  };
}
