import { atOf, axisOf } from "../core/axis";
import { Folds } from "../core/folds";
import { advance, emptyFrame, type Frame, touched } from "../core/fold";
import { toneOf } from "../core/phases";
import { Player } from "../core/player";
import { hasGraph, type Scene, type Step } from "../core/scene";
import { Shared } from "../core/shared";
import { checkScene } from "../core/validate";
import { Controls } from "./controls";
import { Details } from "./details";
import { h } from "./dom";
import { Inset } from "./graph/inset";
import { GraphWindow } from "./graph/window";
import { KeptPanel } from "./kept";
import { keyHandler, KEYS } from "./keys";
import { legend } from "./legend";
import { Links } from "./links";
import { Director } from "./motion/director";
import { Narration } from "./narration";
import type { Now, PanelView } from "./panel";
import { panelView } from "./panels/registry";
import { Roaming } from "./roaming";
import { SearchBox } from "./searchbox";
import { SourcePanel } from "./source";
import { Stage } from "./stage";
import { adopt } from "./style";
import { Tools } from "./tools";
import { Transcript } from "./transcript";

export interface Options {
  step?: number;
  /** Views of one recording with the same clock move together. */
  clock?: string;
  /** Called with the step of the right walk, whenever it changes. */
  onStep?: (step: number) => void;
  onPlaying?: (playing: boolean) => void;
  onSelect?: (id: string | null) => void;
}

/** What a host holds: the same for a notebook and for a page. */
export interface Handle {
  readonly step: number;
  readonly steps: number;
  readonly playing: boolean;
  seek(step: number): void;
  /** Shows a moment between two steps: 4.25 is a quarter of the way from step 4 to step 5. Returns how long that way is, in ms. */
  at(moment: number): number;
  play(): void;
  pause(): void;
  select(id: string | null): void;
  destroy(): void;
}

/** Draws a scene into the shadow root of `host`. Throws a SceneError when the scene cannot be drawn. */
export function mount(host: HTMLElement, data: unknown, options: Options = {}): Handle {
  const view = new View(host, checkScene(data), options);
  return {
    get step() { return view.player.index; },
    get steps() { return view.player.steps.length; },
    get playing() { return view.player.playing; },
    seek: (step) => view.seek(step),
    at: (moment) => view.at(moment),
    play: () => view.player.play(),
    pause: () => view.player.pause(),
    select: (id) => view.select(id),
    destroy: () => view.destroy(),
  };
}

class View {
  readonly player: Player;
  private readonly root: ShadowRoot;
  private readonly box: HTMLElement;
  /** The graph and the panels, and those of them that stand beside the source. */
  private readonly pictures: PanelView[];
  private readonly beside: PanelView[];
  private readonly folds: Folds;
  private readonly director: Director;
  private readonly roaming: Roaming;
  private readonly shared: Shared;
  private readonly stage: Stage;
  private readonly controls: Controls;
  private readonly tools: Tools;
  private readonly find: SearchBox;
  private readonly source: SourcePanel;
  private readonly kept: KeptPanel;
  private readonly say: Narration;
  private readonly details: Details;
  private readonly links: Links;
  private readonly transcript: Transcript;
  private frame: Frame = emptyFrame();
  private walk: readonly Step[] | null = null;
  private told = { step: -1, playing: false };
  private following = false;
  private readonly toPaper = () => { this.director.finish(); this.transcript.unfold(); this.pictures.forEach((p) => p.paper?.(true)); };
  private readonly fromPaper = () => { this.transcript.fold(); this.pictures.forEach((p) => p.paper?.(false)); };

