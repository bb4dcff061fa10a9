import type { PanelBase } from "./base";

/** A machine in the middle of its work: the listing it reads, its stack, its variables. */
export interface BytecodePanel extends PanelBase {
  kind: "bytecode";
  codes: { name: string; rows: CodeRow[] }[];
  things: Thing[];
  stages: MachineStage[];
}

/** `at`: when a graph broke at it. */
export interface CodeRow { id: string; offset: number; name: string; arg: string; at?: number }

/** A value: a tensor by the op that made it, and what is known of it. */
export interface Thing { text: string; kind: "tensor" | "callable" | "empty" | "value"; facts: string }

/** Numbers in `stack` (the lowest first) and `variables` are places in `things`; `code` is a place in `codes`. */
export interface MachineStage { at: number; code: number; op: string | null; stack: number[]; variables: [string, number][] }

/** The last stage that has begun. */
export const machineAt = (panel: BytecodePanel, at: number): MachineStage | undefined => panel.stages.findLast((s) => s.at <= at);

/** The most values on the stack and in variables at any time: so much room is kept for them. */
export function roomOf(panel: BytecodePanel, most = 8): { stack: number; variables: number } {
  const largest = (of: (s: MachineStage) => number) => Math.min(most, Math.max(1, ...panel.stages.map(of)));
  return { stack: largest((s) => s.stack.length), variables: largest((s) => s.variables.length) };
}

/** What stands in `room` slots, the topmost first: those that do not fit are counted in the last one. */
export function slotsOf(stack: readonly number[], room: number): (number | null)[] {
  const top = stack.toReversed().slice(0, room);
  return [...Array.from({ length: room - top.length }, () => null), ...top];
}
