import type { Frame } from "../fold";
import { fitted, frameX, keepAt, STRIP, tapeAt, type TapeKeep, type TapePanel } from "../panels/tape";
import type { Step } from "../scene";
import { type Cues, from, type Move, until } from "./moves";

type Where = (id: string) => { x: number; y: number } | null;

/** Whether all that this was has been freed. */
export const isFree = (frame: Frame, { pins }: TapeKeep): boolean => pins.length > 0 && pins.every((pin) => frame.pins.get(pin) === "freed");

/** Between two moments of the clock: the head goes, copies of ops drop onto the strip, what was kept falls off it. */
export function tapeScore(panel: TapePanel, before: number, after: number, frame: Frame, step: Step, { made = 0, freed = 0 }: Cues, where: Where): Move[] {
  const a = tapeAt(panel, before), b = tapeAt(panel, after), out: Move[] = [], top = STRIP.top + STRIP.rim;
  if (a.head !== b.head) out.push(from({ is: "tape-head", id: "tape:head" }, { translate: `${a.head - b.head}px 0` }, b.backwards ? 0 : Math.max(0, made - 420), 380, "both"));
  const loose = new Set(step.events.flatMap((e) => (e.type === "unpin" ? [e.id] : [])));
  panel.frames.forEach((cell, k) => {
    const x = frameX(k);
    if (a.states[k] === "" && b.states[k] !== "") out.push(...dropped(cell.op, cell.label, where(cell.op), x, Math.max(0, made - 60)));
    if (b.states[k] === "now" && b.backwards && (a.states[k] !== "now" || !a.backwards)) out.push(from({ id: cell.op, is: "tape-cell", part: ".frame" }, { fill: "var(--bg)", stroke: "var(--line)", strokeWidth: "1.5px" }, 300, 160));
    const gone = cell.keeps.filter((keep) => !isFree(frame, keep) && keep.pins.some((pin) => loose.has(pin)) && keep.pins.every((pin) => loose.has(pin) || frame.pins.get(pin) === "freed"));
    gone.forEach((keep, i) => {
      const { x: cx, w } = keepAt(cell, cell.keeps.indexOf(keep)), y = top + 42, box = { w, h: 18 }, text = fitted(keep.text, w - 6), at = freed + 60 * i;
      out.push(until(at, "saved", text, x + cx, y, box));
      out.push({ do: "actor", look: "saved", text, box, at, for: 420, ease: "in", keys: [{ t: 0, x: x + cx, y, o: 1 }, { t: 0.25, x: x + cx, y: y - 4, o: 1 }, { t: 1, x: x + cx, y: y + 40, o: 0, r: 10 }] });
    });
  });
  return out.filter((m) => m.for > 0);
}

/** A copy of the op's box falls onto the strip; there it is the frame. */
function dropped(op: string, label: string, start: { x: number; y: number } | null, x: number, at: number): Move[] {
  const end = { x: x + STRIP.frame / 2, y: STRIP.top + STRIP.rim + STRIP.height / 2 - 12 };
  const copy: Move[] = start ? [{ do: "actor", look: "op", text: label, box: { w: 56, h: 34, sharp: true }, at, for: 460, ease: "both", keys: [{ t: 0, ...start, o: 0 }, { t: 0.12, ...start, o: 1 }, { t: 1, ...end, o: 1 }] }] : [];
  return [...copy, from({ id: op, is: "tape-cell" }, { opacity: "0" }, at + (start ? 420 : 0), 120)];
}
