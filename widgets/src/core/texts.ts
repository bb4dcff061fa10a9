import type { Scene, SceneEvent } from "./scene";

/** The longest text every sum box, chip and hook ever shows, over both walks: their places are kept from the start. */
export interface Longest { sums: Map<string, string>; sends: Map<string, string>; hooks: Map<string, string>; hooked: Set<string> }

export function longest(scene: Scene): Longest {
  const out: Longest = { sums: new Map(), sends: new Map(), hooks: new Map(), hooked: new Set() };
  const keep = (m: Map<string, string>, id: string, text: string) => { if (text.length >= (m.get(id)?.length ?? 0)) m.set(id, text); };
  const see = (e: SceneEvent) => {
    if (e.type === "sum") keep(out.sums, e.id, sumText(e));
    else if (e.type === "send" || e.type === "push") keep(out.sends, e.edge, e.value);
    else if (e.type === "hook") keep(out.hooks, e.id, e.text);
    else if (e.type === "hooked") out.hooked.add(e.id);
  };
  for (const step of [...scene.steps, ...(scene.wrong?.steps ?? [])]) step.events.forEach(see);
  return out;
}

/** What a box says: a wrong number never stands alone when the right one is known. */
export const sumText = (s: { text: string; right?: string }): string => (s.right === undefined ? s.text : `${s.text} ≠ ${s.right}`);
