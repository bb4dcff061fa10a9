import { pieces } from "../core/words";

type Attributes = Record<string, string | number | boolean | null | undefined>;
type Child = Node | string | null | undefined;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  for (const child of children) if (child !== null && child !== undefined) element.append(child);
  return element;
}

/** An HTML element; text children stay text, nothing is ever parsed as markup. */
export const h = <K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] =>
  fill(document.createElement(name), attributes, children);

/** An SVG element. */
export const s = <K extends keyof SVGElementTagNameMap>(name: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] =>
  fill(document.createElementNS(SVG, name), attributes, children);

/** "`mul` sends 3" as text and <code>. */
export const words = (sentence: string): Node[] =>
  pieces(sentence).map((p) => (p.code ? h("code", {}, p.text) : document.createTextNode(p.text)));

/** A 16 × 16 icon from path data, drawn in the text colour; the button around it carries the name. */
export const icon = (d: string): SVGElement =>
  s("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", class: "icon" }, s("path", { d }));

/** Remembers what an element shows, so that a frame touches only what differs. */
export class Painted {
  private shown = "";
  private words = "";

  constructor(readonly element: Element, private readonly base: string, private readonly label: Element | null = null) {
    element.setAttribute("class", base);
  }

  state(names: string): void {
    if (names === this.shown) return;
    this.shown = names;
    this.element.setAttribute("class", names === "" ? this.base : `${this.base} ${names}`);
  }

  /** True when the text changed. */
  text(text: string): boolean {
    if (text === this.words || this.label === null) return false;
    this.words = text;
    this.label.textContent = text;
    return true;
  }
}
