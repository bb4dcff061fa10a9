import { emptyFrame, type Frame } from "./fold";
import { type Fold, type GraphScene, hasGraph, type Scene, type SceneEvent, type Step } from "./scene";

/** A stretch of steps in which one item of a fold runs: forward, or back. */
export interface Pass { fold: Fold; item: number; phase: string; first: number; last: number }

/** The passes of a walk, in order; a step that belongs to no item does not end one that goes on after it. */
export function passesOf(folds: readonly Fold[], steps: readonly Step[]): Pass[] {
  const where = new Map(folds.flatMap((fold) => fold.items.map((item, k) => [item.id, { fold, item: k }] as const)));
  const passes: Pass[] = [];
  steps.forEach((step, k) => {
    const here = step.of === undefined ? undefined : where.get(step.of), last = passes.at(-1);
    if (!here) return;
    if (last?.fold === here.fold && last.item === here.item && last.phase === step.phase) last.last = k;
    else passes.push({ ...here, phase: step.phase, first: k, last: k });
  });
  return passes;
}

/** The folds of a view: which are open, and at which item; what a closed one stands for. */
export class Folds {
  /** Fold → the item that is shown; null follows the clock. What is not in here is closed. */
  private readonly opened = new Map<string, number | null>();
  private readonly byItem = new Map<string, { fold: Fold; item: number }>();
  private readonly inside = new Map<string, string>();
  /** Those of the walk that is shown. */
  passes: readonly Pass[] = [];

  constructor(readonly all: readonly Fold[], private readonly changed: () => void) {
    for (const fold of all) fold.items.forEach((item, k) => {
      this.byItem.set(item.id, { fold, item: k });
      for (const id of [...item.ids, ...item.of]) if (id !== "" && !this.inside.has(id)) this.inside.set(id, item.id);
    });
  }

  /** Another walk is shown. */
  walk(steps: readonly Step[]): void { this.passes = passesOf(this.all, steps); }

  follows(fold: string): boolean { return this.opened.get(fold) === null; }

  isOpen(fold: string): boolean { return this.opened.has(fold); }

  /** The item of an id, and its fold: they light up where the thing itself is folded away. */
  around(id: string): string[] {
    const item = this.inside.get(id);
    return item === undefined ? [] : [item, this.byItem.get(item)!.fold.id];
  }

  /** The item that an id of a part of a panel names, if its fold is closed: then it is drawn together with the others of it. */
  bundle(of: string | undefined): { id: string; label: string } | null {
    const here = of === undefined ? undefined : this.byItem.get(of);
    return here && !this.isOpen(here.fold.id) ? here.fold.items[here.item]! : null;
  }

  /** Whether pressing this id opens or closes something: a box, or an item of it. */
  owns(id: string): boolean { return this.byItem.has(id) || this.all.some((fold) => fold.id === id); }

  /** Opens or closes a box; pressing an item shows that one. */
  toggle(id: string): void {
    const here = this.byItem.get(id), fold = here?.fold.id ?? id, item = here?.item ?? null;
    if (this.opened.has(fold) && (item === null || this.opened.get(fold) === item)) this.opened.delete(fold);
    else this.opened.set(fold, item);
    this.changed();
  }

  /** Shows an item, or follows the clock. */
  show(fold: string, item: number | null): void {
    this.opened.set(fold, item);
    this.changed();
  }

  /** Opens a fold where an id is in the graph of one of its items, at that item; also where the id is that of an item. */
  reveal(id: string, fold: Fold): void {
    const at = fold.items.findIndex((item) => item.id === id || item.ids.includes(id));
    if (at < 0 || !fold.graph || this.opened.get(fold.id) === at) return;
    if (at !== this.byItem.get(this.inside.get(id) ?? id)?.item) return;
    this.show(fold.id, at);
  }

