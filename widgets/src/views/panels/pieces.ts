import { captureAt, come, cutState, type Piece, type PiecesPanel } from "../../core/panels/pieces";
import type { Hit } from "../../core/search";
import { h, Painted } from "../dom";
import type { Now, PanelView } from "../panel";

type State = (now: number) => string;

/** Each graph a hull with its ops, a break a cut across them with its reason. */
export class PiecesView implements PanelView {
  readonly element: HTMLElement;
  private readonly marks: { mark: Painted; state: State }[] = [];
  private readonly byId = new Map<string, HTMLElement>();
  private readonly captures: HTMLElement;
  private touched: HTMLElement | null = null;
  private built = false;

  constructor(private readonly panel: PiecesPanel) {
    const { captures } = panel;
    this.captures = h("div", { class: "pc-captures" }, ...captures.map((c, k) => {
      const box = h("div", {}, captures.length > 1 ? h("p", { class: "pc-label" }, c.label) : null, ...c.pieces.flatMap((p) => this.piece(p)));
      return this.mark(box, "pc-capture", (now) => (captureAt(panel, now) === k ? "now" : come(c.at, now)));
    }));
    this.element = h("section", { class: "pc", "aria-label": panel.label }, h("p", { class: "panel-name" }, "Graphs"), this.captures);
  }

  fit(width: number): boolean {
    this.element.classList.toggle("pc-two", this.panel.captures.length > 1 && width >= 560);
    const first = !this.built;
    this.built = true;
    return first;
  }

  draw(now: Now): void {
    for (const { mark, state } of this.marks) mark.state(`${state(now.at)} ${now.touched.has((mark.element as HTMLElement).dataset.id ?? "") ? "loud" : ""}`.trim());
    this.touched = now.step.focus.map((id) => this.byId.get(id)).find((e) => e !== undefined) ?? null;
  }

  hits(): Hit[] {
    return this.panel.captures.flatMap((c) => c.pieces.flatMap((p) => [{ id: p.id, label: p.head, kind: "graph" },
      ...p.rows.map((r) => ({ id: r.id, label: r.text, kind: "op" })), ...(p.cut ? [{ id: p.cut.id, label: p.cut.reason, kind: "break" }] : [])]));
  }

  /** What is told stays in sight, without moving the page. */
  settle(): void {
    const one = this.touched, box = this.captures;
    if (!one || box.scrollHeight <= box.clientHeight + 1) return;
    const y = one.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
    if (y < box.scrollTop || y + one.offsetHeight > box.scrollTop + box.clientHeight) box.scrollTop = y - box.clientHeight / 2;
  }

  private mark(element: HTMLElement, base: string, state: State): HTMLElement {
    this.marks.push({ mark: new Painted(element, base), state });
    if (element.dataset.id !== undefined) this.byId.set(element.dataset.id, element);
    return element;
  }

  private piece(piece: Piece): HTMLElement[] {
    const rows = piece.rows.map((r) => this.mark(h("li", { "data-id": r.id, tabindex: -1, title: r.unneeded ? "nothing needs it" : null }, h("code", {}, r.text)),
      `pc-row stop${r.unneeded ? " pc-unneeded" : ""}`, (now) => come(r.at, now)));
    const hull = this.mark(h("div", { "data-id": piece.id, role: "group", "aria-label": piece.head }, h("code", { class: "pc-head" }, piece.head), h("ol", {}, ...rows)), "pc-piece", (now) => come(piece.at, now));
    return piece.cut === null ? [hull] : [hull, this.cut(piece.cut)];
  }

  private cut(cut: NonNullable<Piece["cut"]>): HTMLElement {
    const element = h("div", { "data-id": cut.id, tabindex: -1, role: "group", "aria-label": `graph break: ${cut.reason}` },
      h("p", { class: "pc-reason" }, h("b", {}, "break"), cut.reason), h("p", { class: "pc-runs" }, h("code", {}, cut.runs), h("span", {}, "runs for real")));
    return this.mark(element, "pc-cut stop", (now) => cutState(cut, now));
  }
}
