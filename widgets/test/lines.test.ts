import { describe, expect, it } from "vitest";
import { costAt, type LinesPanel, mostOf } from "../src/core/panels/lines";
import { mount } from "../src/views/mount";
import { source } from "./scenes";

const panel = source().panels![0] as LinesPanel;

describe("the lines", () => {
  it("cost what has run until now, and no less in the end", () => {
    const row = panel.rows[0]!, ends = costAt(row, Infinity);
    expect(costAt(row, -1)).toEqual({ ops: 0, bytes: 0, ns: 0 });
    expect(ends.ops).toBe(3); // matmul, add, relu
    expect(mostOf(panel.rows).ns).toBeGreaterThanOrEqual(ends.ns);
    let before = 0;
    for (const step of source().steps) { const now = costAt(row, step.at!).bytes; expect(now).toBeGreaterThanOrEqual(before); before = now; }
    expect(before).toBe(ends.bytes);
  });

  it("marks the line that runs, and shows what it has cost", () => {
    const host = document.createElement("div"), scene = source(), handle = mount(host, scene, { step: 1 });
    const row = host.shadowRoot!.querySelector(".li-row.now")!;
    expect(row.getAttribute("data-id")).toBe(scene.steps[1]!.line);
    const cost = costAt(panel.rows[0]!, scene.steps[1]!.at!);
    expect(row.querySelector(".li-cost span")!.textContent).toBe(String(cost.ops));
    handle.destroy();
  });
});
