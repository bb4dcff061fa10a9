import { h } from "./dom";

/** A text that changes, in the room of the longest that it can be: nothing around it moves, however often it breaks. */
export class Steady {
  private readonly text = h("span", {});

  constructor(readonly element: HTMLElement, longest: string) {
    element.classList.add("steady");
    element.dataset.longest = longest;
    element.append(this.text);
  }

  say(text: string): void {
    this.text.textContent = text;
  }
}