  /** The item that an open fold shows at step `k`. */
  itemAt(fold: Fold, k: number): number {
    return this.opened.get(fold.id) ?? this.passes.findLast((p) => p.fold === fold && p.first <= k)?.item ?? 0;
  }

  /** The steps that a reader passes over: those in a closed fold that say nothing of it as a whole, and what lies between. */
  skipped(steps: readonly Step[]): Set<number> {
    const out = new Set<number>();
    for (const p of this.passes)
      if (!this.isOpen(p.fold.id)) for (let k = p.first; k <= p.last; k++) if (steps[k]!.brief === undefined) out.add(k);
    return out;
  }

  /** Whether a step stands for its whole pass. */
  stands(step: Step): boolean {
    return step.brief !== undefined && step.of !== undefined && !this.isOpen(this.byItem.get(step.of)?.fold.id ?? "");
  }
}

/** Where each id of an item stands in the picture of an item; one may stand in several places. */
function places(fold: Fold, item: number): Map<string, string[]> {
  const map = new Map<string, string[]>();
  fold.items[item]!.ids.forEach((id, k) => {
    if (id === "") return;
    const slot = fold.ids[k]!, list = map.get(id);
    if (!list) map.set(id, [slot]);
    else if (!list.includes(slot)) list.push(slot);
  });
  return map;
}

/** Events at the slots that these maps give to their ids. */
const inSlots = (events: readonly SceneEvent[], maps: readonly Map<string, string[]>[]): SceneEvent[] => events.flatMap((e) => {
  const key = "edge" in e ? "edge" : "id" in e ? "id" : null;
  if (key === null) return [];
  const id = (e as unknown as Record<string, string>)[key]!;
  return maps.flatMap((map) => (map.get(id) ?? []).map((slot) => ({ ...e, [key]: slot }) as SceneEvent));
});

/** A scene with the graph of one item and all that any item ever shows there: for the room that texts need. */
export function itemScene(scene: Scene, fold: Fold): GraphScene {
  const all = fold.items.map((_, k) => places(fold, k));
  const steps = (list: readonly Step[]) => [{ phase: "", say: "", line: null, focus: [], events: list.flatMap((step) => inSlots(step.events, all)) }];
  const made: Scene = { ...scene, title: fold.label, graph: fold.graph!, steps: steps([...scene.steps, ...(scene.wrong?.steps ?? [])]) };
  delete made.wrong;
  return made as GraphScene;
}

/** What a frame says of one item, in the slots of its picture. */
export function itemFrame(frame: Frame, fold: Fold, item: number): Frame {
  const out = { ...emptyFrame(), at: frame.at };
  fold.items[item]!.ids.forEach((id, k) => {
    const slot = fold.ids[k]!;
    for (const part of MAPS) {
      const value = frame[part].get(id);
      if (value !== undefined) (out[part] as Map<string, unknown>).set(slot, value);
    }
    for (const part of SETS) if (frame[part].has(id)) out[part].add(slot);
  });
  return out;
}

const MAPS = ["values", "versions", "pins", "sends", "pushes", "sums", "hooks"] as const, SETS = ["hooked", "refused", "faded"] as const;

/** Ids of the scene as slots of an item. */
export function slotsOf(fold: Fold, item: number, ids: Iterable<string>): string[] {
  const map = places(fold, item);
  return [...ids].flatMap((id) => (id.startsWith("hook:") ? (map.get(id.slice(5)) ?? []).map((s) => `hook:${s}`) : map.get(id) ?? []));
}

/** A step as it is in the picture of an item: what happens in it, in its slots. */
export function itemStep(step: Step, fold: Fold, item: number): Step {
  return { ...step, focus: slotsOf(fold, item, step.focus), events: inSlots(step.events, [places(fold, item)]) };
}

/** The graphs of a scene: its own and that of every fold. */
export const graphsOf = (scene: Scene) => [...(hasGraph(scene) ? [scene.graph] : []), ...(scene.folds ?? []).flatMap((f) => (f.graph ? [f.graph] : []))];
