/** What ↑ and ↓ walk over: the nodes of the graph and the parts of panels. Only one of them is a tab stop. */
const STOPS = ".node, .stop";

export class Roaming {
  private held: Element | null = null;

  constructor(private readonly root: ShadowRoot, private readonly area: HTMLElement, private readonly reveal: (id: string) => void) {
    area.addEventListener("focusin", (ev) => { if (this.owns(ev.target as Element)) this.hold(ev.target as Element); });
  }

  owns(target: Element): boolean {
    return target.matches(STOPS) && this.area.contains(target);
  }

  /** The elements are new: the first is the tab stop. */
  refresh(): void {
    this.hold(this.area.querySelector(STOPS));
  }

  /** The next one, or the one before, gets the focus. */
  roam(by: 1 | -1): void {
    const stops = [...this.area.querySelectorAll<SVGElement | HTMLElement>(STOPS)];
    const active = stops.indexOf(this.root.activeElement as SVGElement);
    const next = stops[active < 0 ? (by > 0 ? stops.indexOf(this.held as SVGElement) : stops.length - 1) : active + by];
    if (!next) return;
    this.hold(next);
    this.reveal(next.dataset.id!);
    next.focus({ preventScroll: true });
  }

  private hold(element: Element | null): void {
    this.held?.setAttribute("tabindex", "-1");
    element?.setAttribute("tabindex", "0");
    this.held = element;
  }
}
