/**
 * A picture on the clock. Keys that hold ids: id, ids, from, to, op, of, line, edge, focus. Keys that hold times of the
 * clock: at, born, died, until. Comparing two scenes renames both by these keys.
 */
export interface PanelBase {
  kind: string;
  id: string;
  label: string;
  /** Beside the code instead of under the graph. */
  side?: boolean;
}
