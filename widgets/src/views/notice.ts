import { SceneError } from "../core/validate";
import { h, words } from "./dom";
import { adopt } from "./style";

/** What a reader sees when there is nothing to draw: what is the case, and what to do. */
export function notice(host: HTMLElement, error: unknown): void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const known = error instanceof SceneError;
  const title = known ? error.title : "This view could not be drawn.";
  const hint = known ? error.hint : String(error instanceof Error ? error.message : error);
  root.replaceChildren(h("div", { class: "box notice", role: "note" }, h("p", { class: "notice-title" }, title), h("p", {}, ...words(hint))));
  adopt(root);
}
