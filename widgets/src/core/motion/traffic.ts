import { firstSpans, type Slot, trafficAt, type TrafficPanel } from "../panels/traffic";
import { monoWidth } from "../words";
import { type Cues, from, type Key, type Move } from "./moves";

/** Where the bars stand: px of so many bytes, their tops, their height. */
export interface Bars { x(bytes: number): number; first: number; after: number; height: number }

const COMES = 420, FALLS = 560, NEXT = 140, CLOSES = 340, LATE = 200;

/** Bytes come as they are moved; those that a kernel keeps to itself fall off the bar, the others close up, then the terms change. */
export function trafficScore(panel: TrafficPanel, before: number, after: number, bars: Bars, { made = 0 }: Cues): Move[] {
  const a = trafficAt(panel, before), b = trafficAt(panel, after), start = Math.max(0, made - 340);
  const fresh = firstSpans(panel).slots.filter(({ cell }) => !a.ran.has(cell.id) && b.ran.has(cell.id));
  const out: Move[] = fresh.map(({ cell }, k) => from({ id: cell.id, is: "tf-first" }, { translate: `0 -${bars.height}px`, opacity: "0" }, (cell.rw === "write" ? Math.max(320, made - 220) : 0.4 * made) + 110 * k, 300));
  if (b.stage === null || a.stage === b.stage) return out;
  const dy = a.stage === null ? bars.first - bars.after : 0, ready = start + (dy ? COMES + 60 : 0);
  const old = new Map((a.stage === null ? firstSpans(panel).slots : a.slots).map((s) => [s.cell.id, s]));
  const falls = b.slots.filter((s) => s.gone && old.get(s.cell.id)?.gone === false), close = ready + (falls.length ? NEXT * (falls.length - 1) + FALLS : 0), end = close + CLOSES;
  falls.forEach((slot, k) => out.push(fall(slot, old.get(slot.cell.id)!, bars, dy, start, ready + NEXT * k), from({ id: slot.cell.id, is: "tf-after" }, { opacity: "0" }, end, LATE)));
  for (const slot of b.slots.filter((s) => !falls.includes(s))) {
    const was = old.get(slot.cell.id), dx = was ? bars.x(was.from) - bars.x(slot.from) : 0, at = (ms: number, y: number) => ({ t: ms / end, css: { translate: `${dx}px ${y}px` } });
    if (dx || dy) out.push({ ...from({ id: slot.cell.id, is: "tf-after" }, { translate: `${dx}px ${dy}px` }, 0, end, "both"), via: [...(start ? [at(start, dy)] : []), ...(dy ? [at(start + COMES, 0)] : []), at(close, 0)] });
  }
  if (dy) out.push(from({ part: ".tf-unknown" }, { visibility: "visible" }, 0, start + COMES, "hold"));
  for (const part of [".tf-total.tf-late", ".tf-head.tf-late", ".tf-spans.tf-late"]) out.push(from({ part }, { opacity: "0" }, end, LATE));
  for (const n of [1, 2, 3]) {
    const part = `.tf-term.moved:nth-of-type(${n})`;
    out.push(from({ part }, { background: "var(--bg)", borderColor: "var(--rule)" }, end, LATE), from({ part: `${part} output` }, { opacity: "0" }, end, LATE));
  }
  return out;
}

/** A cell lifts, tips and falls, out of the place that it had. */
function fall({ cell }: Slot, was: Slot, { x, after, height }: Bars, dy: number, start: number, at: number): Move {
  const w = Math.max(1, x(cell.bytes)), cx = x(was.from) + w / 2, y = after + height / 2, end = at + FALLS, key = (ms: number, more: Omit<Key, "t">): Key => ({ t: ms / end, ...more });
  const keys = [key(0, { x: cx, y: y + dy, o: 1, r: 0 }), ...(dy ? [key(start, { x: cx, y: y + dy }), key(start + COMES, { x: cx, y })] : []), key(at, { x: cx, y }),
    key(at + 140, { x: cx, y: y - 8, r: -2 }), key(at + 330, { x: cx + 6, y: y + 26, o: 0.9, r: 6 }), key(end, { x: cx + 14, y: y + 92, o: 0, r: 14 })];
  const text = monoWidth(cell.text, 12) + 8 <= w ? cell.text : "", fill = cell.rw === "write" ? `url(#tf-${cell.role})` : `var(--${cell.role === "temporary" ? "temp" : "value"}-t)`;
  const distinct = keys.filter((k, i) => i === 0 || k.t > keys[i - 1]!.t);
  return { do: "actor", look: "block", text, box: { w: Math.max(w - 2, w / 2), h: height, sharp: true, fill }, at: 0, for: end, staged: true, ease: "both", keys: distinct };
}
