import { SceneError } from "../core/validate";
import { h, words } from "./dom";
import { adopt } from "./style";

/** An error in words. One of JavaScript's own says that parts of a scene name others that are not there. */
function told(error: unknown): { title: string; hint: string } {
  if (error instanceof SceneError) return error;
  const message = String(error instanceof Error ? error.message : error), own = error instanceof TypeError || error instanceof RangeError;
  if (!own) return { title: "This view could not be drawn.", hint: message };
  return { title: "This view is broken: its parts do not fit together.", hint: `One of them needs another that is not there, as when a file was changed by hand. Make it again from the recording: view.save("view.json"). (${message})` };
}

/** What a reader sees when there is nothing to draw: what is the case, and what to do. */
export function notice(host: HTMLElement, error: unknown): void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  const { title, hint } = told(error);
  root.replaceChildren(h("div", { class: "box notice", role: "note" }, h("p", { class: "notice-title" }, title), h("p", {}, ...words(hint))));
  adopt(root);
}