  constructor(host: HTMLElement, private readonly scene: Scene, private readonly options: Options) {
    this.root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const player = (this.player = new Player(scene, () => this.draw()));
    player.index = Math.max(0, Math.min(player.last, Math.round(options.step ?? 0) || 0));
    this.folds = new Folds(scene.folds ?? [], () => this.refold());
    player.stands = (step) => this.folds.stands(step);
    this.passOver();
    const context = { scene, axis: axisOf(scene.steps), folds: this.folds, renewed: () => this.renew() }, panels = scene.panels ?? [];
    this.beside = panels.filter((p) => p.side).map((p) => panelView(p, context));
    this.pictures = [...(hasGraph(scene) ? [new GraphWindow(scene, context), ...this.folds.all.filter((f) => f.graph).map((f) => new Inset(f, context))] : []), ...panels.filter((p) => !p.side).map((p) => panelView(p, context)), ...this.beside];
    this.director = new Director(player, this.pictures, this.root);
    player.rest = () => this.director.rest;
    this.controls = new Controls(player);
    const hits = () => this.pictures.flatMap((p) => p.hits?.() ?? []);
    this.find = new SearchBox(scene, hits, (id) => { this.pick(id); this.select(id); }, () => this.box.focus({ preventScroll: true }));
    this.tools = new Tools(player, this.find, this.director);
    this.source = new SourcePanel(scene);
    this.kept = new KeptPanel(player);
    this.say = new Narration(scene, player, () => this.box.focus({ preventScroll: true }));
    this.details = new Details(scene);
    this.transcript = new Transcript(player);
    for (const { element } of this.pictures) if (element.localName === "section") element.setAttribute("role", "group"); // no landmark: a page may hold many views
    const side = h("div", { class: "left" }, this.source.element, this.kept.element, ...this.beside.map((p) => p.element));
    const main = h("div", { class: "pictures" }, ...this.pictures.filter((p) => !this.beside.includes(p)).map((p) => p.element));
    const many = this.pictures.length - this.folds.all.length > 1; // then the sentence stands above them, beside the scrubber, and stays in sight
    const two = h("div", { class: "two" }, side, main);
    this.box = h("section", { class: "box", tabindex: 0, role: "group", "aria-label": `${scene.title}: ${scene.question}`, "aria-keyshortcuts": KEYS },
      h("div", { class: "top" }, h("p", { class: "question" }, scene.question), this.tools.element), this.find.element,
      many ? h("div", { class: "head" }, this.controls.element, this.say.element) : this.controls.element, two, many ? null : this.say.element, this.details.element, this.details.live,
      h("div", { class: "foot" }, this.transcript.element, legend(scene)));
    this.shared = new Shared(document, scene.recording, options.clock, { selected: (id) => { this.links.heard(id); this.showLine(id); }, moved: (at) => this.follow(at) });
    this.links = new Links(scene, this.box, this.shared, this.folds, () => this.paintLinks());
    this.roaming = new Roaming(this.root, two, (id) => this.reveal(id, false));
    this.stage = new Stage(host, two, scene, () => this.resize());
    this.listen();
    adopt(this.root);
    this.resize();
  }

  /** Shows a step of the right walk: hosts count only those. */
  seek(step: number): void {
    this.player.pause();
    this.director.finish();
    this.director.still(() => {
      this.player.walkWrong(false);
      this.player.seek(step);
    });
  }

  at(moment: number): number {
    this.player.walkWrong(false);
    return this.director.seek(Math.max(0, Math.min(this.player.last, moment)));
  }

  select(id: string | null): void {
    this.links.pick(id);
    this.showLine(id);
    if (id !== null) this.reveal(id, true);
  }

  destroy(): void {
    this.player.destroy();
    this.director.finish();
    this.stage.destroy();
    this.shared.destroy();
    window.removeEventListener("beforeprint", this.toPaper);
    window.removeEventListener("afterprint", this.fromPaper);
    this.root.replaceChildren();
  }

  /** The line of what is selected comes into sight. */
  private showLine(id: string | null): void {
    if (id !== null) this.source.show([id, ...(this.scene.links[id] ?? [])]);
  }

  /** Scrolls to what has this id. */
  private reveal(id: string, always: boolean): void {
    for (const p of this.pictures) p.show?.([id], always);
    this.settle();
  }

  private settle(): void {
    for (const p of this.pictures) p.settle?.();
  }

  /** Elements are new: what lights up, and what can be reached by keys, is looked up again. */
  private renew(): void {
    this.links.refresh();
    this.roaming.refresh();
    this.paintLinks();
  }

  /** A fold has opened or closed: pictures change, and so do the steps at which the reader stops. */
  private refold(): void {
    this.director.finish();
    this.passOver();
    for (const p of this.pictures) p.refold?.();
    this.measure();
    this.renew();
    this.draw();
  }

  private passOver(): void {
    this.folds.walk(this.player.steps);
    this.player.skipped = this.folds.skipped(this.player.steps);
  }

  /** Another view on this clock has moved to `at`. */
  private follow(at: number): void {
    const { player } = this, axis = axisOf(player.steps);
    this.following = true;
    player.pause();
    player.seek(axis.upTo(at));
    this.following = false;
  }

  /** Everything for the width there is. It is built before it stands in the page; then all sizes are read, then what follows from them is written. */
  private resize(): void {
    this.director.finish();
    const room = this.stage.room();
    const anew = this.pictures.map((p) => p.fit(this.beside.includes(p) ? room.side : room.main));
    if (anew.includes(true)) { this.frame = emptyFrame(); this.renew(); }
    if (!this.box.isConnected) {
      this.controls.draw();
      this.kept.draw();
      this.root.replaceChildren(this.box);
    }
    this.measure();
    this.draw();
  }

