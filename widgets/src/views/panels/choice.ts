import { h } from "../dom";

/** A small switch between a few ways to show the same thing. */
export class Choice<T extends string> {
  readonly element: HTMLElement;
  value: T;
  private readonly buttons: [T, HTMLButtonElement][];

  constructor(name: string, options: Record<T, string>, changed: () => void) {
    this.buttons = (Object.entries(options) as [T, string][]).map(([value, label]) => {
      const button = h("button", { type: "button", class: "quiet choice" }, label);
      button.onclick = () => { this.value = value; this.mark(); changed(); };
      return [value, button];
    });
    this.value = this.buttons[0]![0];
    this.element = h("div", { class: "choices", role: "group", "aria-label": name }, ...this.buttons.map(([, b]) => b));
    this.mark();
  }

  private mark(): void {
    for (const [value, button] of this.buttons) button.setAttribute("aria-pressed", String(value === this.value));
  }
}
