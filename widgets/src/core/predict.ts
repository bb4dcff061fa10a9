import { type NodePrediction, nodesOf, type Scene, type Step, type ValuePrediction } from "./scene";

/** Reads what a reader types as a number: true minus signs, thousands separators, no letters. NaN when it is none. */
export function readNumber(text: string): number {
  const t = text.trim().replace(/[−–]/g, "-").replace(/[,\s_]/g, "");
  return t === "" ? NaN : Number(t);
}

/** Right when it is one of the accepted texts, or a number within the four digits shown. */
export function isRight(p: ValuePrediction, guess: string): boolean {
  const want = [p.answer, ...(p.accept ?? [])];
  const flat = (s: string) => s.replace(/[−–]/g, "-").replace(/\s/g, "").toLowerCase();
  if (want.some((w) => flat(w) === flat(guess))) return true;
  const g = readNumber(guess), a = readNumber(p.answer);
  return Number.isFinite(g) && Number.isFinite(a) && Math.abs(g - a) <= 5.001e-4 * Math.abs(a);
}

export const isRightNode = (p: NodePrediction, id: string): boolean => p.answer === id || (p.accept ?? []).includes(id);

/** The nodes a reader may choose from: those the scene names, else the ops this and later steps of the walk focus on. */
export function choices(scene: Scene, steps: readonly Step[], i: number, p: NodePrediction): string[] {
  if (p.options) return p.options;
  const nodes = nodesOf(scene), kind = nodes.find((n) => n.id === p.answer)?.kind === "op";
  const fits = new Set(nodes.filter((n) => (n.kind === "op") === kind).map((n) => n.id));
  const ids = new Set<string>();
  for (let k = i; k < steps.length && ids.size < 12; k++) for (const id of steps[k]!.focus) if (fits.has(id)) ids.add(id);
  ids.add(p.answer);
  return nodes.filter((n) => ids.has(n.id)).map((n) => n.id);
}

/** What the number that is asked for counts, where the sentence says it right behind. */
export const unitOf = (say: string, asked: ValuePrediction): string => say.slice(asked.at + asked.length).match(/^ (?:B|KiB|MiB|bytes|%)(?![\w])/)?.[0] ?? "";
