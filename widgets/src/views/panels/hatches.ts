import { s } from "../dom";

/** Role → hatch: colour never says alone what something is. Roles without one are plain. */
const LINES: Record<string, string> = {
  gradient: "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
  "optimizer state": "M0 0L6 6M6 0L0 6",
  temporary: "M0 1.5H6M0 4.5H6",
  activation: "M1 1h1M4 4h1",
  input: "M1.5 0V6M4.5 0V6",
};

/** Pattern elements for one picture; `prefix` keeps the ids of several pictures apart. */
export const hatches = (prefix: string): SVGElement => s("defs", {}, ...Object.entries(LINES).map(([role, d]) =>
  s("pattern", { id: idOf(prefix, role), width: 6, height: 6, patternUnits: "userSpaceOnUse", class: "hatch", "data-role": role },
    s("rect", { width: 6, height: 6 }), s("path", { d }))));

/** The value of `fill` for a role. */
export const hatchOf = (prefix: string, role: string): string | null => (role in LINES ? `url(#${idOf(prefix, role)})` : null);

const idOf = (prefix: string, role: string): string => `${prefix}-${role.replaceAll(" ", "-")}`;
