import type { PanelBase } from "./base";

/** What graphs rely on. */
export interface GuardsPanel extends PanelBase {
  kind: "guards";
  rows: Guard[];
}

/** `born`: from then on it is relied on; `died`: a call came for which it fails, with `now`. */
export interface Guard { id: string; subject: string; says: string; born: number; died?: number; now?: string }

export const guardState = (guard: Guard, now: number): "" | "on" | "failed" =>
  now < guard.born ? "" : guard.died !== undefined && guard.died <= now ? "failed" : "on";
