import type { Phase, Step } from "./scene";

/** A run of steps of one phase: a segment of the scrubber's band. */
export interface Span { phase: Phase; first: number; count: number }

/** The colour a phase gives to what is loud: forward, backward or wrong. */
export type Tone = "forward" | "backward" | "wrong";
export const toneOf = (phase: Phase): Tone =>
  phase === "wrong order" ? "wrong" : phase === "backward" || phase === "double backward" ? "backward" : "forward";

export function phasesOf(steps: readonly Step[]): Span[] {
  const spans: Span[] = [];
  steps.forEach((step, i) => {
    const last = spans.at(-1);
    if (last?.phase === step.phase) last.count++;
    else spans.push({ phase: step.phase, first: i, count: 1 });
  });
  return spans;
}

/** First step of the next phase; the last step when there is none. */
export function nextPhase(spans: readonly Span[], i: number): number {
  const end = spans.at(-1)!;
  return spans.find((s) => s.first > i)?.first ?? end.first + end.count - 1;
}

/** First step of this phase, or of the one before when already there. */
export function previousPhase(spans: readonly Span[], i: number): number {
  return spans.findLast((s) => s.first < i)?.first ?? 0;
}

/** How many steps two walks share at their start: there the wrong walk leaves the right one. */
export function forkOf(a: readonly Step[], b: readonly Step[]): number {
  const n = Math.min(a.length, b.length);
  for (let i = 0; i < n; i++) if (a[i]!.say !== b[i]!.say || a[i]!.phase !== b[i]!.phase) return i;
  return n;
}
