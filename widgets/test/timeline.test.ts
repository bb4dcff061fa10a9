import { afterEach, describe, expect, it } from "vitest";
import { barsOf, doneAt, linesOf, type Run, timeText, type TimelinePanel } from "../src/core/panels/timeline";
import { type Handle, mount } from "../src/views/mount";
import { timeline } from "./scenes";

const RUNS: Run[] = [
  { id: "r:o1", label: "add", at: 4, python: 3000, kernel: 1000, together: 0 },
  { id: "r:n1", label: "add′", at: 9, python: 0, kernel: 0, together: 2000 },
];

describe("the bars", () => {
  it("stand one after the other: Python, its kernel, the next run", () => {
    expect(barsOf(RUNS).map((b) => [b.run.id, b.lane, b.start, b.end])).toEqual([
      ["r:o1", "python", 0, 3000], ["r:o1", "kernel", 3000, 4000], ["r:n1", "together", 4000, 6000],
    ]);
  });

  it("are done as far as the clock says", () => {
    expect(doneAt(RUNS, 3)).toEqual({ python: 0, kernel: 0, together: 0, until: 0 });
    expect(doneAt(RUNS, 8)).toEqual({ python: 3000, kernel: 1000, together: 0, until: 4000 });
  });

  it("say their times in the right unit", () => {
    expect([12, 1234, 88_639_865, 2e9].map(timeText)).toEqual(["12\u2009ns", "1.23\u2009µs", "88.6\u2009ms", "2\u2009s"]);
    expect(linesOf(6000)).toEqual([2000, 4000]);
  });
});

describe("the view", () => {
  let host: HTMLElement, view: Handle;
  const all = (q: string): Element[] => [...host.shadowRoot!.querySelectorAll(q)];
  afterEach(() => { view.destroy(); host.remove(); });

  it("marks the run of the step, sums what has run, and links it with its line", () => {
    const scene = timeline(), { runs } = scene.panels![0] as TimelinePanel;
    host = document.createElement("div");
    document.body.append(host);
    view = mount(host, scene, { step: 2 });
    expect(all(".tl-bar.now").map((e) => e.getAttribute("data-id"))).toEqual([runs[1]!.id, runs[1]!.id]);
    expect(all(".tl-sums")[0]!.textContent).toBe("Python 6\u2009µs · kernels 3\u2009µs");
    view.select(runs[0]!.id);
    expect(all("[data-lit]").map((e) => e.getAttribute("data-id"))).toContain("l1");
    (all(".choice").find((b) => b.textContent === "each as wide") as HTMLElement).click();
    const widths = all(".tl-python rect").map((e) => Number(e.getAttribute("width")));
    expect(new Set(widths.map((w) => Math.round(w))).size).toBe(3); // 3 of 4, 3 of 5, 3 of 6 µs
    view.select(null);
  });

  it("names only as many times on its axis as there is room for", () => {
    const named = [900, 204].map((width) => {
      host = document.createElement("div");
      Object.defineProperty(host, "clientWidth", { value: width });
      view = mount(host, timeline());
      return all(".tl-line text").map((e) => e.textContent);
    });
    expect(named[1]!.length).toBeLessThan(named[0]!.length);
    expect(named[1]).toEqual(named[0]!.slice(0, 1));
  });
});
