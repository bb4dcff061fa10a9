import { afterEach, describe, expect, it } from "vitest";
import { focusAt, foldedAtFirst, parents, type TreePanel, visible } from "../src/core/panels/tree";
import { type Handle, mount } from "../src/views/mount";
import { modules } from "./scenes";

const panel = modules().panels![0] as TreePanel;

describe("the tree", () => {
  it("hides what is below a folded row, and no more", () => {
    expect(visible(panel.rows, new Set(["m:0"])).map((r) => r.id)).toEqual(panel.rows.map((r) => r.id).filter((id) => !id.startsWith("m:0.")));
    expect(visible(panel.rows, new Set(["m:"])).map((r) => r.id)).toEqual(["m:"]);
  });

  it("knows what can be folded, and folds a large one at first", () => {
    expect([...parents(panel.rows)]).toEqual(["m:", "m:0", "m:1", "m:4"]);
    expect([...foldedAtFirst(panel.rows)]).toEqual([]);
    expect([...foldedAtFirst(panel.rows, 5)]).toEqual(["m:0", "m:1", "m:4"]);
  });

  it("is at the row of its stage", () => {
    expect([0, 1, 2].map((at) => focusAt(panel, at))).toEqual([null, "m:0", "m:1"]);
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const all = (q: string): HTMLElement[] => [...host.shadowRoot!.querySelectorAll<HTMLElement>(q)];
  afterEach(() => { view.destroy(); host.remove(); });

  it("folds by its button, and unfolds when something in it is selected", () => {
    host = document.createElement("div");
    document.body.append(host);
    view = mount(host, modules(), { step: 1 });
    expect(all(".tr-row.now").map((e) => e.dataset.id)).toEqual(["m:0"]);
    all(".tr-fold")[1]!.click();
    expect(all(".tr-row").map((e) => e.dataset.id)).not.toContain("m:0.weight");
    view.select("m:0.weight");
    expect(all("[data-lit='lead']").map((e) => e.dataset.id)).toEqual(["m:0.weight"]);
  });
});
