import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import anywidget from "../src/hosts/anywidget";
import "../src/hosts/element";
import type { MinitorchView } from "../src/hosts/element";
import { example } from "./scenes";

/** Stands in for the model of a notebook: traits, and changes that can be heard. */
class Model {
  saved: Record<string, unknown>[] = [];
  private readonly heard = new Map<string, Set<() => void>>();

  constructor(private readonly traits: Record<string, unknown>) {}

  get(name: string): any { return this.traits[name]; }
  set(name: string, value: unknown): void { this.traits[name] = value; }
  save_changes(): void { this.saved.push({ ...this.traits }); }
  on(event: string, f: () => void): void { this.heard.set(event, (this.heard.get(event) ?? new Set()).add(f)); }
  off(event: string, f: () => void): void { this.heard.get(event)?.delete(f); }
  listeners(): number { return [...this.heard.values()].reduce((n, s) => n + s.size, 0); }

  /** A change that comes from Python. */
  change(name: string, value: unknown): void {
    this.traits[name] = value;
    for (const f of this.heard.get(`change:${name}`) ?? []) f();
  }
}

let el: HTMLElement;
const root = () => el.firstElementChild!.shadowRoot!;
beforeEach(() => { vi.useFakeTimers(); el = document.createElement("div"); document.body.append(el); });
afterEach(() => { el.remove(); vi.useRealTimers(); });

describe("notebook host", () => {
  const start = (traits: Record<string, unknown> = {}) => {
    const model = new Model({ scene: example(), step: 0, playing: false, ...traits });
    return { model, stop: anywidget.render({ model, el }) };
  };

  it("sends the last step of a quick run once", () => {
    const { model, stop } = start();
    for (let k = 0; k < 5; k++) root().querySelector<HTMLElement>(".next")!.click();
    expect(model.saved).toHaveLength(0);
    vi.advanceTimersByTime(130);
    expect(model.saved.map((s) => s.step)).toEqual([5]);
    stop();
  });

  it("follows Python without echoing", () => {
    const { model, stop } = start({ step: 2 });
    model.change("step", 7);
    vi.advanceTimersByTime(500);
    expect(root().querySelector(".count")!.textContent).toBe("8 / 14");
    expect(model.saved).toHaveLength(0);
    model.change("playing", true);
    vi.advanceTimersByTime(5000);
    expect(model.get("step")).toBeGreaterThan(7);
    stop();
  });

  it("draws a new scene, and says what to do about one it cannot draw", () => {
    const { model, stop } = start();
    model.change("scene", { schema: "minitorch-lab.recording/1" });
    expect(root().textContent).toContain("This is a recording, not a view.");
    model.change("scene", { ...example(), question: "Another?" });
    expect(root().textContent).toContain("Another?");
    stop();
  });

  it("follows the theme of the notebook and leaves nothing behind", async () => {
    document.body.dataset.jpThemeLight = "false";
    const { model, stop } = start();
    const host = el.firstElementChild as HTMLElement;
    expect(host.style.colorScheme).toBe("dark");
    expect(host.dataset.lmSuppressShortcuts).toBe("true");
    stop();
    delete document.body.dataset.jpThemeLight;
    expect([model.listeners(), el.childElementCount]).toEqual([0, 0]);
  });
});

describe("page element", () => {
  const settle = async () => { for (let k = 0; k < 8; k++) await Promise.resolve(); };
  const place = async (html: { attributes?: Record<string, string>; json?: string }): Promise<MinitorchView> => {
    const view = document.createElement("minitorch-view") as MinitorchView;
    for (const [k, v] of Object.entries(html.attributes ?? {})) view.setAttribute(k, v);
    if (html.json !== undefined) {
      const script = document.createElement("script");
      script.type = "application/json";
      script.textContent = html.json;
      view.append(script);
    }
    el.append(view);
    await settle();
    return view;
  };

  it("draws the scene inside it and tells its steps", async () => {
    const view = await place({ json: JSON.stringify(example()), attributes: { step: "3" } }), steps: number[] = [];
    view.addEventListener("step", (ev) => steps.push((ev as CustomEvent).detail.step));
    expect([view.step, view.steps]).toEqual([3, 14]);
    view.step = 5;
    view.setAttribute("step", "6");
    expect(steps).toEqual([5, 6]);
  });

  it("reads src, and says why when it cannot", async () => {
    vi.stubGlobal("fetch", vi.fn(async () => new Response("not there", { status: 404 })));
    const view = await place({ attributes: { src: "view.json" } });
    expect(view.shadowRoot!.textContent).toContain("the server says 404");
    vi.stubGlobal("fetch", vi.fn(async () => new Response(JSON.stringify(example()))));
    view.setAttribute("src", "other.json");
    await settle();
    expect(view.steps).toBe(14);
    vi.unstubAllGlobals();
  });

  it("is empty with a friendly word", async () => {
    expect((await place({})).shadowRoot!.textContent).toContain("Nothing is recorded yet.");
  });

  it("starts at the step its address names, and writes it when asked to", async () => {
    location.hash = "#walk:4";
    const view = await place({ json: JSON.stringify(example()), attributes: { id: "walk", deeplink: "" } });
    expect(view.step).toBe(4);
    view.step = 9;
    vi.advanceTimersByTime(300);
    expect(location.hash).toBe("#walk:9");
    location.hash = "";
  });

  it.each([["data-theme", "dark", "dark"], ["data-bs-theme", "light", "light"], ["class", "dark", "dark"], ["data-theme", "auto", ""]])
  ("follows a page that says %s=%s, until its own theme is given", async (name, said, shown) => {
    const view = await place({ json: JSON.stringify(example()) }), page = document.documentElement;
    page.setAttribute(name, said);
    await settle();
    expect(view.style.colorScheme).toBe(shown);
    view.setAttribute("theme", "light");
    await settle();
    expect(view.style.colorScheme).toBe("light");
    page.removeAttribute(name);
  });

  it("shows its poster until the scene is there, and can be moved", async () => {
    const view = document.createElement("minitorch-view") as MinitorchView;
    el.append(view);
    expect(view.shadowRoot!.querySelector("slot")!.name).toBe("poster");
    view.remove();
    el.append(view);
    await settle();
    expect(view.shadowRoot!.textContent).toContain("Nothing is recorded yet.");
  });
});
