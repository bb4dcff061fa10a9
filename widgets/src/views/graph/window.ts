import type { GraphScene } from "../../core/scene";
import type { Context, Now, PanelView, Passage, Scored, Write } from "../panel";
import { Scroller } from "../scroller";
import { GraphPicture } from "./graph";

/** The graph and the window onto it, as one picture of a view. */
export class GraphWindow implements PanelView {
  readonly element: HTMLElement;
  private readonly picture: GraphPicture;
  private readonly scroller: Scroller;

  constructor(scene: GraphScene, private readonly context: Context) {
    this.picture = new GraphPicture(scene, context.folds);
    this.scroller = new Scroller(this.picture);
    this.element = this.scroller.element;
  }

  fit(width: number): boolean {
    const anew = this.picture.fit(width);
    this.scroller.fit(width);
    return anew;
  }

  measure(): Write { return this.scroller.measure(); }
  settle(): void { this.scroller.settle(); }

  draw(now: Now): void {
    this.scroller.show(this.drawn(now.step.focus), false);
    this.picture.draw(now.frame, now.touched, now.tone);
  }

  score({ before, step }: Passage): Scored { return this.scroller.scored(this.picture.score(before, step)); }

  show(ids: readonly string[], always: boolean): void {
    this.scroller.show(this.drawn(ids), always);
    this.picture.paint();
  }

  /** Ids as they are drawn here: what is folded away is in its box. */
  private drawn(ids: readonly string[]): string[] {
    const all = ids.map((id) => (this.picture.middle(id) ? id : this.context.folds.around(id).at(-1) ?? id));
    return [...new Set(all)];
  }

  paper(on: boolean): void {
    if (on) this.scroller.all();
    else this.scroller.measure()();
  }
}
