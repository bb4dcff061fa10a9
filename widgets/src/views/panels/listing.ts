import { type ListingPanel, variantAt } from "../../core/panels/listing";
import { h, Painted } from "../dom";
import type { Now, PanelView, Write } from "../panel";

interface Drawn { id: string | null; mark: Painted }

/** The generated lines. All stages stand in one place, so that the height stays; one of them can be seen. */
export class ListingView implements PanelView {
  readonly element: HTMLElement;
  private readonly variants: { box: HTMLElement; rows: Drawn[] }[];
  private readonly box: HTMLElement;
  private shown = -1;
  private built = false;

  constructor(private readonly panel: ListingPanel) {
    this.variants = panel.stages.map((stage) => {
      const rows = stage.rows.map(({ id, tag, text }): [HTMLElement, Drawn] => {
        const row = h("div", { "data-id": id, tabindex: id === null ? null : -1, role: id === null ? null : "group", "aria-label": id === null ? null : `code: ${text.trim()}` },
          h("b", {}, tag), h("code", {}, text));
        return [row, { id, mark: new Painted(row, "ls-row") }];
      });
      return { box: h("div", { class: "ls-variant" }, ...rows.map(([row]) => row)), rows: rows.map(([, drawn]) => drawn) };
    });
    this.box = h("div", { class: "ls-box", role: "group", "aria-label": panel.label }, ...this.variants.map((v) => v.box));
    this.element = h("section", { class: "ls", "aria-label": panel.label }, h("p", { class: "panel-name", "aria-hidden": "true" }, panel.label), this.box);
  }

  fit(): boolean {
    const first = !this.built;
    this.built = true;
    return first;
  }

  draw(now: Now): void {
    const k = variantAt(this.panel, now.at);
    if (k !== this.shown) this.variants.forEach((v, i) => v.box.classList.toggle("on", i === k));
    if (this.shown >= 0 && k !== this.shown) for (const { mark } of this.variants[this.shown]!.rows) mark.state("");
    this.shown = k;
    for (const { id, mark } of this.variants[k]!.rows) mark.state(id === null ? "" : now.touched.has(id) ? "stop now" : "stop");
    this.show([...now.touched]);
  }

  /** Where the lines do not fit they scroll, so the keyboard must reach them. */
  measure(): Write {
    const more = this.box.scrollHeight > this.box.clientHeight + 1;
    return () => { if (more) this.box.tabIndex = 0; else this.box.removeAttribute("tabindex"); };
  }

  /** Brings the first line of these ids into sight. */
  show(ids: readonly string[]): void {
    const row = this.variants[this.shown]?.rows.find(({ id }) => id !== null && ids.includes(id))?.mark.element as HTMLElement | undefined, { box } = this;
    if (row === undefined || box.scrollHeight <= box.clientHeight + 1) return;
    const y = row.offsetTop;
    if (y < box.scrollTop || y > box.scrollTop + box.clientHeight - 44) box.scrollTop = y - box.clientHeight / 2;
  }

  paper(on: boolean): void {
    this.box.classList.toggle("ls-all", on);
  }
}
