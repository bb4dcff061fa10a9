import { monoWidth } from "../words";
import type { PanelBase } from "./base";

/** The tape: one frame of it for each node, or for each item of what repeats, in the order in which they were recorded. */
export interface TapePanel extends PanelBase {
  kind: "tape";
  frames: TapeCell[];
}

/** `op`: the op, or the item; `at`: the clock when it is recorded; `reads`: from when to when a walk is at it. */
export interface TapeCell { id: string; op: string; label: string; keeps: TapeKeep[]; at: number; reads: [number, number][] }

/** What a frame keeps: one pin, or those of an item together. */
export interface TapeKeep { pins: string[]; text: string }

export const STRIP = { left: 16, frame: 108, gap: 10, top: 30, height: 58, rim: 11 };

/** "" is not written yet; now: the head stands there; read: a walk has been there. */
export type FrameState = "" | "on" | "now" | "read";
export interface TapeFrame { states: FrameState[]; backwards: boolean; /** Where the head stands. */ head: number }

export function tapeAt({ frames }: TapePanel, at: number): TapeFrame {
  const reads = frames.map((f) => f.reads.findLast(([first]) => first <= at)), lastRead = Math.max(-1, ...reads.map((r) => r?.[0] ?? -1));
  const lastWrite = Math.max(-1, ...frames.map((f) => (f.at <= at ? f.at : -1))), backwards = lastRead > lastWrite;
  const states = frames.map((f, k): FrameState => {
    const read = reads[k];
    if (f.at > at) return "";
    if (backwards ? read?.[0] === lastRead && at <= read[1] : f.at === at) return "now";
    return read ? "read" : "on";
  });
  return { states, backwards, head: headAt(states, backwards) };
}

/** Left side of frame k. */
export const frameX = (k: number): number => STRIP.left + k * (STRIP.frame + STRIP.gap);

/** The head stands over what it writes or reads; else it waits: at the end of what is written, left of what was read. */
function headAt(states: readonly FrameState[], backwards: boolean): number {
  const now = states.indexOf("now");
  if (now >= 0) return frameX(now) + STRIP.frame / 2;
  const written = states.filter((s) => s !== "").length, first = states.indexOf("read");
  return backwards ? frameX(Math.max(0, first)) - STRIP.gap / 2 : frameX(written) + (written ? 0 : 8);
}

/** Where the `i`-th thing stands that a frame keeps, and its room: from the left side of the frame. */
export function keepAt(cell: TapeCell, i: number): { x: number; w: number } {
  const room = (STRIP.frame - 8) / Math.max(1, cell.keeps.length);
  return { x: 4 + room * (i + 0.5), w: room - 4 };
}

/** As much of a text as has room: without its value, and then cut. */
export function fitted(text: string, room: number): string {
  const name = monoWidth(text, 11) <= room ? text : text.split("=")[0]!, most = Math.max(1, Math.floor(room / monoWidth("m", 11)));
  return name.length <= most ? name : `${name.slice(0, Math.max(1, most - 1))}…`;
}
