import { bounds, type Point, type Rect } from "../../core/geometry";
import { s } from "../dom";
import { LAYERS, type Mark, meets } from "./mark";

/** Side of a tile in px. */
const SIDE = 384;
/** Long edges would make their tile meet every window: they have sheets of their own, so many on each. */
const SHEET = 32;
/** The first so many layers lie under all tiles, so that no edge covers the node of a neighbour. */
const UNDER = 4;

interface Tile { area: Rect; marks: Mark[] }

/**
 * The marks of a picture in tiles, each with SVG elements of its own: a change in one tile leaves the layout of all others
 * alone, and tiles out of the window are not even looked at. So a step costs what one windowful costs, not a thousand nodes.
 */
export class Tiles {
  readonly elements: SVGSVGElement[];
  private readonly tiles: Tile[];

  constructor(marks: readonly Mark[], origin: Point) {
    const cells = new Map<string, { x: number; y: number; marks: Mark[] }>();
    let wide = 0;
    for (const m of marks) {
      const x = Math.floor((m.area.x + m.area.w / 2) / SIDE), y = Math.floor((m.area.y + m.area.h / 2) / SIDE);
      const key = m.area.w > 4 * SIDE ? `wide ${Math.floor(wide++ / SHEET)}` : `${x} ${y}`;
      if (!cells.has(key)) cells.set(key, { x: x * SIDE, y: y * SIDE, marks: [] });
      cells.get(key)!.marks.push(m);
    }
    const list = [...cells.values()];
    this.tiles = list.map((c) => ({ area: bounds(c.marks.map((m) => m.area)), marks: c.marks }));
    const part = (names: readonly string[]) => list.map((c) => sheet(c.x, c.y, origin, names.map((name) => layer(name, c.marks))));
    this.elements = [...part(LAYERS.slice(0, UNDER)), ...part(LAYERS.slice(UNDER))];
  }

  /** Calls `draw` for the marks of all tiles that meet the window; null means the whole picture. */
  paint(window: Rect | null, draw: (mark: Mark) => void): void {
    for (const tile of this.tiles) if (window === null || meets(window, tile.area)) tile.marks.forEach(draw);
  }
}

const layer = (name: string, marks: readonly Mark[]): SVGGElement =>
  s("g", { class: name }, ...marks.flatMap((m) => m.parts.filter(([l]) => l === name).map(([, root]) => root)));

function sheet(x: number, y: number, origin: Point, layers: SVGGElement[]): SVGSVGElement {
  const svg = s("svg", { width: SIDE, height: SIDE, viewBox: `${x} ${y} ${SIDE} ${SIDE}` }, ...layers.filter((g) => g.childElementCount > 0));
  svg.style.left = `${x - origin.x}px`;
  svg.style.top = `${y - origin.y}px`;
  return svg;
}
