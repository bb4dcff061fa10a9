import type { Now } from "./panel";

/** What a panel that is laid out in px does alike: built anew for another width, and drawn again as it was. */
export abstract class Laid {
  protected width = -1;
  protected now: Now | null = null;

  fit(width: number): boolean {
    if (width === this.width) return false;
    this.width = width;
    this.rebuild();
    return true;
  }

  draw(now: Now): void {
    this.now = now;
    this.paint(now);
  }

  /** Makes the elements anew, for this width or for another choice of the reader's. */
  protected rebuild(): void {
    this.build();
    if (this.now) this.draw(this.now);
  }

  protected abstract build(): void;
  protected abstract paint(now: Now): void;
}
