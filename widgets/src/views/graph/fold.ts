import type { Folds } from "../../core/folds";
import { around } from "../../core/geometry";
import { toneOf } from "../../core/phases";
import type { Placed } from "../../core/routes";
import type { Fold } from "../../core/scene";
import { Painted, s } from "../dom";
import type { Mark } from "./mark";

/** More items than this share cells. */
const CELLS = 40;

/** A box for all items of a fold: a stack, with one cell for each item that fills as it runs, forward and back. */
export function foldMark(node: Placed, fold: Fold, folds: Folds, on: (id: string) => boolean): Mark {
  const { w, h, cx, y } = node, each = Math.ceil(fold.items.length / CELLS), count = Math.ceil(fold.items.length / each), room = (w - 16) / count;
  const cells = Array.from({ length: count }, (_, k) => new Painted(s("rect", {
    x: -w / 2 + 8 + k * room, y: h / 2 - 11, width: Math.max(1, room - 1), height: 6, "data-id": each === 1 ? fold.items[k]!.id : null,
  }), "cell"));
  const root = s("g", { transform: `translate(${cx} ${y})`, "data-id": node.id, tabindex: -1, role: "button", "aria-expanded": "false", "aria-label": `${node.label}: open` },
    ...[8, 4, 0].map((by) => s("rect", { class: by === 0 ? "body" : "behind", x: -w / 2 + by, y: -h / 2 - by, width: w, height: h, rx: 4 })),
    s("text", { class: "mono val", y: -1 }, node.label), ...cells.map((c) => c.element));
  const painted = new Painted(root, "node fold");
  return {
    area: around(cx, y, w + 40, h + 60),
    parts: [["nodes", root]],
    draw(frame, _now, tone) {
      const states = new Array<string>(count).fill("");
      let loud = false;
      fold.items.forEach((item, k) => { if (fold.out !== undefined && frame.values.has(item.ids[fold.out]!)) states[Math.floor(k / each)] = "on forward"; });
      for (const pass of folds.passes) {
        if (pass.first > frame.at) break;
        if (pass.fold !== fold) continue;
        const runs = frame.at <= pass.last;
        states[Math.floor(pass.item / each)] = `${runs ? "now" : "on"} ${toneOf(pass.phase)}`;
        loud ||= runs;
      }
      cells.forEach((c, k) => c.state(states[k]!));
      const open = folds.isOpen(fold.id);
      root.setAttribute("aria-expanded", String(open));
      painted.state(`${on(node.id) ? "on" : ""}${loud ? ` now ${tone}` : ""}${open ? " open" : ""}`);
    },
  };
}
