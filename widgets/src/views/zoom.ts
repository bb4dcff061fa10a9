import { h } from "./dom";

const STEP = 1.5, MOST = 2, LEAST = 0.1;

/** Smaller, larger, the whole picture: shown where a picture is larger than its window. */
export class Zoom {
  readonly element: HTMLElement;
  scale = 1;
  /** The scale at which all of it is in sight. */
  private whole = 1;
  private readonly percent = h("button", { type: "button", class: "quiet", title: "As large as it was drawn" }, "100 %");

  constructor(private readonly changed: () => void) {
    const button = (text: string, name: string, press: () => void) => {
      const b = h("button", { type: "button", class: "quiet", "aria-label": name, title: name }, text);
      b.onclick = press;
      return b;
    };
    this.percent.onclick = () => this.set(1);
    this.element = h("div", { class: "zoom", role: "group", "aria-label": "Size of the picture" },
      button("−", "Smaller", () => this.set(this.scale / STEP)), this.percent, button("+", "Larger", () => this.set(this.scale * STEP)), button("whole", "Show the whole picture", () => this.set(this.whole)));
    this.element.hidden = true;
  }

  /** Whether there is something to gain, and how much smaller it must be to fit the window. */
  offer(large: boolean, wide: number, high: number): void {
    this.whole = Math.min(1, wide, high);
    this.element.hidden = !large && this.scale === 1;
  }

  private set(scale: number): void {
    this.scale = Math.abs(scale - 1) < 0.05 ? 1 : Math.max(Math.min(LEAST, this.whole), Math.min(MOST, scale));
    this.percent.textContent = `${Math.round(100 * this.scale)} %`;
    this.changed();
  }
}
