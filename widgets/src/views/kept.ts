import { byteText } from "../core/bytes";
import type { Player } from "../core/player";
import type { Kept } from "../core/scene";
import { monoWidth } from "../core/words";
import { h, Painted, s } from "./dom";
import { Steady } from "./steady";

const ROW = 22, WIDTH = 1000;

/** What backward keeps: one bar per value from its first pin to its last release, on the axis of the scrubber. */
export class KeptPanel {
  readonly element: HTMLElement;
  private readonly total = new Steady(h("span", { class: "total" }), "8,888\u2009KiB");
  private readonly rows = h("div", { class: "kept-rows", role: "list", "aria-label": "Kept for backward" });
  private marks: { kept: Kept; painted: Painted; cursor: HTMLElement }[] = [];
  private shown: readonly Kept[] | null | undefined;

  constructor(private readonly player: Player) {
    const tallest = Math.min(8, Math.max(player.scene.kept?.length ?? 0, player.scene.wrong?.kept?.length ?? 0));
    this.rows.style.setProperty("height", `${tallest * ROW}px`);
    this.element = h("div", { class: "panel kept" }, h("p", { class: "panel-name" }, "Kept for backward", this.total.element), this.rows);
    this.element.hidden = tallest === 0;
  }

  draw(): void {
    const { player } = this, list = player.kept;
    if (list !== this.shown) this.rebuild(list);
    const at = player.shown;
    let bytes = 0;
    for (const { kept, painted, cursor } of this.marks) {
      const on = kept.spans.some(([a, b]) => a <= at && at <= b);
      if (on) bytes += kept.bytes;
      painted.state(on ? "on" : kept.spans.every(([a]) => at < a) ? "" : "past");
      cursor.style.left = `${(100 * (at + 0.5)) / player.steps.length}%`;
    }
    this.total.say(this.marks.length ? byteText(bytes) : "");
  }

  private rebuild(list: readonly Kept[] | null): void {
    const n = this.player.steps.length;
    this.shown = list;
    this.rows.style.visibility = list === null ? "hidden" : "";
    const names = (list ?? []).map((k) => monoWidth(k.label, 11) + monoWidth(byteText(k.bytes), 11) + 12);
    this.rows.style.setProperty("--name", `${Math.ceil(Math.min(200, Math.max(64, ...names)))}px`);
    this.rows.tabIndex = (list?.length ?? 0) > 8 ? 0 : -1;
    this.marks = (list ?? []).map((kept) => {
      const bars = kept.spans.map(([a, b]) =>
        s("rect", { x: (WIDTH * a) / n, y: 5, width: Math.max(4, (WIDTH * (b + 1 - a)) / n), height: 12, rx: 2, "vector-effect": "non-scaling-stroke" }));
      const cursor = h("i", { class: "cursor" });
      const row = h("div", { role: "listitem", "data-id": kept.id },
        h("span", { class: "kept-name" }, h("code", {}, kept.label), ` ${byteText(kept.bytes)}`),
        h("span", { class: "kept-bar" }, s("svg", { viewBox: `0 0 ${WIDTH} ${ROW}`, preserveAspectRatio: "none", "aria-hidden": "true" }, ...bars), cursor));
      return { kept, painted: new Painted(row, "kept-row"), cursor };
    });
    this.rows.replaceChildren(...this.marks.map((m) => m.painted.element));
  }
}