  private measure(): void {
    const rulers = this.say.rulers();
    this.box.append(...rulers);
    const writes = [...this.pictures.map((p) => p.measure?.()), this.source.measure(), this.say.measure(rulers), this.controls.measure()];
    for (const ruler of rulers) ruler.remove();
    for (const write of writes) write?.();
  }

  private draw(): void {
    const { player } = this, { steps } = player;
    if (this.walk !== steps) this.passOver();
    if (this.walk !== steps || this.frame.at > player.shown) this.frame = emptyFrame();
    this.walk = steps;
    advance(this.frame, steps, player.shown);
    const { looks } = this, tone = toneOf(looks.phase);
    this.box.dataset.step = String(player.index);
    this.box.classList.toggle("pointing", looks !== player.step);
    this.box.classList.toggle("predicting", player.predicting);
    this.box.classList.toggle("asking", player.asking);
    this.box.classList.toggle("scored", this.director.on);
    const at = atOf(steps, player.shown), column = player.wrong ? axisOf(player.scene.steps).column(at) : player.shown;
    const now: Now = { at, column, step: looks, tone, touched: touched(looks), frame: this.frame };
    this.director.draw(() => { for (const p of this.pictures) p.draw(now); });
    this.source.draw(looks.line, tone);
    this.kept.draw();
    this.controls.draw();
    this.tools.draw();
    this.say.draw();
    this.transcript.draw();
    this.paintLinks();
    this.settle();
    this.director.play();
    if (player.asking && this.root.activeElement) this.say.focus();
    this.tell();
  }

  /** The step whose actors are marked: while the next node is asked for, still the one before. */
  private get looks(): Step {
    const { player } = this;
    return player.asking && player.step.predict?.kind === "node" ? player.steps[player.shown]! : player.step;
  }

  private paintLinks(): void {
    this.links.draw();
    this.details.draw(this.links.current, this.links.picked, this.looks);
  }

  /** Tells the host what changed; the wrong walk has steps of its own, which are not the host's. */
  private tell(): void {
    const { index, playing, wrong } = this.player, before = this.told;
    this.told = { step: wrong ? before.step : index, playing };
    if (before.step >= 0 && this.told.step !== before.step) {
      this.options.onStep?.(index);
      if (!this.following) this.shared.tick(atOf(this.player.steps, index));
    }
    if (playing !== before.playing) this.options.onPlaying?.(playing);
  }

  private listen(): void {
    const { box, links } = this;
    const keys = keyHandler(this.player, { search: () => this.find.open(), escape: () => this.escape(), roam: (by) => this.roaming.roam(by) });
    box.addEventListener("keydown", (ev) => {
      const onNode = this.roaming.owns(ev.composedPath()[0] as Element);
      if (!onNode || (ev.key !== "Enter" && ev.key !== " ")) return keys(ev);
      ev.preventDefault();
      ev.stopPropagation();
      this.press(idOf(ev));
    });
    for (const act of ["keydown", "pointerdown", "wheel"]) box.addEventListener(act, (ev) => this.interrupt(ev), { capture: true, passive: true });
    box.addEventListener("pointerover", (ev) => links.point(idOf(ev)));
    box.addEventListener("pointerleave", () => links.point(null));
    box.addEventListener("focusin", (ev) => { if (idOf(ev) !== null) links.point(idOf(ev)); });
    box.addEventListener("focusout", (ev) => { if (idOf(ev) !== null) links.point(null); });
    box.addEventListener("click", (ev) => this.press(idOf(ev)));
    window.addEventListener("beforeprint", this.toPaper);
    window.addEventListener("afterprint", this.fromPaper);
  }

  /** What the reader does is done at once; only Play and Pause stop and go on in the middle of what moves. */
  private interrupt(ev: Event): void {
    const pauses = (ev as KeyboardEvent).key === " " || ev.composedPath().includes(this.controls.play);
    if (!pauses) this.director.finish();
  }

  private escape(): void {
    this.player.reveal(false);
    this.pick(null);
    this.links.point(null);
    this.box.focus({ preventScroll: true });
  }

  /** A click or Enter on something with an id: an answer when a node is asked for, else a selection. */
  private press(id: string | null): void {
    if (id !== null && this.say.point(id)) return;
    if (id !== null && this.folds.owns(id)) return this.folds.toggle(id);
    if (id !== null || this.links.picked !== null) this.pick(id === this.links.picked ? null : id);
  }

  private pick(id: string | null): void {
    if (id === this.links.picked) return;
    this.links.pick(id);
    this.showLine(id);
    this.details.announce(id);
    this.options.onSelect?.(id);
  }
}

/** The id of the thing an event happened on: the nearest around it that has one. */
function idOf(ev: Event): string | null {
  const thing = ev.composedPath().find((e) => e instanceof Element && e.hasAttribute("data-id"));
  return thing === undefined ? null : (thing as Element).getAttribute("data-id");
}
