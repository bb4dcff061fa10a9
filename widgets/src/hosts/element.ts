// Any web page: <minitorch-view src="view.json"></minitorch-view>, or with the scene inside a <script type="application/json">.
import { parseScene } from "../core/validate";
import { mount, type Handle } from "../views/mount";
import { notice } from "../views/notice";
import { followTheme } from "../views/theme";
import { tellFrame } from "./frame";

export { mount };
export type { Handle };

/** Writing the address is slow, and browsers allow only so many a second. */
const HASH_MS = 250;

/**
 * Attributes: src, step (0 is the first), theme ("light", "dark"), autoplay, deeplink (writes `#id:step` into the address),
 * clock (views of one recording with the same clock move together; all views of one recording share what is selected),
 * embed (the page stands in an <iframe>: it tells the page around it how high it is, and leaves the address alone).
 * Events: `step` {step}, `select` {id}. A child with slot="poster" stands until the scene is there, and where scripts are off.
 */
export class MinitorchView extends HTMLElement {
  static readonly observedAttributes = ["src", "step"];
  private handle: Handle | null = null;
  private unfollow: (() => void) | null = null;
  private unframe: (() => void) | null = null;
  private loads = 0;
  private writing: ReturnType<typeof setTimeout> | undefined;
  private readonly onHash = () => { const step = this.hashStep(); if (step !== null) this.handle?.seek(step); };

  get step(): number { return this.handle?.step ?? 0; }
  set step(step: number) { this.handle?.seek(step); }
  get steps(): number { return this.handle?.steps ?? 0; }
  /** A moment between two steps: 4.25 is a quarter of the way from step 4 to step 5. Returns how long that way is, in ms. */
  at(moment: number): number { return this.handle?.at(moment) ?? 0; }
  play(): void { this.handle?.play(); }
  pause(): void { this.handle?.pause(); }
  select(id: string | null): void { this.handle?.select(id); }

  connectedCallback(): void {
    this.unfollow = followTheme(this);
    if (this.hasAttribute("embed")) this.unframe = tellFrame(this);
    window.addEventListener("hashchange", this.onHash);
    // A classic script meets the tag before its children are parsed.
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", () => void this.load(), { once: true });
    else void this.load();
  }

  disconnectedCallback(): void {
    this.loads++;
    clearTimeout(this.writing);
    window.removeEventListener("hashchange", this.onHash);
    this.unfollow?.();
    this.unframe?.();
    this.handle?.destroy();
    this.handle = null;
  }

  attributeChangedCallback(name: string, old: string | null, now: string | null): void {
    if (!this.isConnected || old === now) return;
    if (name === "src") void this.load();
    else this.handle?.seek(Number(now ?? 0));
  }

  private async load(): Promise<void> {
    const mine = ++this.loads;
    this.poster();
    try {
      const text = await this.text();
      if (mine !== this.loads || !this.isConnected) return;
      this.handle?.destroy();
      this.handle = mount(this, parseScene(text), {
        clock: this.getAttribute("clock") ?? undefined,
        step: this.hashStep() ?? Number(this.getAttribute("step") ?? 0),
        onStep: (step) => this.tell(step),
        onSelect: (id) => this.dispatchEvent(new CustomEvent("select", { detail: { id } })),
      });
      if (this.hasAttribute("autoplay") && !matchMedia("(prefers-reduced-motion: reduce)").matches) this.handle.play();
    } catch (error) {
      if (mine === this.loads) notice(this, error);
    }
  }

  private async text(): Promise<string> {
    const src = this.getAttribute("src");
    if (src === null) return this.querySelector('script[type="application/json"]')?.textContent ?? "";
    let answer: Response;
    try {
      answer = await fetch(new URL(src, document.baseURI));
    } catch {
      throw new Error(location.protocol === "file:"
        ? `The browser does not let a page opened as a file read ${src}. Put the scene inside the element, or make the page with view.to_html(path).`
        : `${src} could not be read. Is the address right?`);
    }
    if (!answer.ok) throw new Error(`${src} could not be read: the server says ${answer.status}.`);
    return answer.text();
  }

  /** Until the scene is there the page's own poster shows. */
  private poster(): void {
    if (this.handle) return;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" }), slot = document.createElement("slot");
    slot.name = "poster";
    root.replaceChildren(slot);
  }

  private tell(step: number): void {
    if (this.id && this.hasAttribute("deeplink") && !this.hasAttribute("embed")) {
      clearTimeout(this.writing);
      this.writing = setTimeout(() => history.replaceState(history.state, "", `#${this.id}:${step}`), HASH_MS);
    }
    this.dispatchEvent(new CustomEvent("step", { detail: { step } }));
  }

  private hashStep(): number | null {
    const cut = location.hash.lastIndexOf(":");
    if (!this.id || cut < 0 || decodeURIComponent(location.hash.slice(1, cut)) !== this.id) return null;
    const step = Number(location.hash.slice(cut + 1));
    return Number.isInteger(step) ? step : null;
  }
}

if (!customElements.get("minitorch-view")) customElements.define("minitorch-view", MinitorchView);
