import { SUM_HEIGHT, type SumDrawing } from "../../core/drawing";
import type { SumBox } from "../../core/fold";
import { around } from "../../core/geometry";
import { Painted, s } from "../dom";
import type { Mark } from "./mark";

/** The box under a value where its partial adjoints add up; under a leaf it is a tray with a name, open until filled. */
export function sumMark(sum: SumDrawing, last: SumBox | undefined): Mark {
  const { x, y, w } = sum, left = x - w / 2, tray = sum.tray !== null;
  const shape = tray
    ? s("path", { class: "frame", d: `M${left} ${y}v${SUM_HEIGHT - 4}q0 4 4 4h${w - 8}q4 0 4 -4v-${SUM_HEIGHT - 4}` })
    : s("rect", { class: "frame", x: left, y: y + 0.5, width: w, height: SUM_HEIGHT, rx: 4 });
  const text = s("text", { class: "mono num", x, y: y + 18 });
  const root = s("g", { "data-id": sum.id }, s("rect", { class: "fill", x: left, y: y + 0.5, width: w, height: SUM_HEIGHT, rx: tray ? 3 : 4 }), shape, text);
  if (tray) root.append(s("text", { class: "small mono tray-name", x, y: y + SUM_HEIGHT + 15 }, sum.tray));
  const painted = new Painted(root, tray ? "sum tray" : "sum");
  let shown: SumBox | undefined = tray ? undefined : last;
  text.replaceChildren(...parts(shown));
  return {
    area: around(x, y + SUM_HEIGHT, w + 80, 2 * SUM_HEIGHT + 40),
    parts: [["sums", root]],
    draw(frame) {
      const box = frame.sums.get(sum.id);
      if (box !== shown && (box || tray)) {
        shown = box;
        text.replaceChildren(...parts(box));
      }
      painted.state(box === undefined ? "" : `on ${box.state}`);
    },
  };
}

/** "6" in the colour of its state; a wrong number is followed by the right one: "6 ≠ 10". */
function parts(box: SumBox | undefined): (Node | string)[] {
  if (box === undefined) return ["?"];
  if (box.right === undefined) return [box.text];
  return [s("tspan", { class: "bad" }, box.text), s("tspan", { class: "unequal" }, " ≠ "), s("tspan", { class: "good" }, box.right)];
}
