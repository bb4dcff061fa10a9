import type { PanelBase } from "./base";

/** What was alive when: blocks with birth and death on the clock, in groups that are stacked from the bottom. */
export interface MemoryPanel extends PanelBase {
  kind: "memory";
  blocks: Block[];
  /** By category: parameter, gradient, activation and so on. */
  groups: Group[];
  /** By owner: the module, or the name, that a block belongs to. */
  owners?: Group[];
  /** What stands above the columns: the op that ran in the moment that ends at `at`. */
  ticks?: Tick[];
  /** The most bytes at one time, and in words what they are. */
  peak: { at: number; bytes: number; say: string };
  /** The height of the axis, where it is not this panel's own peak: for two that are compared. */
  top?: number;
}

/** `of`: the item of a fold that it is in, for ticks and blocks. */
export interface Tick { at: number; op: string; label: string; of?: string }

export interface Block {
  id: string;
  name: string;
  bytes: number;
  /** Index into `groups`. */
  group: number;
  /** Index into `owners`. */
  owner?: number;
  /** −1: it was there before. */
  born: number;
  /** null: it outlives the recording. */
  died: number | null;
  of?: string;
}

/** `role` chooses colour and hatch. */
export interface Group { id: string; label: string; role: string }

/** One column of the picture: the moment of its step at which most was alive. */
export interface Column { at: number; bytes: number }

export const alive = (b: Block, at: number): boolean => b.born <= at && (b.died === null || b.died > at);

/** The fullest moment of every step; `ats` is the clock at the end of each. */
export function columnsOf(blocks: readonly Block[], ats: readonly number[]): Column[] {
  const changes = blocks.flatMap((b) => [{ at: b.born, bytes: b.bytes }, ...(b.died === null ? [] : [{ at: b.died, bytes: -b.bytes }])]);
  changes.sort((a, b) => a.at - b.at);
  let live = 0, i = 0;
  return ats.map((end) => {
    let best: Column | null = null;
    for (; i < changes.length && changes[i]!.at <= end; i++) {
      live += changes[i]!.bytes;
      if (best === null || live > best.bytes) best = { at: changes[i]!.at, bytes: live };
    }
    return best ?? { at: end, bytes: live };
  });
}

/** Bytes alive at a moment, by group. */
export function liveAt(blocks: readonly Block[], at: number, groups: number, key: "group" | "owner"): number[] {
  const sums = new Array<number>(groups).fill(0);
  for (const b of blocks) if (alive(b, at)) sums[b[key] ?? 0]! += b.bytes;
  return sums;
}

/** A block in the stack, or all small blocks of a group together: from `low` to `high` in each of its columns. */
export interface Layer { id: string; name: string; group: number; first: number; low: number[]; high: number[] }

/** More blocks than this are not drawn one by one: the smallest of each group stand together. */
const MOST = 400, LEAST = 60, CELLS = 80_000;

/** How many blocks are drawn one by one over so many columns: the outline of each may bend at every column. */
export const mostOver = (columns: number): number => Math.max(LEAST, Math.min(MOST, Math.floor(CELLS / columns)));

/** What several blocks are drawn as together. */
export interface Bundle { id: string; label: string }
const REST: Bundle = { id: "rest", label: "small ones" };

/** The stack: layer upon layer, group by group, each in the columns at whose moment it is alive; those of a bundle as one. */
export function layersOf(blocks: readonly Block[], columns: readonly Column[], key: "group" | "owner", most = mostOver(columns.length), bundle: (b: Block) => Bundle | null = () => null): Layer[] {
  const group = (b: Block) => b[key] ?? 0, single = blocks.filter((b) => bundle(b) === null), drawn = largest(single, most);
  const heap = (b: Block) => bundle(b) ?? (drawn.has(b) ? null : REST), ranks = new Map<string, number>();
  for (const b of [...blocks].sort((a, c) => a.born - c.born)) { // a heap stands where its first block does, small ones on top
    const id = heap(b)?.id ?? b.id;
    if (!ranks.has(id)) ranks.set(id, id === REST.id ? Infinity : ranks.size);
  }
  const keys = new Map(blocks.map((b) => [b, ranks.get(heap(b)?.id ?? b.id)!])), up = (x: number, y: number) => (x === y ? 0 : x - y);
  const compare = (a: Block, b: Block) => group(a) - group(b) || up(keys.get(a)!, keys.get(b)!) || a.born - b.born;
  const base = columns.map(() => 0), layers: Layer[] = [];
  let open: Heap | null = null;
  const close = () => { if (open) layers.push(open.onto(base)); open = null; };
  for (const b of [...blocks].sort(compare)) {
    const first = firstAlive(b, columns), many = heap(b);
    if (first < 0) continue;
    if (many === null) { close(); layers.push(laid(b, group(b), first, columns, base)); continue; }
    const id = many === REST ? `rest:${group(b)}` : many.id, last: Heap | null = open;
    if (last?.id !== id || last.group !== group(b)) { close(); open = new Heap(id, many.label, group(b), columns.length); }
    open!.add(first, reached(columns, b.died ?? Infinity), b.bytes);
  }
  close();
  return layers.map(trimmed);
}

/** Blocks that are drawn as one: what each column has more than the one before. */
class Heap {
  private readonly change: number[];

  constructor(readonly id: string, private readonly name: string, readonly group: number, columns: number) {
    this.change = new Array<number>(columns + 1).fill(0);
  }

