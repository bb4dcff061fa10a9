import type { PanelBase } from "./base";

/** Generated code, stage by stage: the lines of each op are known by its id. */
export interface ListingPanel extends PanelBase {
  kind: "listing";
  stages: { at: number; rows: CodeRow[] }[];
}

/** `tag` names the launch that begins here. A line of a loop belongs to no op: its id is null. */
export interface CodeRow { id: string | null; tag: string; text: string }

/** The number of the stage that the clock is at. */
export const variantAt = (panel: ListingPanel, at: number): number => Math.max(0, panel.stages.findLastIndex((s) => s.at <= at));
