import { MIN_STRETCH } from "../core/geometry";
import type { Scene } from "../core/scene";
import { monoWidth } from "../core/words";

const NARROW = 700, GAP = 24, DEFAULT_WIDTH = 900, WIDEST = 1126;
/** The least width of panels beside the source. */
const PANELS = 420;
/** Source and picture, one above the other, are not higher than this; a source of few lines stands above in any case. */
const HIGH = 560, FEW = 10, LINE = 22;

/**
 * Decides how source and picture share the width: side by side from 700 px on, else the source above. A short source also
 * stands above a picture that needs the whole width.
 */
export class Stage {
  private readonly watch: ResizeObserver | null;
  private width = -1;
  private readonly left: number;
  /** Nothing stands beside the pictures. */
  private readonly alone: boolean;

  constructor(private readonly host: HTMLElement, private readonly two: HTMLElement, private readonly scene: Scene, changed: () => void) {
    const longest = Math.max(0, ...scene.source.map((l) => monoWidth(l.text, 12.5)));
    this.alone = scene.source.length === 0 && !scene.kept?.length && !scene.panels?.some((p) => p.side);
    this.left = Math.round(Math.min(336, Math.max(216, longest + 64)));
    // A host of width 0 is out of sight (a notebook takes cells out of the page when they are scrolled away): nothing to do.
    const look = () => { if (host.clientWidth > 0 && Math.abs(host.clientWidth - this.width) > 1) changed(); };
    this.watch = typeof ResizeObserver === "function" ? new ResizeObserver(look) : null;
    this.watch?.observe(host);
  }

  /** Sets the columns for the present width and returns what is left for the pictures, and for what stands beside them. */
  room(): { main: number; side: number } {
    this.width = this.host.clientWidth;
    const all = this.width || DEFAULT_WIDTH, inside = all - (all < NARROW ? 34 : 42), beside = Math.min(inside, WIDEST) - this.left - GAP;
    const { graph, source } = this.scene, needs = graph ? graph.width * MIN_STRETCH : PANELS;
    const lines = source.length, low = lines * LINE + (graph?.height ?? 0) <= HIGH;
    const stack = all < NARROW || this.alone || (beside < needs && (lines <= FEW || (inside >= needs && low)));
    this.two.classList.toggle("stack", stack);
    this.two.style.setProperty("--left", `${this.left}px`);
    return stack ? { main: Math.min(inside, WIDEST), side: Math.min(inside, WIDEST) } : { main: beside, side: this.left };
  }

  destroy(): void {
    this.watch?.disconnect();
  }
}
