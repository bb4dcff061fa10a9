import type { Crowd } from "./crowd";
import { around, type Curve, normalAt, type Point, pointAt, pt } from "./geometry";
import type { Side } from "./lanes";
import { monoWidth } from "./words";

export const CHIP_HEIGHT = 22;
export const chipWidth = (text: string): number => Math.max(24, Math.round(monoWidth(text, 12) + 12));

const SHARES = [0.5, 0.43, 0.57, 0.36, 0.64, 0.29, 0.71, 0.22, 0.78, 0.15, 0.85];
/** On an edge longer than this the chip stands near the op that sends, where the reader looks. */
const LONG = 700;
const NEAR_OP = [150, 120, 190, 230, 280, 340, 90];

function shares(curve: Curve): number[] {
  const length = curve.at(-1)![3].x - curve[0]![0].x;
  return length <= LONG ? SHARES : NEAR_OP.map((px) => 1 - px / length);
}

/**
 * Centre of the chip of a backward edge: on its dashed line, clear of its forward edge, at the freest share of the way.
 * The place taken is added to the crowd, so later chips keep away from it.
 */
export function placeChip(id: string, forward: Curve, side: Side, width: number, crowd: Crowd): Point {
  let best = pt(0, 0), least = Infinity;
  shares(forward).forEach((t, k) => {
    for (const extra of [0, 5, 10, 16, 22]) {
      const detour = k * 0.35 + extra * 2;
      if (detour >= least) break;
      const p = pointAt(forward, t), n = normalAt(forward, t, side);
      const reach = Math.abs(n.x) * width / 2 + Math.abs(n.y) * CHIP_HEIGHT / 2 + 2.5 + extra;
      const c = pt(Math.round(p.x + n.x * reach), Math.round(p.y + n.y * reach));
      const cost = crowd.cost(around(c.x, c.y, width, CHIP_HEIGHT), id) + detour;
      if (cost < least) { least = cost; best = c; }
    }
  });
  crowd.add(around(best.x, best.y, width, CHIP_HEIGHT));
  return best;
}