  /** Some bytes more in the columns from `first` up to `end`. */
  add(first: number, end: number, bytes: number): void {
    this.change[first]! += bytes;
    this.change[end]! -= bytes;
  }

  /** The layer that they are on what is under them, which then reaches as high as they do. */
  onto(base: number[]): Layer {
    const low = [...base];
    let sum = 0;
    for (let k = 0; k < base.length; k++) base[k]! += sum += this.change[k]!;
    return { id: this.id, name: this.name, group: this.group, first: 0, low, high: [...base] };
  }
}

/** The first column at whose moment a block is alive; −1 if there is none. */
function firstAlive(b: Block, columns: readonly Column[]): number {
  const k = reached(columns, b.born);
  return k < columns.length && alive(b, columns[k]!.at) ? k : -1;
}

/** The first column whose moment is not before `at`. Columns stand in the order of their moments. */
function reached(columns: readonly Column[], at: number): number {
  let low = 0, high = columns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (columns[middle]!.at >= at) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A layer without the columns in which it has no height, at both ends. */
function trimmed(layer: Layer): Layer {
  const there = (k: number) => layer.high[k]! > layer.low[k]!;
  let a = 0, z = layer.high.length;
  while (a < z - 1 && !there(a)) a++;
  while (z > a + 1 && !there(z - 1)) z--;
  return { ...layer, first: layer.first + a, low: layer.low.slice(a, z), high: layer.high.slice(a, z) };
}

function laid(b: Block, group: number, first: number, columns: readonly Column[], base: number[]): Layer {
  const layer: Layer = { id: b.id, name: b.name, group, first, low: [], high: [] };
  for (let k = first; k < columns.length && alive(b, columns[k]!.at); k++) {
    layer.low.push(base[k]!);
    layer.high.push((base[k]! += b.bytes));
  }
  return layer;
}

function largest(blocks: readonly Block[], most: number): Set<Block> {
  return new Set(blocks.length <= most ? blocks : [...blocks].sort((a, b) => b.bytes - a.bytes).slice(0, most));
}

/** Where the columns begin and end, as shares of the width: equal steps, or each as wide as the bytes that it allocates. */
export function edgesOf(blocks: readonly Block[], ats: readonly number[], by: "steps" | "bytes"): number[] {
  const made = ats.map(() => 1);
  if (by === "bytes") {
    made.fill(0);
    for (const b of blocks) {
      const k = b.born < 0 ? -1 : ats.findIndex((at) => at >= b.born);
      if (k >= 0) made[k]! += b.bytes;
    }
  }
  const total = made.reduce((sum, x) => sum + x, 0) || 1, edges = [0];
  for (const x of made) edges.push(edges.at(-1)! + x / total);
  return edges;
}

/** Ticks, those of a bundle in a row as one. */
export function bundled(ticks: readonly Tick[], bundle: (t: Tick) => Bundle | null): Tick[] {
  const out: Tick[] = [];
  for (const t of ticks) {
    const many = bundle(t);
    if (many && out.at(-1)?.op === many.id) continue;
    out.push(many ? { ...t, op: many.id, label: many.label } : t);
  }
  return out;
}

/** Ticks with their columns: each reaches from its first column to that of the next one. */
export function spansOf(ticks: readonly Tick[], column: (at: number) => number, n: number): { tick: Tick; first: number; end: number }[] {
  const firsts = ticks.map((t) => column(t.at));
  return ticks.map((tick, k) => ({ tick, first: firsts[k]!, end: k + 1 < ticks.length ? firsts[k + 1]! : Math.min(n, firsts[k]! + 1) })).filter((s) => s.end > s.first);
}

/** Two to four round numbers of bytes up to `most`, for lines across the picture: 1, 2 or 5 times a power of 1024 or of ten of it. */
export function gridOf(most: number): number[] {
  const unit = most < 1024 ? 1 : most < 1024 * 1024 ? 1024 : 1024 * 1024, top = most / unit;
  const rough = top / 3, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough)!;
  const lines: number[] = [];
  for (let v = step; v < top * 0.97; v += step) lines.push(v * unit);
  return lines;
}

/** The outline of a layer as path data, drawn once around; equal neighbours are one line. */
export function outline(layer: Layer, x: (column: number) => number, y: (bytes: number) => number): string {
  const { first, high, low } = layer, there: string[] = [], back: string[] = [], r = (v: number) => Math.round(v * 10) / 10;
  for (let k = 0; k < high.length;) {
    const from = k;
    while (++k < high.length && high[k] === high[from] && low[k] === low[from]);
    const left = r(x(first + from)), right = r(x(first + k)), top = r(y(high[from]!)), foot = r(y(low[from]!));
    there.push(`L${left} ${top}L${right} ${top}`);
    back.push(`L${right} ${foot}L${left} ${foot}`);
  }
  return `M${there.join("").slice(1)}${back.reverse().join("")}z`;
}

/** The longest stretch of columns over which a layer keeps its place: there its name can stand. */
export function plateau(layer: Layer): { first: number; count: number; low: number; high: number } {
  let best = { first: layer.first, count: 0, low: 0, high: 0 }, start = 0;
  layer.high.forEach((high, k) => {
    if (k > 0 && (layer.high[k - 1] !== high || layer.low[k - 1] !== layer.low[k])) start = k;
    if (k - start + 1 > best.count) best = { first: layer.first + start, count: k - start + 1, low: layer.low[k]!, high };
  });
  return best;
}
