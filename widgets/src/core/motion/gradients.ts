/** Gradients and tangents: what is multiplied, the way that it goes, the tray in which it is added. */
import { SUM_HEIGHT, type SumDrawing } from "../drawing";
import type { Frame } from "../fold";
import { pathOf, type Point, pt } from "../geometry";
import type { SceneEvent } from "../scene";
import { monoWidth } from "../words";
import { appears, from, keysAlong, later, lengthAlong, type Look, type Move, pace, until } from "./moves";
import { chip, type Places, shareAt, way } from "./places";

export type Send = Extract<SceneEvent, { type: "send" }>;
export type Push = Extract<SceneEvent, { type: "push" }>;
export type Sum = Extract<SceneEvent, { type: "sum" }>;

/** When the factors have come together, when their product leaves, when nothing of them is left. */
const MET = 360, READ = 740, GONE = 860;

/** What came from above and what was saved meet at the op; their product runs down the dashed edge into the tray. */
export function send(places: Places, before: Frame, sent: Send, sum: Sum | undefined): Move[] {
  const edge = places.edges.get(sent.edge), target = edge && places.nodes.get(edge.from);
  if (!edge?.back || !target || !places.nodes.has(edge.to)) return [];
  const out = gather(places, edge.to, sent), ready = out.length ? READ : 0;
  const points = [places.middle(edge.to), ...way(edge.back.curve, true)], along = pace(lengthAlong(points)) + 60;
  out.push(...later(travel(sent.edge, "back", "cot", sent.value, points, along, shareAt(points, edge.back.chip), pathOf(edge.back.curve)), ready));
  const tray = places.sums.get(edge.from);
  if (!tray || !sum) return out;
  const tip = points.at(-1)!, end = pt(slotOf(tray, sum, sent.edge), tray.y + SUM_HEIGHT / 2), side = pt(tip.x + Math.sign(target.cx - tip.x) * 4, target.y + target.h / 2);
  const drop = Math.max(200, pace(Math.hypot(end.x - tip.x, end.y - tip.y)) - 40);
  out.push({ do: "actor", look: "cot", text: sent.value, box: chip(sent.value), at: ready + along, for: drop, ease: "both", keys: keysAlong([tip, side, end], {}, { s: 1, o: 1 }) });
  out.push(...later(receive(tray, before, sum), ready + along + drop - 40));
  return out;
}

/** Forward mode: a part of a tangent goes along an edge, from its value to its consumer. */
export function push(places: Places, pushed: Push): Move[] {
  const edge = places.edges.get(pushed.edge);
  if (!edge?.back) return [];
  const points = [places.middle(edge.from), ...way(edge.back.curve), places.middle(edge.to)], time = pace(lengthAlong(points)) + 60;
  return travel(pushed.edge, "push", "tan", pushed.value, points, time, shareAt(points, edge.back.chip), pathOf(edge.back.curve), false);
}

/** A number draws its line behind it, and leaves its chip on the way. */
function travel(id: string, is: string, look: Look, text: string, points: readonly Point[], time: number, chipAt: number, d: string, backwards = true): Move[] {
  return [
    { do: "trace", what: { id, is }, d, ...(backwards ? { backwards } : {}), at: 30, for: time - 30, ease: "both" },
    { do: "actor", look, text, box: chip(text), at: 0, for: time, ease: "both", keys: keysAlong(points, { s: 0.8, o: 1 }, { s: 1, o: 1 }) },
    from({ id, is: "chip" }, { opacity: "0" }, time * chipAt, 140),
  ];
}

/** The gradient from above, and what the op saved or knows, stand side by side under it, to be read; then they go in. */
function gather(places: Places, op: string, { above, times, by = [] }: Send): Move[] {
  const node = places.nodes.get(op)!, pins = by.flatMap((id) => places.pins.get(id) ?? []);
  if (above === undefined || (times === undefined && !pins.length)) return [];
  const result = places.outOf(op)[0]?.to, box = result === undefined ? undefined : places.sums.get(result);
  const factors = times === undefined ? pins.map((p) => p.label) : [times], texts = [above, ...factors];
  const widths = texts.map((t) => chip(t).w), all = widths.reduce((sum, w) => sum + w + 18, -18), y = node.y + node.h / 2 + 18;
  const left = node.cx - Math.max(all / 2, all - node.w / 2 - 6); // what stands at the right of the op stays free
  const middle = (k: number) => left + widths.slice(0, k).reduce((sum, w) => sum + w + 18, 0) + widths[k]! / 2;
  const stays = (x: number, start: { x: number; y: number; s?: number; o?: number }, at = 0) => {
    const t = (ms: number) => (ms - at) / (GONE - at);
    return [{ t: 0, s: 1, o: 1, ...start }, { t: t(MET), x, y, s: 1, o: 1 }, { t: t(READ), x, y, s: 1, o: 1 }, { t: 1, x: node.cx, y: node.y + 4, s: 0.8, o: 0 }];
  };
  const hidden = { x: node.cx, y: node.y, s: 0.8, o: 0 };
  const out: Move[] = [{ do: "actor", look: "cot", text: above, box: chip(above), staged: true, at: 0, for: GONE, ease: "both", keys: stays(middle(0), box ? { x: box.x, y: box.y + SUM_HEIGHT / 2 } : hidden) }];
  factors.forEach((text, k) => {
    const x = middle(k + 1), tags = times === undefined ? [pins[k]!] : pins, same = tags.length === 1 && (times === undefined || tags[0]!.label.endsWith(text));
    // A tag that says the factor is carried; of several, or of one that only leads to it, copies run together and become it.
    out.push({ do: "actor", look: tags.length ? "saved" : "plain", text, box: chip(text), staged: true, at: 60, for: GONE - 60, ease: "both", keys: stays(x, same ? { x: tags[0]!.tag.x, y: tags[0]!.tag.y } : tags.length ? { x, y, s: 0.8, o: 0 } : hidden, 60) });
    if (!same) for (const p of tags) out.push({ do: "actor", look: "saved", text: p.label, box: { w: p.tag.w, h: 20 }, at: 0, for: MET, ease: "both", keys: [{ t: 0, x: p.tag.x, y: p.tag.y, s: 1, o: 1 }, { t: 1, x, y, s: 0.9, o: 0 }] });
    const sign = (middle(k) + widths[k]! / 2 + x - widths[k + 1]! / 2) / 2;
    out.push({ do: "actor", look: "plain", text: times === undefined ? "·" : "×", staged: true, at: MET - 80, for: GONE - MET + 80, ease: "out", keys: [{ t: 0, x: sign, y, s: 0.6, o: 0 }, { t: 0.2, x: sign, y, s: 1, o: 1 }, { t: 0.76, x: sign, y, s: 1, o: 1 }, { t: 1, x: node.cx, y: node.y + 4, s: 0.8, o: 0 }] });
  });
  return out;
}

