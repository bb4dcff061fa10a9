import { type Drawing, drawingOf } from "../../core/drawing";
import { frameAt, type Frame } from "../../core/fold";
import { stretchFor } from "../../core/geometry";
import type { Scene, Step } from "../../core/scene";
import { s } from "../dom";
import { backMark, type EdgeMark, edgeMark } from "./edges";
import { happened, type NodeMark, nodeMark } from "./nodes";
import { type PinMark, pinMark } from "./pins";
import { hookMark, type SumMark, sumMark } from "./sums";

/** The graph of values and ops: built once per width; a frame changes only the marks that differ. */
export class GraphPicture {
  readonly svg = s("svg", { class: "graph", role: "group" });
  /** Natural size in px. */
  width = 0;
  height = 0;
  private drawing!: Drawing;
  private stretch = 0;
  private nodes: NodeMark[] = [];
  private edges: EdgeMark[] = [];
  private pins: PinMark[] = [];
  private sums: SumMark[] = [];
  private readonly happened: (frame: Frame, id: string) => boolean;
  private readonly last: Frame;

  constructor(private readonly scene: Scene) {
    this.svg.setAttribute("aria-label", `${scene.title}: graph of ${scene.graph.nodes.length} nodes`);
    this.happened = happened(scene);
    this.last = frameAt(scene.steps, scene.steps.length - 1);
  }

  /** Lays everything out for this much room; true when something moved. */
  fit(available: number): boolean {
    const stretch = Math.round(stretchFor(available, this.scene.graph.width) * 1000) / 1000;
    if (stretch === this.stretch) return false;
    this.stretch = stretch;
    this.drawing = drawingOf(this.scene, stretch);
    const { bounds } = this.drawing, top = Math.min(0, Math.floor(bounds.y) - 4), left = Math.min(0, Math.floor(bounds.x) - 4);
    this.width = Math.ceil(Math.max(this.scene.graph.width * stretch, bounds.x + bounds.w + 4)) - left;
    this.height = Math.ceil(Math.max(this.scene.graph.height, bounds.y + bounds.h + 6)) - top;
    this.svg.setAttribute("width", String(this.width));
    this.svg.setAttribute("height", String(this.height));
    this.svg.setAttribute("viewBox", `${left} ${top} ${this.width} ${this.height}`);
    this.build();
    return true;
  }

  draw(frame: Frame, now: ReadonlySet<string>, step: Step): void {
    const wrong = step.phase === "wrong order";
    for (const m of this.nodes) m.draw(frame, now);
    for (const m of this.edges) m.draw(frame, now, wrong);
    for (const m of this.pins) m.draw(frame, now);
    for (const m of this.sums) m.draw(frame);
  }

  /** Middle of a node in the picture's own pixels, to scroll there. */
  middle(id: string): { x: number; y: number } | null {
    const node = this.drawing.nodes.find((n) => n.id === id);
    if (!node) return null;
    const [left, top] = this.svg.getAttribute("viewBox")!.split(" ").map(Number);
    return { x: node.cx - left!, y: node.y - top! };
  }

  private build(): void {
    const layer = (name: string) => s("g", { class: name });
    const links = layer("pins"), lines = layer("edges"), backs = layer("backs"), boxes = layer("sums"), bodies = layer("nodes"), chips = layer("chips");
    const { nodes, edges, pins, sums, hooks } = this.drawing;
    this.nodes = nodes.map((n) => nodeMark(n, this.happened, this.last.values.get(n.id) ?? ""));
    for (const m of this.nodes) bodies.append(m.root);
    this.edges = edges.map((e) => edgeMark(e, lines, this.happened));
    for (const e of edges) if (e.back) this.edges.push(backMark(e, backs, chips, this.last.sends.get(e.id) ?? ""));
    this.pins = pins.map((p) => pinMark(p, links));
    this.sums = sums.map((x) => sumMark(x, boxes));
    for (const [id, at] of hooks) this.sums.push(hookMark(id, at, boxes));
    this.svg.replaceChildren(lines, backs, links, boxes, bodies, chips);
  }
}
