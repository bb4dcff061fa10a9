// JupyterLab, Notebook, VS Code and Colab, through anywidget: the scene comes from Python, the step goes back.
import { mount, type Handle } from "../views/mount";
import { notice } from "../views/notice";
import { followTheme } from "../views/theme";

interface Model {
  get(name: "scene"): unknown;
  get(name: "step"): number;
  get(name: "playing"): boolean;
  set(name: "step" | "playing", value: number | boolean): void;
  save_changes(): void;
  on(event: string, heard: () => void): void;
  off(event: string, heard: () => void): void;
}

/** Playing at full speed must not send a message per step. */
const DEBOUNCE_MS = 120;

class Hosted {
  private handle: Handle | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The step Python knows: an echo of our own message is not an order to seek. */
  private known: number;

  constructor(private readonly model: Model, private readonly el: HTMLElement) {
    this.known = model.get("step");
    this.remount();
  }

  readonly remount = (): void => {
    this.handle?.destroy();
    this.handle = null;
    try {
      this.handle = mount(this.el, this.model.get("scene"), {
        step: this.model.get("step"),
        onStep: (step) => this.send(step),
        onPlaying: (playing) => { if (playing !== this.model.get("playing")) { this.model.set("playing", playing); this.model.save_changes(); } },
      });
      if (this.model.get("playing")) this.handle.play();
    } catch (error) {
      notice(this.el, error);
    }
  };

  readonly seek = (): void => {
    const step = this.model.get("step");
    if (step === this.known) return;
    this.known = step;
    clearTimeout(this.timer);
    this.handle?.seek(step);
  };

  readonly play = (): void => {
    if (this.model.get("playing")) this.handle?.play();
    else this.handle?.pause();
  };

  destroy(): void {
    clearTimeout(this.timer);
    this.handle?.destroy();
  }

  private send(step: number): void {
    clearTimeout(this.timer);
    if (step === this.known) return;
    this.timer = setTimeout(() => {
      this.known = step;
      this.model.set("step", step);
      this.model.save_changes();
    }, DEBOUNCE_MS);
  }
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  const host = document.createElement("div");
  // Lumino, which runs JupyterLab's shortcuts, passes over elements that say so: our keys stay ours.
  host.dataset.lmSuppressShortcuts = "true";
  el.append(host);
  const hosted = new Hosted(model, host), unfollow = followTheme(host);
  const heard: [string, () => void][] = [["change:scene", hosted.remount], ["change:step", hosted.seek], ["change:playing", hosted.play]];
  for (const [event, f] of heard) model.on(event, f);
  return () => {
    for (const [event, f] of heard) model.off(event, f);
    unfollow();
    hosted.destroy();
    host.remove();
  };
}

export default { render };
