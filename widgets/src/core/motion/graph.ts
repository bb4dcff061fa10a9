import type { Frame } from "../fold";
import type { SceneEvent, Step } from "../scene";
import { push, send, settle } from "./gradients";
import { close } from "./hulls";
import { type Cues, type Move, Sequence } from "./moves";
import type { Places } from "./places";
import { compute, free, save, use, write } from "./values";

type Of<T extends SceneEvent["type"]> = Extract<SceneEvent, { type: T }>;

/** The score of one step of a graph, in the order in which its sentence tells it. `before` is the frame that the step finds. */
export function graphScore(places: Places, before: Frame, step: Step): { score: Move[]; cues: Cues } {
  const all = <T extends SceneEvent["type"]>(type: T) => step.events.filter((e): e is Of<T> => e.type === type);
  const out = new Sequence(), sends = all("send"), sums = all("sum"), hulls = all("hull");
  const values = all("value").filter((e) => places.nodes.has(e.id) && before.values.get(e.id) !== e.value);
  const merges = hulls.some((h) => h.ids.length > 1);
  out.add(merges ? close(places, before, hulls, values) : compute(places, before, values));
  if (!merges) out.add(close(places, before, hulls, []), 400);
  out.add(write(places, before, all("write")));
  out.cues.made = out.end;
  out.add(save(places, all("pin").map((e) => e.id)), 300);
  out.add(all("push").flatMap((e) => push(places, e)));
  const filled = new Set<Of<"sum">>();
  for (const e of sends) {
    const tray = places.edges.get(e.edge)?.from, sum = sums.find((s) => s.id === tray && !filled.has(s));
    if (sum) filled.add(sum);
    out.add(send(places, before, e, sum));
  }
  out.add(sums.filter((s) => !filled.has(s)).flatMap((s) => settle(places, before, s)));
  const loose = all("unpin").map((e) => e.id);
  if (!sends.length) out.add(use(places, loose));
  out.add(free(places, loose), 60, "freed");
  return { score: out.moves, cues: out.cues };
}
