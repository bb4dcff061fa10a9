import { type BytecodePanel, machineAt, roomOf, slotsOf, type Thing } from "../../core/panels/bytecode";
import type { Hit } from "../../core/search";
import { h, Painted } from "../dom";
import type { Now, PanelView } from "../panel";

const ROW = 20, MOST_ROWS = 16, SLOT = 26;

/** A listing with the instruction pointer; beside it the stack, and the variables under it. */
export class BytecodeView implements PanelView {
  readonly element: HTMLElement;
  private readonly name = h("code", {});
  private readonly lists: HTMLElement[];
  private readonly rows = new Map<string, Painted>();
  private readonly breaks = new Map<string, number>();
  private readonly slots: HTMLElement[];
  private readonly variables: HTMLElement[];
  private shown: string | null = null;
  private built = false;

  constructor(private readonly panel: BytecodePanel) {
    const room = roomOf(panel), tall = ROW * Math.min(MOST_ROWS, Math.max(...panel.codes.map((c) => c.rows.length))) + 12;
    this.lists = panel.codes.map((code) => {
      const list = h("ol", { class: "bc-list", "aria-label": `Bytecode of ${code.name}` }, ...code.rows.map((row) => this.row(row)));
      list.style.height = `${tall}px`;
      return list;
    });
    this.slots = Array.from({ length: room.stack }, () => h("li", { class: "bc-slot" }));
    this.variables = Array.from({ length: room.variables }, () => h("li", { class: "bc-variable" }));
    for (const one of [...this.slots, ...this.variables]) one.style.height = `${SLOT}px`;
    const box = (title: string, what: string, items: HTMLElement[]) => h("div", { class: "bc-box" }, h("p", { class: "panel-name" }, title), h("ol", { class: what, "aria-label": title }, ...items));
    this.element = h("section", { class: "bc", "aria-label": panel.label },
      h("div", { class: "bc-code" }, h("p", { class: "panel-name" }, h("span", {}, "Bytecode of ", this.name)), ...this.lists),
      h("div", { class: "bc-held" }, box("Stack, top first", "bc-stack", this.slots), box("Variables", "bc-variables", this.variables)));
  }

  fit(width: number): boolean {
    this.element.classList.toggle("bc-narrow", width < 380);
    const first = !this.built;
    this.built = true;
    return first;
  }

  draw(now: Now): void {
    const stage = machineAt(this.panel, now.at), { things } = this.panel, op = stage?.op ?? null;
    this.name.textContent = this.panel.codes[stage?.code ?? 0]!.name;
    this.lists.forEach((list, k) => { list.hidden = k !== (stage?.code ?? 0); });
    for (const [id, row] of this.rows) {
      const broken = (this.breaks.get(id) ?? Infinity) <= now.at ? "cut" : "";
      row.state(id === op ? `now ${broken}`.trim() : broken);
      if (id === op) row.element.setAttribute("aria-current", "step");
      else row.element.removeAttribute("aria-current");
    }
    slotsOf(stage?.stack ?? [], this.slots.length).forEach((at, k) => put(this.slots[k]!, at === null ? null : things[at]!));
    const variables = stage?.variables ?? [];
    this.variables.forEach((item, k) => put(item, variables[k] ? things[variables[k]![1]]! : null, variables[k]?.[0]));
    this.shown = op;
  }

  hits(): Hit[] {
    return this.panel.codes.flatMap((c) => c.rows.map((r) => ({ id: r.id, label: `${r.name} ${r.arg}`.trim(), kind: `at ${r.offset}` })));
  }

  /** The instruction stays in sight, without moving the page. */
  settle(): void {
    const row = this.shown === null ? null : (this.rows.get(this.shown)?.element as HTMLElement | undefined), list = row?.parentElement;
    if (!row || !list || list.scrollHeight <= list.clientHeight + 1) return;
    const y = row.offsetTop;
    if (y < list.scrollTop || y + ROW > list.scrollTop + list.clientHeight) list.scrollTop = y - list.clientHeight / 2;
  }

  paper(on: boolean): void {
    for (const list of this.lists) list.classList.toggle("bc-paper", on);
  }

  private row(row: BytecodePanel["codes"][number]["rows"][number]): HTMLElement {
    const base = "bc-row stop", element = h("li", { class: base, "data-id": row.id, tabindex: -1 }, h("b", {}, String(row.offset)), h("code", {}, row.name), h("code", { class: "bc-arg" }, row.arg));
    this.rows.set(row.id, new Painted(element, base));
    if (row.at !== undefined) this.breaks.set(row.id, row.at);
    return element;
  }
}

/** A value in its slot: a tensor is a pill, a callable a box, an empty slot of a call a ghost. */
function put(item: HTMLElement, thing: Thing | null, name?: string): void {
  const said = `${name ?? ""}|${thing?.kind ?? ""}|${thing?.text ?? ""}|${thing?.facts ?? ""}`;
  if (item.dataset.said === said) return;
  item.dataset.said = said;
  item.replaceChildren(...(name === undefined ? [] : [h("code", { class: "bc-name" }, name)]),
    ...(thing === null ? [] : [h("code", { class: `bc-thing bc-${thing.kind}` }, thing.text), h("span", { class: "bc-facts" }, thing.facts)]));
}
