import type { GraphScene } from "../../core/scene";
import type { Now, PanelView } from "../panel";
import { Scroller } from "../scroller";
import { GraphPicture } from "./graph";

/** The graph and the window onto it, as one picture of a view. */
export class GraphWindow implements PanelView {
  readonly element: HTMLElement;
  private readonly picture: GraphPicture;
  private readonly scroller: Scroller;

  constructor(scene: GraphScene) {
    this.picture = new GraphPicture(scene);
    this.scroller = new Scroller(this.picture);
    this.element = this.scroller.element;
  }

  fit(width: number): boolean { return this.picture.fit(width); }
  measure(): void { this.scroller.measure(); }
  settle(): void { this.scroller.settle(); }

  draw(now: Now): void {
    this.scroller.show(now.step.focus, false);
    this.picture.draw(now.frame, now.touched, now.tone);
  }

  show(ids: readonly string[], always: boolean): void {
    this.scroller.show(ids, always);
    this.picture.paint();
  }

  paper(on: boolean): void {
    if (on) this.scroller.all();
    else this.scroller.measure();
  }
}
