/** Kernels: an outline is drawn round what they hold; two of them grow into one. */
import type { Frame } from "../fold";
import type { SceneEvent } from "../scene";
import { from, type Move } from "./moves";
import type { Places } from "./places";
import type { ValueEvent } from "./values";

export type Hull = Extract<SceneEvent, { type: "hull" }>;

/** Two kernels grow into one: the hulls reach for each other, what passed between them stays in a register. */
export function close(places: Places, before: Frame, hulls: readonly Hull[], values: readonly ValueEvent[]): Move[] {
  const out: Move[] = [];
  for (const hull of hulls) {
    const was = before.hulls.get(hull.id);
    if (!hull.ids.length || was?.ids.join() === hull.ids.join()) continue;
    const eaten = [...before.hulls].filter(([id, h]) => id !== hull.id && h.ids.some((i) => hull.ids.includes(i))).map(([, h]) => h.ids), to = places.around(hull.ids);
    for (const ids of [...(was ? [was.ids] : []), ...eaten]) out.push({ do: "grow", look: "kernel", at: 0, for: 560, ease: "both", under: true, rects: [{ t: 0, rect: places.around(ids) }, { t: 1, rect: to }] });
    out.push(from({ id: hull.id, is: "hull" }, { opacity: "0" }, was || eaten.length ? 560 : 0, 160));
  }
  for (const v of values) {
    const n = places.nodes.get(v.id), text = before.values.get(v.id);
    if (!n || text === undefined || text === v.value) continue;
    out.push(from({ id: v.id, is: "node", part: ".val" }, { opacity: "0" }, 620, 200));
    out.push({ do: "actor", look: "value", text, box: { w: n.w, h: n.h }, at: 0, for: 900, ease: "in", keys: [{ t: 0, x: n.cx, y: n.y, o: 1 }, { t: 0.5, x: n.cx, y: n.y, o: 1 }, { t: 0.9, x: n.cx, y: n.y + 50, o: 0.9, s: 0.9 }, { t: 1, x: n.cx, y: n.y + 70, o: 0, s: 0.9 }] });
  }
  return out;
}
