/** Values: born, carried into an op, made, written over; and what an op keeps of them. */
import type { Frame } from "../fold";
import type { EdgeDrawing } from "../drawing";
import { pathOf } from "../geometry";
import type { SceneEvent } from "../scene";
import { appears, from, keysAlong, later, lengthAlong, lengthOf, type Move, pace, until } from "./moves";
import { chip, grouped, type Places, way } from "./places";

export type ValueEvent = Extract<SceneEvent, { type: "value" }>;
type Write = Extract<SceneEvent, { type: "write" }>;

const POP = 180, BEAT = 90, HEAD = 400;

/** Copies of the inputs run into the op, the op answers, its result runs on. Values without an op are born where they stand. */
export function compute(places: Places, before: Frame, values: readonly ValueEvent[]): Move[] {
  const out: Move[] = [], made = new Map<string, number>(), makers = grouped(values, (v) => places.into(v.id)[0]?.from);
  (makers.get(undefined) ?? []).forEach((v, k) => {
    out.push(...later(born(v.id), k * BEAT));
    made.set(v.id, k * BEAT + POP);
  });
  makers.delete(undefined);
  const text = (id: string) => values.find((v) => v.id === id)?.value ?? before.values.get(id) ?? (places.nodes.get(id)?.kind === "const" ? places.nodes.get(id)!.label : "");
  let ready = 0; // one op at a time
  for (const [op, results] of makers) {
    const start = Math.max(ready, ...places.into(op!).map((e) => made.get(e.from) ?? 0));
    const part = run(places, op!, results, text);
    out.push(...later(part, start));
    ready = start + lengthOf(part) - 60;
    for (const v of results) made.set(v.id, ready);
  }
  return out;
}

/** One op runs. */
function run(places: Places, op: string, results: readonly ValueEvent[], text: (id: string) => string): Move[] {
  const node = places.nodes.get(op)!, out: Move[] = [], how = results.length === 1 ? results[0]!.how : undefined;
  const met = Math.max(0, ...places.into(op).map((e, k) => {
    const moves = carried(places, e, text(e.from));
    out.push(...later(moves, k * BEAT));
    return k * BEAT + lengthOf(moves);
  }));
  out.push(from({ id: op, is: "node", part: ".body" }, { fill: "var(--bg)", stroke: "var(--ghost)", strokeWidth: "1.5px" }, Math.max(0, met - 60), POP));
  let done = met + 60;
  if (how !== undefined) { // the equation stands under the op for as long as it takes to read it, and goes in
    const x = node.cx, y = node.y + node.h / 2 + 16;
    out.push({ do: "actor", look: "plain", text: how, box: chip(how), staged: true, at: Math.max(0, met - 40), for: 640, ease: "out", keys: [{ t: 0, x, y: node.y, s: 0.6, o: 0 }, { t: 0.22, x, y, s: 1, o: 1 }, { t: 0.8, x, y, s: 1, o: 1 }, { t: 1, x, y: node.y, s: 0.6, o: 0 }] });
    done = met + 520;
  }
  for (const v of results) {
    const edge = places.into(v.id).find((e) => e.from === op)!, points = [places.middle(op), ...way(edge.forward), places.middle(v.id)];
    const time = Math.max(260, pace(lengthAlong(points)) - 60);
    out.push({ do: "trace", what: { id: edge.id, is: "edge" }, d: pathOf(edge.forward), at: done, for: time - 80, ease: "both", over: "value" });
    out.push({ do: "actor", look: "value", text: v.value, box: chip(v.value), at: done, for: time, ease: "both", keys: keysAlong(points, { s: 0.7, o: 1 }, { s: 1, o: 1 }) });
    out.push(...later(filled(v.id), done + time - 60));
  }
  return out;
}

/** A copy of a value runs into the op that reads it; its edge takes colour behind it. */
function carried(places: Places, edge: EdgeDrawing, text: string): Move[] {
  const points = [places.middle(edge.from), ...way(edge.forward)], time = pace(lengthAlong(points));
  const line: Move = { do: "trace", what: { id: edge.id, is: "edge" }, d: pathOf(edge.forward), at: 30, for: time - 30, ease: "both", over: "value" };
  if (text === "") return [line];
  return [line, { do: "actor", look: "value", text, box: chip(text), at: 0, for: time, ease: "both", keys: keysAlong(points, { s: 1, o: 1 }, { s: 0.7, o: 1 }) }];
}

