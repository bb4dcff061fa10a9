import { nextPhase, phasesOf, previousPhase } from "../core/phases";
import type { Player } from "../core/player";

export interface KeyActions { search(): void; escape(): void; roam(by: 1 | -1): void }

/** What a view takes, as `aria-keyshortcuts` tells it. Every other key is the page's. */
export const KEYS = "Space ArrowRight ArrowLeft Home End ] [ / Escape ArrowDown ArrowUp";

/** The keys of a view. They act only while it has the focus, and a key that acts goes no further. */
export function keyHandler(player: Player, actions: KeyActions): (ev: KeyboardEvent) => void {
  const act = (f: () => void) => () => { player.pause(); f(); };
  const keys: Record<string, () => void> = {
    " ": () => (player.playing ? player.pause() : player.play()),
    ArrowRight: act(() => player.forward()),
    ArrowLeft: act(() => player.back()),
    Home: act(() => player.seek(0)),
    End: act(() => player.seek(player.last)),
    "]": act(() => player.seek(nextPhase(phasesOf(player.steps), player.index))),
    "[": act(() => player.seek(previousPhase(phasesOf(player.steps), player.index))),
    "/": actions.search,
    Escape: actions.escape,
    ArrowDown: () => actions.roam(1),
    ArrowUp: () => actions.roam(-1),
  };
  return (ev) => {
    if (ev.ctrlKey || ev.metaKey || ev.altKey) return;
    const target = ev.composedPath()[0] as HTMLElement, key = keys[ev.key];
    const typing = target.matches("input[type=text], input.guess, select") && ev.key !== "Escape";
    if (typing && ev.key !== "Tab") ev.stopPropagation(); // letters are for the field, not for the page's shortcuts
    if (typing || !key) return;
    const own = target.matches("button, summary") && (ev.key === " " || ev.key === "Enter");
    if (target.closest(".sentences") && (ev.key === "ArrowDown" || ev.key === "ArrowUp")) return;
    ev.stopPropagation();
    if (own) return;
    ev.preventDefault();
    key();
  };
}
