import type { Step } from "./scene";

/** The axis that the scrubber and every picture of time share: of n equal columns, step k owns number k. */
export class Axis {
  readonly n: number;

  constructor(readonly ats: readonly number[]) {
    this.n = ats.length;
  }

  /** The step in which the clock reaches `at`: the first that covers it; the last one for what comes after all steps. */
  column(at: number): number {
    let low = 0, high = this.n - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.ats[middle]! >= at) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The last step that is over when the clock says `at`; the first one, if none is. */
  upTo(at: number): number {
    const k = this.column(at);
    return this.ats[k]! > at ? Math.max(0, k - 1) : this.ats.lastIndexOf(this.ats[k]!);
  }

  /** Where column k begins, in px of `width`. */
  x(k: number, width: number): number {
    return (width * k) / this.n;
  }
}

/** The clock at the end of every step. Scenes made by hand may leave it out: then it counts steps. */
export const axisOf = (steps: readonly Step[]): Axis => new Axis(steps.map((step, k) => step.at ?? k));

/** The clock after a step; before the first one nothing has happened. */
export const atOf = (steps: readonly Step[], k: number): number => (k < 0 ? -1 : steps[k]!.at ?? k);
