import type { Tone } from "../core/phases";
import type { Scene } from "../core/scene";
import { h } from "./dom";
import type { Write } from "./panel";

/** The reader's own lines, as typed; the line of the step is marked and kept in sight. */
export class SourcePanel {
  readonly element: HTMLElement;
  private readonly lines = new Map<string, HTMLElement>();
  private readonly box = h("ol", { class: "code", "aria-label": "Your code" });
  private now: HTMLElement | undefined;
  /** Where the lines stand in the list, and its height: read when it is laid out, so that a step need not ask. */
  private tops = new Map<HTMLElement, number>();
  private high = 0;
  private seen = 0;
  private tone: Tone = "forward";

  constructor(scene: Scene) {
    let last = (scene.source[0]?.no ?? 0) - 1;
    for (const l of scene.source) {
      const line = h("li", { class: l.no === last + 1 ? "line" : "line gap", "data-id": l.id }, h("b", {}, String(l.no)), h("code", {}, l.text));
      this.lines.set(l.id, line);
      this.box.append(line);
      last = l.no;
    }
    this.box.addEventListener("scroll", () => { this.seen = this.box.scrollTop; }, { passive: true });
    this.element = h("div", { class: "panel source" }, h("p", { class: "panel-name", "aria-hidden": "true" }, "Your code"), this.box);
    this.element.hidden = scene.source.length === 0;
  }

  /** Where the lines do not fit they scroll, so the keyboard must reach them. */
  measure(): Write {
    this.tops = new Map();
    this.high = this.box.clientHeight;
    const more = this.box.scrollHeight > this.high + 1;
    if (more) for (const line of this.lines.values()) this.tops.set(line, line.offsetTop); // the list is its offset parent
    return () => { if (more) this.box.tabIndex = 0; else this.box.removeAttribute("tabindex"); };
  }

  draw(id: string | null, tone: Tone): void {
    const line = id === null ? undefined : this.lines.get(id);
    if (line === this.now && this.tone === tone) return;
    this.now?.classList.remove("now", this.tone);
    this.now?.removeAttribute("aria-current");
    line?.classList.add("now", tone);
    this.tone = tone;
    line?.setAttribute("aria-current", "step");
    this.now = line;
    this.reach(line);
  }

  /** Brings the first of these ids that is a line into sight, without moving the page. */
  show(ids: readonly string[]): void {
    this.reach(ids.map((id) => this.lines.get(id)).find((line) => line !== undefined));
  }

  private reach(line: HTMLElement | undefined): void {
    const y = line && this.tops.get(line);
    if (y === undefined) return;
    if (y < this.seen || y > this.seen + this.high - 44) this.box.scrollTop = this.seen = Math.max(0, y - this.high / 2);
  }
}
