import type { Scene } from "../core/scene";
import { type Hit, search } from "../core/search";
import { h, icon } from "./dom";

const GLASS = "M7 2a5 5 0 0 1 4 8l3.4 3.4-1 1L10 11a5 5 0 1 1-3-9zm0 1.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z";
let serial = 0;

/** A small search over labels and facts: `/` opens it, ↑ ↓ choose, Enter selects, Esc closes. */
export class SearchBox {
  readonly button = h("button", { type: "button", class: "quiet", "aria-label": "Search", title: "Search (/)" }, icon(GLASS));
  readonly element: HTMLElement;
  private readonly uid = `find-${++serial}`;
  private readonly field: HTMLInputElement;
  private readonly list: HTMLElement;
  private hits: Hit[] = [];
  private parts: readonly Hit[] | null = null;
  private at = 0;

  constructor(private readonly scene: Scene, private readonly more: () => readonly Hit[], private readonly choose: (id: string) => void, private readonly leave: () => void) {
    this.field = h("input", { type: "text", role: "combobox", "aria-label": "Search for a node or a line", "aria-expanded": "false",
      "aria-controls": this.uid, "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", placeholder: "a name, an op, a line" });
    this.list = h("div", { id: this.uid, role: "listbox", "aria-label": "Found" });
    this.element = h("div", { class: "find", hidden: true }, this.field, this.list);
    this.button.onclick = () => (this.element.hidden ? this.open() : this.close());
    this.field.oninput = () => this.look();
    this.field.onkeydown = (ev) => this.key(ev);
  }

  get isOpen(): boolean { return !this.element.hidden; }

  open(): void {
    this.element.hidden = false;
    this.field.value = "";
    this.look();
    this.field.focus({ preventScroll: true });
  }

  close(): void {
    this.element.hidden = true;
    this.leave();
  }

  private look(): void {
    this.hits = search(this.scene, this.field.value, (this.parts ??= this.more()));
    this.at = 0;
    this.list.replaceChildren(...this.hits.map((hit, k) => {
      const option = h("div", { role: "option", id: `${this.uid}-${k}` }, h("code", {}, hit.label), h("span", {}, hit.kind));
      option.onclick = () => this.take(k);
      return option;
    }));
    if (this.field.value.trim() !== "" && this.hits.length === 0) this.list.append(h("div", { class: "none", role: "option", "aria-disabled": "true", "aria-selected": "false" }, "Nothing has this name."));
    this.field.setAttribute("aria-expanded", String(this.list.childElementCount > 0));
    this.mark();
  }

  private mark(): void {
    [...this.list.querySelectorAll("[id]")].forEach((o, k) => o.setAttribute("aria-selected", String(k === this.at)));
    if (this.hits.length) this.field.setAttribute("aria-activedescendant", `${this.uid}-${this.at}`);
    else this.field.removeAttribute("aria-activedescendant");
  }

  private take(k: number): void {
    const hit = this.hits[k];
    if (!hit) return;
    this.close();
    this.choose(hit.id);
  }

  private key(ev: KeyboardEvent): void {
    const n = this.hits.length;
    if (ev.key === "Enter") this.take(this.at);
    else if (ev.key === "Escape") this.close();
    else if (ev.key === "ArrowDown" && n) this.at = (this.at + 1) % n;
    else if (ev.key === "ArrowUp" && n) this.at = (this.at + n - 1) % n;
    else return;
    ev.preventDefault();
    ev.stopPropagation();
    this.mark();
  }
}
