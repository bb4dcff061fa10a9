import { type Drawing, drawingOf } from "../../core/drawing";
import { emptyFrame, frameAt, type Frame } from "../../core/fold";
import { MIN_STRETCH, type Rect, stretchFor } from "../../core/geometry";
import type { Folds } from "../../core/folds";
import type { Tone } from "../../core/phases";
import { graphScore } from "../../core/motion/graph";
import { Places } from "../../core/motion/places";
import type { GraphScene, Step } from "../../core/scene";
import { h } from "../dom";
import { layerOf } from "../motion/stage";
import type { Scored } from "../panel";
import { bandsOf } from "./bands";
import { backMark, edgeMark, pushMark } from "./edges";
import { foldMark } from "./fold";
import { grow, meets } from "./mark";
import { happened, nodeMark } from "./nodes";
import { pinMark } from "./pins";
import { hullMarks } from "./hulls";
import { hookedMark, hookMark } from "./hooks";
import { sumMark } from "./sums";
import { Tiles } from "./tiles";

/** How far beyond the window marks are kept up to date, so that a short scroll shows nothing old. */
const MARGIN = 240;

/** The graph of values and ops: built once per width; a frame changes only the marks that differ and are in the window. */
export class GraphPicture {
  readonly element = h("div", { class: "graph", role: "group" });
  /** Natural size in px, and where its upper left corner lies on the grid. */
  width = 0;
  height = 0;
  private origin = { x: 0, y: 0 };
  private drawing!: Drawing;
  private places!: Places;
  private layer = layerOf();
  private under = layerOf();
  private available = -1;
  private tiles = new Tiles([], this.origin);
  private window: Rect | null = null;
  private frame = emptyFrame();
  private now: ReadonlySet<string> = new Set();
  private tone: Tone = "forward";
  private readonly happened: (frame: Frame, id: string) => boolean;
  private readonly last: Frame;

  constructor(private readonly scene: GraphScene, private readonly folds: Folds | null = null) {
    this.element.setAttribute("aria-label", `${scene.title}: graph of ${scene.graph.nodes.length} nodes`);
    this.happened = happened(scene);
    this.last = frameAt(scene.steps, scene.steps.length - 1);
  }

  /** Lays everything out for this much room; true when something moved. */
  fit(available: number): boolean {
    if (available === this.available) return false;
    this.available = available;
    const { graph } = this.scene, first = stretchFor(available, graph.width);
    this.place(first);
    // What hangs over at the sides (trays, links of pins) does not stretch: where it makes the picture too wide, x gives way.
    const over = this.width - available;
    if (over > 0 && available >= graph.width * MIN_STRETCH) this.place(stretchFor(graph.width * first - over, graph.width));
    this.build();
    return true;
  }

  private place(stretch: number): void {
    this.drawing = drawingOf(this.scene, stretch);
    const { bounds } = this.drawing, { graph } = this.scene;
    this.origin = { x: Math.min(0, Math.floor(bounds.x) - 4), y: Math.min(0, Math.floor(bounds.y) - 4) };
    this.width = Math.ceil(Math.max(graph.width * stretch, bounds.x + bounds.w + 4)) - this.origin.x;
    this.height = Math.ceil(Math.max(graph.height, bounds.y + bounds.h + 6)) - this.origin.y;
    this.element.style.width = `${this.width}px`;
    this.element.style.height = `${this.height}px`;
  }

  draw(frame: Frame, now: ReadonlySet<string>, tone: Tone): void {
    this.frame = frame;
    this.now = now;
    this.tone = tone;
    this.paint();
  }

  /** Tells which part of the picture is in sight (in its own pixels); null for all of it, as in print. */
  look(window: Rect | null): void {
    this.window = window === null ? null : grow({ ...window, x: window.x + this.origin.x, y: window.y + this.origin.y }, MARGIN);
  }

  /** Brings the marks in the window up to the frame. */
  paint(): void {
    const { window, frame, now, tone } = this;
    this.tiles.paint(window, (m) => m.draw(frame, now, tone));
  }

  /** What moves in a step of this graph; `before` is the frame that it finds. What is out of the window stands still. */
  score(before: Frame, step: Step): Scored {
    const events = step.events.filter((e) => "ids" in e || this.inSight("edge" in e ? e.edge : e.id));
    return { place: { root: this.element, layer: this.layer, under: this.under }, ...graphScore(this.places, before, { ...step, events }) };
  }

  private inSight(id: string): boolean {
    const { nodes, edges, pins } = this.places, edge = edges.get(id), node = nodes.get(edge?.to ?? id), tag = pins.get(id)?.tag;
    const area = node ? { x: node.cx - node.w / 2, y: node.y - node.h / 2, w: node.w, h: node.h } : tag ? { x: tag.x, y: tag.y, w: 0, h: 0 } : null;
    return area !== null && (this.window === null || meets(this.window, area));
  }

  /** Middle of a node in the picture's own pixels, to scroll there. */
  middle(id: string): { x: number; y: number } | null {
    const node = this.drawing.nodes.find((n) => n.id === id);
    return node ? { x: node.cx - this.origin.x, y: node.y - this.origin.y } : null;
  }

  private build(): void {
    const { nodes, edges, pins, sums, hooks, marks } = this.drawing, { values, sends, pushes, sums: boxes } = this.last;
    this.tiles = new Tiles([
      ...hullMarks(this.scene, this.drawing),
      ...nodes.map((n) => {
        const fold = n.kind === "fold" ? this.folds?.all.find((f) => f.id === n.id) : undefined;
        return fold ? foldMark(n, fold, this.folds!, (id) => this.happened(this.frame, id)) : nodeMark(n, this.happened, values.get(n.id) ?? "");
      }),
      ...edges.map((e) => edgeMark(e, this.happened)),
      ...edges.filter((e) => e.back).map((e) => (pushes.has(e.id) ? pushMark(e, pushes.get(e.id)!) : backMark(e, sends.get(e.id) ?? ""))),
      ...pins.map((p) => pinMark(p)),
      ...sums.map((x) => sumMark(x, boxes.get(x.id))),
      ...[...hooks].map(([id, at]) => hookMark(id, at)),
      ...[...marks].map(([id, at]) => hookedMark(id, at)),
    ], this.origin);
    this.places = new Places(this.drawing);
    this.layer = layerOf(this.origin.x, this.origin.y);
    this.under = layerOf(this.origin.x, this.origin.y);
    this.element.replaceChildren(...bandsOf(this.scene, this.origin), this.under, ...this.tiles.elements, this.layer);
  }
}
