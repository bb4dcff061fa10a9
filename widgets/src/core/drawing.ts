import { chipWidth, CHIP_HEIGHT, placeChip } from "./chips";
import { Crowd } from "./crowd";
import { around, bounds, type Curve, type Point, type Rect, sample } from "./geometry";
import { lanesOf } from "./lanes";
import { pinLink, type Tag } from "./pinlinks";
import { type Placed, route } from "./routes";
import type { Scene, SceneEvent } from "./scene";
import { monoWidth } from "./words";

export interface EdgeDrawing { id: string; from: string; to: string; forward: Curve; back?: { curve: Curve; chip: Point; width: number } }
export interface PinDrawing { id: string; op: string; tag: Tag; label: string; link: Curve; needle: [Point, Point] }
export interface SumDrawing { id: string; x: number; y: number; w: number; tray: string | null }
/** Everything with its place, for one stretch. Frames only change what of it is shown. */
export interface Drawing {
  nodes: Placed[]; edges: EdgeDrawing[]; pins: PinDrawing[]; sums: SumDrawing[];
  hooks: Map<string, Point>; bounds: Rect;
}

export const SUM_HEIGHT = 26;
const SUM_GAP = 7;

/** The longest text each sum box, hook and chip ever shows, over both walks: places are kept for them from the start. */
export function longest(scene: Scene): { sums: Map<string, string>; sends: Map<string, string>; hooks: Map<string, string> } {
  const out = { sums: new Map<string, string>(), sends: new Map<string, string>(), hooks: new Map<string, string>() };
  const keep = (m: Map<string, string>, id: string, text: string) => { if (text.length >= (m.get(id)?.length ?? 0)) m.set(id, text); };
  const see = (e: SceneEvent) => {
    if (e.type === "sum") keep(out.sums, e.id, sumText(e));
    else if (e.type === "send") keep(out.sends, e.edge, e.value);
    else if (e.type === "hook") keep(out.hooks, e.id, e.text);
  };
  for (const step of [...scene.steps, ...(scene.wrong?.steps ?? [])]) step.events.forEach(see);
  return out;
}

/** What a box says: a wrong number never stands alone when the right one is known. */
export const sumText = (s: { text: string; right?: string }): string => (s.right === undefined ? s.text : `${s.text} ≠ ${s.right}`);

export function drawingOf(scene: Scene, stretch: number): Drawing {
  const { graph } = scene, texts = longest(scene), crowd = new Crowd();
  const nodes: Placed[] = graph.nodes.map((n) => ({ ...n, cx: Math.round(n.x * stretch) }));
  const byId = new Map(nodes.map((n) => [n.id, n]));
  const sums = nodes.filter((n) => n.tray || n.sum || texts.sums.has(n.id)).map((n) => sumOf(n, texts.sums.get(n.id) ?? ""));
  const hooks = new Map(sums.filter((s) => texts.hooks.has(s.id)).map((s) => [s.id, { x: s.x, y: s.y + SUM_HEIGHT + (s.tray ? 32 : 15) }]));
  const rects = [...nodes.flatMap(nodeRects), ...sums.flatMap(sumRects)];
  for (const [id, p] of hooks) rects.push(around(p.x, p.y - 4, monoWidth(texts.hooks.get(id)!, 11), 14));
  const tags = new Map(graph.pins.map((p): [string, Tag] => {
    const op = byId.get(p.op)!;
    return [p.id, { x: Math.round(op.cx + (p.x - op.x)), y: p.y, w: Math.round(monoWidth(p.label, 11) + 14) }];
  }));
  for (const t of tags.values()) rects.push(around(t.x, t.y, t.w, 20));
  rects.forEach((r) => crowd.add(r));
  const lanes = lanesOf(byId, graph.edges, new Set(texts.sends.keys()));
  const routes = graph.edges.map((e) => ({ e, lane: lanes.get(e.id)!, ...route(e, byId.get(e.from)!, byId.get(e.to)!, lanes.get(e.id)!, stretch) }));
  for (const r of routes) crowd.addLine(sample(r.forward), r.e.id);
  const edges = routes.map(({ e, lane, forward, backward }): EdgeDrawing => {
    const text = texts.sends.get(e.id), base = { id: e.id, from: e.from, to: e.to, forward };
    if (text === undefined) return base;
    const width = chipWidth(text), chip = placeChip(e.id, forward, lane.side, width, crowd);
    rects.push(around(chip.x, chip.y, width, CHIP_HEIGHT));
    return { ...base, back: { curve: backward, chip, width } };
  });
  const pins = graph.pins.map((p): PinDrawing => {
    const op = byId.get(p.op)!, tag = tags.get(p.id)!, link = pinLink(byId.get(p.of)!, tag, crowd);
    for (const q of sample(link)) rects.push(around(q.x, q.y, 2, 2));
    const foot = op.cx + Math.max(-op.w / 2 + 6, Math.min(op.w / 2 - 6, (tag.x - op.cx) * 0.4));
    return { id: p.id, op: p.op, tag, label: p.label, link, needle: [{ x: tag.x, y: tag.y + 10 }, { x: foot, y: op.y - op.h / 2 - 1 }] };
  });
  for (const r of routes) for (const q of sample(r.forward, 24)) rects.push(around(q.x, q.y, 2, 2));
  return { nodes, edges, pins, sums, hooks, bounds: bounds(rects) };
}

function sumOf(n: Placed, text: string): SumDrawing {
  const least = Math.max(n.tray?.w ?? n.sum?.w ?? 0, n.tray ? n.w : 44);
  return { id: n.id, x: n.cx, y: n.y + n.h / 2 + SUM_GAP, w: Math.max(least, Math.round(monoWidth(text, 13) + 16)), tray: n.tray?.label ?? null };
}

function sumRects(s: SumDrawing): Rect[] {
  const box = around(s.x, s.y + SUM_HEIGHT / 2, s.w, SUM_HEIGHT);
  return s.tray === null ? [box] : [box, around(s.x, s.y + SUM_HEIGHT + 11, monoWidth(s.tray, 11), 13)];
}

function nodeRects(n: Placed): Rect[] {
  const body = around(n.cx, n.y, n.w, n.h);
  if (n.kind === "const") return [body];
  if (n.kind === "op") return n.note ? [body, around(n.cx, n.y - n.h / 2 - 11, monoWidth(n.note, 11) * 0.85, 13)] : [body];
  return [body, around(n.cx, n.y - n.h / 2 - 10, monoWidth(n.label, 11), 14)];
}