/** Where a part stands in the text of a tray. */
function slotOf(tray: SumDrawing, { text, parts = [] }: Sum, edge: string): number {
  const k = parts.findIndex((p) => p.edge === edge);
  if (k < 0) return tray.x;
  const lead = parts.slice(0, k).map((p) => `${p.text} + `).join("");
  return tray.x - monoWidth(text, 13) / 2 + monoWidth(lead, 13) + monoWidth(parts[k]!.text, 13) / 2;
}

/** What stood in the tray makes way for what is in it now. */
function receive(tray: SumDrawing, before: Frame, sum: Sum): Move[] {
  const was = before.sums.get(tray.id)?.text, old = was ?? (tray.tray === null ? "" : "?"), num = { id: tray.id, is: "sum", part: ".num" };
  if (was === sum.text) return [];
  return [
    appears(num, 0),
    from({ ...num, part: ".fill" }, { fill: "var(--bg)", outlineColor: "transparent" }, 0, 240),
    from({ ...num, part: ".frame" }, tray.tray === null && was === undefined ? { opacity: "0" } : { stroke: "var(--line)" }, 0, 160),
    ...(old === "" ? [] : [until(0, was === undefined ? "ghost" : "cot", old, tray.x, tray.y + SUM_HEIGHT / 2)]),
  ];
}

/** A sum that no edge of this step brings: a first number simply comes, "1 + 3" draws together and is 4. */
export function settle(places: Places, before: Frame, sum: Sum): Move[] {
  const tray = places.sums.get(sum.id), node = places.nodes.get(sum.id), was = before.sums.get(sum.id)?.text;
  if (!tray || !node || was === sum.text) return [];
  const { total, parts = [] } = sum, y = tray.y + SUM_HEIGHT / 2, look = sum.state === "tangent" ? "tan" : "cot";
  if (total !== undefined && parts.length > 1 && was !== undefined) return merge(tray, sum.text, parts.map((p) => p.text), total);
  return [
    { do: "actor", look, text: sum.text, box: chip(sum.text), at: 0, for: 320, ease: "both", keys: [{ t: 0, x: node.cx, y: node.y, s: 0.7, o: 0 }, { t: 0.3, x: node.cx, y: node.y + 8, s: 1, o: 1 }, { t: 1, x: tray.x, y, s: 1, o: 1 }] },
    ...later(receive(tray, before, sum), 280),
  ];
}

/** The parts bow apart and run together; the total swells and takes its place; then "1 + 3 =" comes before it. */
function merge(tray: SumDrawing, text: string, parts: readonly string[], total: string): Move[] {
  const y = tray.y + SUM_HEIGHT / 2, out: Move[] = [], plus = monoWidth(" + ", 13);
  let x = tray.x - (parts.reduce((sum, p) => sum + monoWidth(p, 13) + plus, -plus)) / 2;
  parts.forEach((part, k) => {
    const w = monoWidth(part, 13), c = x + w / 2;
    out.push({ do: "actor", look: "cot", text: part, box: chip(part), staged: true, at: 0, for: 520, ease: "both", keys: [{ t: 0, x: c, y, s: 1, o: 1 }, { t: 0.35, x: c + (c < tray.x ? -10 : 10), y, s: 1.05, o: 1 }, { t: 0.9, x: tray.x, y, s: 1, o: 1 }, { t: 1, x: tray.x, y, s: 0.9, o: 0 }] });
    x += w + plus;
    if (k < parts.length - 1) out.push({ do: "actor", look: "plain", text: "+", at: 0, for: 400, ease: "both", keys: [{ t: 0, x: x - plus / 2, y, o: 1 }, { t: 0.5, x: tray.x, y, o: 1 }, { t: 1, x: tray.x, y, o: 0, s: 0.6 }] });
  });
  const place = text.endsWith(total) ? tray.x + monoWidth(text, 13) / 2 - monoWidth(total, 13) / 2 : tray.x;
  out.push({ do: "actor", look: "cot", text: total, box: chip(total), staged: true, at: 470, for: 420, ease: "out", keys: [{ t: 0, x: tray.x, y, s: 0.7, o: 0 }, { t: 0.35, x: tray.x, y, s: 1.35, o: 1 }, { t: 0.7, x: tray.x, y, s: 1.25, o: 1 }, { t: 1, x: place, y, s: 1.05, o: 1 }] });
  out.push(from({ id: tray.id, is: "sum", part: ".num" }, { opacity: "0" }, 700, 240, "in"), from({ id: tray.id, is: "sum", part: ".fill" }, { fill: "var(--bg)" }, 480, 300));
  return out;
}

