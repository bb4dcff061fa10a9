import type { PanelBase } from "./base";

/** Graphs as captures leave them behind, with the breaks between them. */
export interface PiecesPanel extends PanelBase {
  kind: "pieces";
  captures: { at: number; label: string; pieces: Piece[] }[];
}

/** A graph, or nothing where no op was captured; `cut` is the break that ends it. */
export interface Piece { id: string; at: number; head: string; rows: PieceRow[]; cut: Cut | null }

/** An op. One that nothing needs is left out when the graph is closed. */
export interface PieceRow { id: string; text: string; at: number; unneeded?: boolean }

/** `at`: the graph breaks; `until`: what broke it has run. */
export interface Cut { id: string; at: number; until: number; reason: string; runs: string }

/** Whether something has come: what has not stands there as a ghost. */
export const come = (at: number, now: number): "on" | "" => (at <= now ? "on" : "");

export const cutState = (cut: Cut, now: number): "" | "on" | "on ran" => (now < cut.at ? "" : now < cut.until ? "on" : "on ran");

/** The capture that the clock is in. */
export const captureAt = (panel: PiecesPanel, now: number): number => panel.captures.findLastIndex((c) => c.at <= now);