/** A pill where only its ghost was: outline first, then its number. */
const born = (id: string): Move[] => [...later(filled(id), 60), from({ id, is: "node" }, { scale: "0.82" }, 0, POP + 40)];

const filled = (id: string): Move[] => [
  from({ id, is: "node", part: ".body" }, { fill: "var(--bg)", stroke: "var(--ghost)" }, 0, POP),
  from({ id, is: "node", part: ".inner" }, { stroke: "var(--ghost)" }, 0, POP),
  appears({ id, is: "node", part: ".val" }, 0),
];

/** The tag comes out of the op that keeps it, and ties its thread to the value. */
export function save(places: Places, ids: readonly string[]): Move[] {
  return ids.flatMap((id, k): Move[] => {
    const pin = places.pins.get(id);
    if (!pin) return [];
    const [, foot] = pin.needle, at = k * BEAT;
    const thread: Move[] = pin.link.length ? [{ do: "trace", what: { id, is: "pin", part: ".link" }, d: pathOf(pin.link), at: at + 160, for: 320, ease: "both", backwards: true }] : [];
    return [from({ id, is: "pin", part: ".drop" }, { translate: `${foot.x - pin.tag.x}px ${foot.y - pin.tag.y}px`, opacity: "0" }, at, 260), ...thread];
  });
}

/** A node is read: what its op kept goes into it, when the head has come to its frame. */
export function use(places: Places, ids: readonly string[]): Move[] {
  return ids.flatMap((id): Move[] => {
    const pin = places.pins.get(id);
    if (!pin) return [];
    const { x, y, w } = pin.tag, [, foot] = pin.needle;
    return [{ do: "actor", look: "saved", text: pin.label, box: { w, h: 20 }, at: HEAD, for: 360, ease: "both", keys: [{ t: 0, x, y, o: 1 }, { t: 0.8, x: foot.x, y: foot.y + 14, s: 0.8, o: 1 }, { t: 1, x: foot.x, y: foot.y + 18, s: 0.7, o: 0 }] }];
  });
}

/** The tag lets go: its copy falls and fades, a ghost stays. */
export function free(places: Places, ids: readonly string[]): Move[] {
  return ids.flatMap((id, k): Move[] => {
    const pin = places.pins.get(id);
    if (!pin) return [];
    const { x, y, w } = pin.tag, at = k * 60, box = { w, h: 20 };
    return [
      ...[".needle", ".link"].map((part) => from({ id, is: "pin", part }, { visibility: "visible" }, at, 90, "hold")),
      until(at, "saved", pin.label, x, y, box),
      { do: "actor", look: "saved", text: pin.label, box, at, for: 420, ease: "in", keys: [{ t: 0, x, y, o: 1 }, { t: 0.25, x, y: y - 4, o: 1 }, { t: 1, x, y: y + 30, o: 0, r: 10 }] },
      from({ id, is: "pin", part: ".drop" }, { opacity: "0" }, at + 120, 240),
    ];
  });
}

/** What stood in a pill goes, what was written in place comes. */
export function write(places: Places, before: Frame, events: readonly Write[]): Move[] {
  return events.flatMap((e, k): Move[] => {
    const node = places.nodes.get(e.id), was = before.values.get(e.id), at = k * BEAT;
    if (!node) return [];
    if (was === undefined) return [appears({ id: e.id, is: "node", part: ".badge" }, at)]; // a version of its own, just made
    return [
      until(at, "value", was, node.cx, node.y),
      { do: "actor", look: "value", text: was, at, for: 300, ease: "in", keys: [{ t: 0, x: node.cx, y: node.y, o: 1 }, { t: 1, x: node.cx, y: node.y + 22, o: 0 }] },
      from({ id: e.id, is: "node", part: ".val" }, { opacity: "0", translate: "0 -14px" }, at + 160, 240),
      from({ id: e.id, is: "node", part: ".badge" }, { opacity: "0" }, at + 160, 240),
    ];
  });
}
