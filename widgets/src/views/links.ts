import type { Folds } from "../core/folds";
import type { Scene } from "../core/scene";
import { Shared } from "../core/shared";

/**
 * What belongs together lights up together: the pointed id and those the scene links to it.
 * A pick (click, Enter, search) is also told to the other views of the same recording on the page.
 */
export class Links {
  private lit: Element[] = [];
  private index: Map<string, Element[]> | null = null;
  private shown: string | null = null;

  constructor(private readonly scene: Scene, private readonly box: HTMLElement, private readonly shared: Shared, private readonly folds: Folds, private readonly changed: () => void) {}

  get picked(): string | null { return this.shared.picked; }
  get current(): string | null { return this.shared.current; }

  /** Forgets which elements there are: the picture was built anew. */
  refresh(): void {
    this.index = null;
    this.shown = null;
  }

  point(id: string | null): void {
    if (id === this.shared.pointed) return;
    this.shared.pointed = id;
    this.changed();
  }

  pick(id: string | null): void {
    this.shared.pick(id);
    this.changed();
  }

  /** Another view has picked `id`: shown here too, if it is drawn or linked here. */
  heard(id: string | null): void {
    this.shared.picked = id !== null && this.known(id) ? id : null;
    this.changed();
  }

  /** Lights the current id and its links, if they differ from what is lit. */
  draw(): void {
    const id = this.current;
    if (id === this.shown && this.index) return;
    this.shown = id;
    for (const e of this.lit) e.removeAttribute("data-lit");
    this.lit = [];
    this.box.classList.toggle("linking", id !== null);
    if (id === null) return;
    for (const other of this.scene.links[id] ?? []) this.light(other, "");
    this.light(id, "lead");
  }

  private known(id: string): boolean {
    return [id, ...(this.scene.links[id] ?? [])].some((other) => this.seen(other).length > 0);
  }

  private light(id: string, how: string): void {
    for (const one of this.seen(id))
      for (const e of this.elements().get(one)!) {
        e.setAttribute("data-lit", how);
        this.lit.push(e);
      }
  }

  /** An id that is drawn; for what is folded away, the item and the box that hold it. */
  private seen(id: string): string[] {
    const all = this.elements();
    return all.has(id) ? [id] : this.folds.around(id).filter((one) => all.has(one));
  }

  private elements(): Map<string, Element[]> {
    if (this.index) return this.index;
    this.index = new Map();
    for (const e of this.box.querySelectorAll("[data-id]")) {
      const id = e.getAttribute("data-id")!, list = this.index.get(id);
      if (list) list.push(e);
      else this.index.set(id, [e]);
    }
    return this.index;
  }
}
