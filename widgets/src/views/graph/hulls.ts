import type { Drawing } from "../../core/drawing";
import { bounds, type Curve, pathOf, type Rect } from "../../core/geometry";
import type { Placed } from "../../core/routes";
import type { GraphScene } from "../../core/scene";
import { Painted, s } from "../dom";
import { grow, type Mark } from "./mark";

/** How far a hull reaches beyond its nodes; above them stand the names of values. */
const SIDE = 10, TOP = 22;

/** Outlines around nodes that are one kernel: boxes around them, joined along their edges, so that nothing else is inside. */
export function hullMarks(scene: GraphScene, drawing: Drawing): Mark[] {
  const ever = new Map<string, Set<string>>();
  for (const step of scene.steps) for (const e of step.events) if (e.type === "hull") ever.set(e.id, new Set([...(ever.get(e.id) ?? []), ...e.ids]));
  const nodes = new Map(drawing.nodes.map((n) => [n.id, n]));
  return [...ever].map(([id, ids]) => hullMark(id, [...ids].flatMap((i) => nodes.get(i) ?? []), drawing));
}

function hullMark(id: string, ever: Placed[], drawing: Drawing): Mark {
  const parts = { line: s("path", { class: "hull-line" }), rim: s("path", { class: "hull-rim" }), body: s("path", { class: "hull-body" }), bridge: s("path", { class: "hull-bridge" }) };
  const text = s("text", { class: "small" }), root = s("g", { "data-id": id }, parts.rim, parts.line, parts.bridge, parts.body, text), painted = new Painted(root, "hull");
  let shown = "";
  return {
    area: grow(bounds(ever.map(boxOf)), 30),
    parts: [["hulls", root]],
    draw(frame, now) {
      const hull = frame.hulls.get(id), key = hull === undefined ? "" : `${hull.label} ${hull.ids.join(" ")}`;
      painted.state(key === "" ? "" : now.has(id) || hull!.ids.some((i) => now.has(i)) ? "on now" : "on");
      if (key === shown || hull === undefined) return;
      shown = key;
      const inside = new Set(hull.ids), members = ever.filter((n) => inside.has(n.id)), within = drawing.edges.filter((e) => inside.has(e.from) && inside.has(e.to));
      const level = within.filter((e) => straight(e.forward)), bent = within.filter((e) => !straight(e.forward));
      const byId = new Map(members.map((n) => [n.id, n]));
      const boxes = [...members.map(boxOf), ...level.map((e) => bounds([boxOf(byId.get(e.from)!), boxOf(byId.get(e.to)!)]))];
      const round = boxes.map((b) => rounded(b)).join(""), ways = bent.map((e) => pathOf(e.forward)).join("");
      for (const path of [parts.line, parts.body]) path.setAttribute("d", round);
      for (const path of [parts.rim, parts.bridge]) path.setAttribute("d", ways);
      const first = members.map(boxOf).reduce((a, b) => (b.x < a.x || (b.x === a.x && b.y < a.y) ? b : a));
      text.setAttribute("x", String(first.x + 4));
      text.setAttribute("y", String(first.y - 6));
      text.textContent = hull.label;
    },
  };
}

const boxOf = (n: Placed): Rect => ({ x: n.cx - n.w / 2 - SIDE, y: n.y - n.h / 2 - TOP, w: n.w + 2 * SIDE, h: n.h + TOP + SIDE });
const straight = (curve: Curve): boolean => Math.max(...curve.flat().map((p) => p.y)) - Math.min(...curve.flat().map((p) => p.y)) < 2;
const rounded = ({ x, y, w, h }: Rect, r = 12): string =>
  `M${x + r} ${y}h${w - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${h - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${-(w - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-(h - 2 * r)}a${r} ${r} 0 0 1 ${r} ${-r}z`;
