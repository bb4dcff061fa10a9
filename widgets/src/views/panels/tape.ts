import { isFree, tapeScore } from "../../core/motion/tape";
import { fitted, frameX, keepAt, STRIP, tapeAt, type TapeCell, type TapePanel } from "../../core/panels/tape";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import { layerOf } from "../motion/stage";
import type { Now, PanelView, Passage, Scored } from "../panel";

/** A strip with perforated rims: frames drop onto it while the program runs, and a head reads them from the last to the first. */
export class TapeView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly box = h("div", { class: "tape-window" });
  private readonly way = s("text", { class: "tape-way", x: 12, y: -8 });
  private readonly head = new Painted(s("g", { "data-id": "tape:head", "aria-hidden": "true" }, s("path", { d: "M-8 -18h16l-8 14z" }), this.way), "tape-head");
  private layer = layerOf();
  private cells: { mark: Painted; keeps: Painted[] }[] = [];
  private at = 0;

  constructor(private readonly panel: TapePanel) {
    super();
    this.element = h("section", { class: "tape-panel", "aria-label": panel.label }, h("p", { class: "panel-name" }, panel.label), this.box);
  }

  protected build(): void {
    const { frames, label } = this.panel, { top, height, rim } = STRIP, wide = Math.max(this.width - 2, frameX(frames.length) + 20), holes: string[] = [];
    for (let x = 12; x < wide - 12; x += 19) for (const y of [top + 3, top + 2 * rim + height - 8]) holes.push(`M${x} ${y}h8v5h-8z`);
    this.cells = frames.map((cell, k) => this.cell(cell, k));
    this.layer = layerOf();
    this.box.replaceChildren(s("svg", { class: "tape-svg", width: wide, height: top + height + 2 * rim + 8, role: "group", "aria-label": label },
      s("rect", { class: "tape-band", x: 1, y: top, width: wide - 2, height: height + 2 * rim, rx: 3 }), s("path", { class: "tape-holes", d: holes.join("") }),
      ...this.cells.map((c) => c.mark.element), this.head.element), this.layer);
  }

  private cell(cell: TapeCell, k: number): { mark: Painted; keeps: Painted[] } {
    const { frame, height, top, rim } = STRIP;
    const keeps = cell.keeps.map((keep, i) => {
      const { x, w } = keepAt(cell, i), text = fitted(keep.text, w - 6);
      return new Painted(s("g", {}, s("rect", { x: x - w / 2, y: 33, width: w, height: 18, rx: 9 }), s("text", { x, y: 46 }, text)), "keep");
    });
    const none = keeps.length ? null : s("text", { class: "none", x: frame / 2, y: 46 }, "keeps nothing");
    const mark = s("g", { "data-id": cell.op, tabindex: -1, role: "img", "aria-label": cell.label, transform: `translate(${frameX(k)} ${top + rim})` },
      s("rect", { class: "frame", width: frame, height, rx: 4 }), s("text", { class: "op", x: frame / 2, y: 21 }, fitted(cell.label, frame - 12)), none, ...keeps.map((p) => p.element));
    return { mark: new Painted(mark, "tape-cell stop"), keeps };
  }

  protected paint(now: Now): void {
    const { states, backwards, head } = tapeAt(this.panel, now.at);
    this.panel.frames.forEach((cell, k) => {
      const { mark, keeps } = this.cells[k]!, state = states[k]!;
      mark.state(state === "" ? "" : `on${state === "on" ? "" : ` ${state}`}${backwards ? " backward" : ""}`);
      cell.keeps.forEach((keep, i) => keeps[i]!.state(isFree(now.frame, keep) ? "free" : ""));
    });
    this.head.state(backwards ? "backward" : "");
    this.head.element.setAttribute("transform", `translate(${head} ${STRIP.top})`);
    this.way.textContent = backwards ? (states.includes("now") ? "reads" : "has read") : "writes";
    this.at = head;
  }

  /** The head stays in sight. */
  settle(): void {
    if (frameX(this.panel.frames.length) + 20 <= this.width) return;
    const { box, at, width } = this, left = box.scrollLeft;
    if (at < left + 90 || at > left + width - 90) box.scrollLeft = at - width / 2;
  }

  score({ from, to, before, step, cues, where }: Passage): Scored {
    return { place: { root: this.element, layer: this.layer }, score: tapeScore(this.panel, from, to, before, step, cues, (id) => where(id, this.layer)) };
  }
}
