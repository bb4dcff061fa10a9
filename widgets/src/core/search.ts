import { nodesOf, type Scene } from "./scene";
import { plain } from "./words";

export interface Hit { id: string; label: string; kind: string }

/** Nodes, source lines and parts of panels whose label, id or facts hold the text; names that start with it come first. */
export function search(scene: Scene, text: string, more: readonly Hit[] = [], limit = 8): Hit[] {
  const t = text.trim().toLowerCase();
  if (t === "") return [];
  const all: Hit[] = [
    ...nodesOf(scene).map((n) => ({ id: n.id, label: n.label, kind: n.kind })),
    ...scene.source.map((l) => ({ id: l.id, label: l.text.trim(), kind: `line ${l.no}` })),
    ...more,
  ];
  const rank = (h: Hit): number => {
    const label = h.label.toLowerCase();
    if (label === t || h.id.toLowerCase() === t) return 0;
    if (label.startsWith(t)) return 1;
    if (label.includes(t)) return 2;
    return plain(scene.details[h.id] ?? "").toLowerCase().includes(t) ? 3 : 9;
  };
  return all
    .map((h) => ({ h, r: rank(h) }))
    .filter((x) => x.r < 9)
    .sort((a, b) => a.r - b.r)
    .slice(0, limit)
    .map((x) => x.h);
}
