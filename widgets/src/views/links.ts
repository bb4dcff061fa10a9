import type { Scene } from "../core/scene";

const CHANNEL = "minitorch-lab:select";
interface Selection { recording: string; id: string | null; from: Links }

/**
 * What belongs together lights up together: the pointed id and those the scene links to it.
 * A pick (click, Enter, search) is also sent to the other views of the same recording on the page.
 */
export class Links {
  picked: string | null = null;
  pointed: string | null = null;
  private lit: Element[] = [];
  private index: Map<string, Element[]> | null = null;
  private shown: string | null = null;
  private readonly hear = (ev: Event) => {
    const { recording, id, from } = (ev as CustomEvent<Selection>).detail;
    if (from === this || recording !== this.scene.recording) return;
    this.picked = id !== null && this.known(id) ? id : null;
    this.changed();
  };

  constructor(private readonly scene: Scene, private readonly box: HTMLElement, private readonly changed: () => void) {
    if (scene.recording) document.addEventListener(CHANNEL, this.hear);
  }

  get current(): string | null { return this.pointed ?? this.picked; }

  /** Forgets which elements there are: the picture was built anew. */
  refresh(): void {
    this.index = null;
    this.shown = null;
  }

  point(id: string | null): void {
    if (id === this.pointed) return;
    this.pointed = id;
    this.changed();
  }

  pick(id: string | null): void {
    this.picked = id;
    if (this.scene.recording) document.dispatchEvent(new CustomEvent<Selection>(CHANNEL, { detail: { recording: this.scene.recording, id, from: this } }));
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

  destroy(): void {
    document.removeEventListener(CHANNEL, this.hear);
  }

  /** Every id this scene draws. */
  private known(id: string): boolean {
    return this.elements().has(id);
  }

  private light(id: string, how: string): void {
    for (const e of this.elements().get(id) ?? []) {
      e.setAttribute("data-lit", how);
      this.lit.push(e);
    }
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
