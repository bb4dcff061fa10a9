import type { Frame } from "../../core/fold";
import { around } from "../../core/geometry";
import type { Placed } from "../../core/routes";
import type { GraphScene } from "../../core/scene";
import { monoWidth } from "../../core/words";
import { Painted, s } from "../dom";
import type { Mark } from "./mark";

/** For every node: whether it has happened yet. A value has when it shows a number, an op when one of its results has. */
export function happened(scene: GraphScene): (frame: Frame, id: string) => boolean {
  const ops = new Set(scene.graph.nodes.filter((n) => n.kind === "op" || n.kind === "fold").map((n) => n.id));
  const results = new Map<string, string[]>();
  for (const e of scene.graph.edges) if (ops.has(e.from)) results.set(e.from, [...(results.get(e.from) ?? []), e.to]);
  return (frame, id) =>
    frame.values.has(id) || frame.refused.has(id) || (results.get(id) ?? []).some((r) => frame.values.has(r));
}

export function nodeMark(node: Placed, on: (frame: Frame, id: string) => boolean, firstValue: string): Mark {
  const { w, h, kind, label } = node, box = kind === "op" || kind === "fold", pill = !box, named = !box && kind !== "const";
  const apart = node.batch?.w ?? 0, inside = s("text", { class: "mono val", x: apart / 2, y: 4.5 }, named ? "" : label);
  const root = s("g", { transform: `translate(${node.cx} ${node.y})`, "data-id": node.id, tabindex: -1, role: "button" });
  root.append(s("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: pill ? h / 2 : 4 }));
  if (kind === "leaf" || kind === "param")
    root.append(s("rect", { class: "inner", x: -w / 2 + 3, y: -h / 2 + 3, width: w - 6, height: h - 6, rx: h / 2 - 3 }));
  if (node.batch) root.append(...batchPart(node, node.batch));
  if (named) root.append(s("text", { class: "mono small name", y: -h / 2 - 6 }, label));
  root.append(inside);
  if (node.note) root.append(s("text", { class: "small note", y: -h / 2 - 8 }, node.note));
  const painted = new Painted(root, `node ${kind}`, inside), fit = fitter(inside, w - apart);
  if (!named) fit(label);
  else if (painted.text(firstValue)) fit(firstValue);
  const badge = new Badge(root, node);
  return {
    area: around(node.cx, node.y, w + 120, h + 80),
    parts: [["nodes", root]],
    draw(frame, now, tone) {
      const value = frame.values.get(node.id);
      if (named && value !== undefined && painted.text(value)) fit(value);
      badge.draw(frame.versions.get(node.id));
      painted.state((on(frame, node.id) ? "on" : "") + (now.has(node.id) ? ` now ${tone}` : "") + (frame.refused.has(node.id) ? " refused" : "") + (frame.faded.has(node.id) ? " gone" : ""));
    },
  };
}

/** The batch axis at the left of a pill: hatched, behind a double line, so that what is right of it is one example. */
function batchPart(node: Placed, batch: { label: string; w: number }): SVGElement[] {
  const { w, h } = node, r = h / 2, x = -w / 2, edge = x + batch.w;
  const d = `M${edge} ${-r}H${x + r}A${r} ${r} 0 0 0 ${x + r} ${r}H${edge}z`;
  return [
    s("path", { class: "batch", d }),
    s("path", { class: "batch-edge", d: `M${edge} ${-r}V${r}M${edge + 3} ${-r}V${r}` }),
    s("text", { class: "mono small batch-label", x: x + batch.w / 2 + 2, y: 4 }, batch.label),
  ];
}

/** A value too wide for its pill is set smaller, never under 11 px. */
function fitter(text: SVGElement, width: number): (value: string) => void {
  return (value) => {
    const size = monoWidth(value, 13) <= width - 10 ? "" : "11px";
    if (text.style.fontSize !== size) text.style.fontSize = size;
  };
}

/** The version of a storage after writes in place, at the pill's upper right, beside its name; made when the first write comes. */
class Badge {
  private text: SVGTextElement | null = null;
  private shown: number | undefined;

  constructor(private readonly root: SVGGElement, private readonly node: Placed) {}

  draw(version: number | undefined): void {
    if (version === this.shown) return;
    this.shown = version;
    if (!this.text) {
      const x = Math.max(this.node.w / 2, monoWidth(this.node.label, 11) / 2 + 26), y = -this.node.h / 2 - 2;
      this.text = s("text", { class: "small mono", x, y: y + 4 });
      this.root.append(s("g", { class: "badge" }, s("rect", { x: x - 22, y: y - 8, width: 44, height: 16, rx: 8 }), this.text));
    }
    this.text.textContent = version === undefined ? "" : `ver ${version}`;
    this.text.parentElement!.setAttribute("class", version === undefined ? "badge" : "badge on");
  }
}
