import type { Axis } from "../core/axis";
import type { Frame } from "../core/fold";
import type { Folds } from "../core/folds";
import type { Tone } from "../core/phases";
import type { Cues, Move } from "../core/motion/moves";
import type { Scene, Step } from "../core/scene";
import type { Hit } from "../core/search";
import type { Place } from "./motion/stage";

/** The moment that is shown. */
export interface Now {
  /** The clock: all that a panel's picture may depend on. */
  at: number;
  /** Where the step stands on the axis. */
  column: number;
  step: Step;
  tone: Tone;
  /** Ids that this step touches: they are drawn as current. */
  touched: ReadonlySet<string>;
  /** The events of the steps, folded: for the graph. */
  frame: Frame;
}

/** From one moment to the next: what a score is made from, when the later one is drawn. */
export interface Passage {
  /** The clock, and the columns of the axis, before and after. */
  from: number; to: number;
  columns: [number, number];
  /** The events folded up to the moment before. */
  before: Frame;
  /** The step that is over now; where several were passed over, with the events of all. */
  step: Step;
  /** When the graph of this view does what: its score is made first. */
  cues: Cues;
  /** The middle of a node of the graph, in px of this element's own box. */
  where(id: string, own: Element): { x: number; y: number } | null;
}

/** What moves in a picture, and where. */
export interface Scored { place: Place; score: readonly Move[]; cues?: Cues }

/** What is written when every part has read its sizes: reading again after a write would make the browser lay everything out anew. */
export type Write = () => void;

/** What a panel knows of the view around it. */
export interface Context {
  scene: Scene;
  axis: Axis;
  folds: Folds;
  /** To call when the panel has made its elements anew by itself, because the reader chose another way to show it. */
  renewed(): void;
}

/**
 * One picture of a view. What has an id carries it as `data-id`: pointing, selecting, linking and its details are done by
 * the view. Elements with the class `stop` can be reached with ↑ and ↓.
 */
export interface PanelView {
  readonly element: HTMLElement;
  /** Lays itself out for this many px; true when elements were made anew. Its height is the same at every step. */
  fit(width: number): boolean;
  draw(now: Now): void;
  /** What moves on the way to what is drawn now. A picture without it stands still. */
  score?(passage: Passage): Scored | null;
  /** What search finds in it. */
  hits?(): Hit[];
  /** Brings these ids into sight, if they are its own; `always` also where they are in sight, but at the border. */
  show?(ids: readonly string[], always: boolean): void;
  /** Called after drawing and showing: the place to scroll. */
  settle?(): void;
  /** Called after every change of the layout, when sizes can be read; it returns what it then has to write. */
  measure?(): Write;
  /** A fold has opened or closed. */
  refold?(): void;
  /** On paper everything is shown. */
  paper?(on: boolean): void;
}
