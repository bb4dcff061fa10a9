import type { GraphPicture } from "./graph/graph";
import { h } from "./dom";

/** The window onto the picture: it scrolls when the picture is larger and follows what is loud, without asking the layout. */
export class Scroller {
  readonly element: HTMLElement;
  private room = { w: 0, h: 0 };
  private at = { x: 0, y: 0 };
  private moved = false;
  private roving: SVGElement | null = null;

  constructor(private readonly picture: GraphPicture) {
    this.element = h("div", { class: "pic" }, picture.element);
    this.element.addEventListener("scroll", () => { this.at = { x: this.element.scrollLeft, y: this.element.scrollTop }; this.look(); this.picture.paint(); }, { passive: true });
    this.element.addEventListener("focusin", (ev) => { if (ev.target instanceof SVGElement && ev.target.matches(".node")) this.hold(ev.target); });
  }

  /** Reads the size of the window: the only place that asks the layout. */
  measure(): void {
    this.element.style.height = `${Math.min(this.picture.height, 560) + 12}px`;
    this.room = { w: this.element.clientWidth, h: this.element.clientHeight };
    this.look();
    this.hold(this.picture.element.querySelector<SVGElement>(".node"));
  }

  /** Shows the whole picture, for print. */
  all(): void {
    this.picture.look(null);
    this.picture.paint();
  }

  /** Scrolls a node into the middle unless it is well in sight already. */
  show(id: string, always: boolean): void {
    const { w, h: height } = this.room;
    if (w === 0 || (this.picture.width <= w && this.picture.height <= height)) return;
    const m = this.picture.middle(id);
    if (!m) return;
    const inX = m.x > this.at.x + 90 && m.x < this.at.x + w - 90, inY = m.y > this.at.y + 70 && m.y < this.at.y + height - 70;
    if (inX && inY && !always) return;
    this.at = { x: clamp(m.x - w / 2, this.picture.width - w), y: clamp(m.y - height / 2, this.picture.height - height) };
    this.moved = true;
    this.look();
  }

  /** Scrolls to where `show` wants to be. Called last, because scrolling makes the browser lay everything out at once. */
  settle(): void {
    if (!this.moved) return;
    this.moved = false;
    this.element.scrollTo(this.at.x, this.at.y);
  }

  private look(): void {
    const { w, h: height } = this.room;
    this.picture.look(w === 0 ? null : { ...this.at, w, h: height });
  }

  owns(target: Element): boolean {
    return target.matches(".node") && this.element.contains(target);
  }

  /** ↑ ↓ walk over the nodes in the order of the tape; only one of them is a tab stop. */
  roam(by: 1 | -1): void {
    const nodes = [...this.picture.element.querySelectorAll<SVGElement>(".node")];
    const active = nodes.indexOf((this.element.getRootNode() as ShadowRoot).activeElement as SVGElement);
    const next = nodes[active < 0 ? (by > 0 ? nodes.indexOf(this.roving!) : nodes.length - 1) : active + by];
    if (!next) return;
    this.hold(next);
    this.show(next.dataset.id!, false);
    this.picture.paint();
    this.settle();
    next.focus({ preventScroll: true });
  }

  private hold(node: SVGElement | null): void {
    this.roving?.setAttribute("tabindex", "-1");
    node?.setAttribute("tabindex", "0");
    this.roving = node;
  }
}

const clamp = (v: number, most: number): number => Math.max(0, Math.min(v, most));
