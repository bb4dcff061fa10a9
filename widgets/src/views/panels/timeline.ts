import { type Bar, barsOf, bundled, doneAt, type Lane, lengthOf, linesOf, timeText, type Run, type TimelinePanel } from "../../core/panels/timeline";
import type { Hit } from "../../core/search";
import { monoWidth } from "../../core/words";
import { h, Painted, s } from "../dom";
import { Laid } from "../laid";
import type { Context, Now, PanelView } from "../panel";
import { Steady } from "../steady";
import { Choice } from "./choice";

const ROW = 34, TOP = 6, AXIS = 20, NAMES = 64;
/** A time on the axis takes so much of it. */
const LABEL = 54;
const LANES: Record<Lane, string> = { python: "Python", kernel: "kernels", together: "together" };
/** More runs than this on a lane are not drawn one by one. */
const MOST = 1500;

/** Two lanes, Python and kernels, on an axis of time; what cannot be told apart has a third. */
export class TimelineView extends Laid implements PanelView {
  readonly element: HTMLElement;
  private readonly chart = h("div", { class: "tl-chart" });
  private readonly sums: Steady;
  private readonly by: Choice<"time" | "log">;
  private runs: readonly Run[] = [];
  private bars: Bar[] = [];
  private readonly lanes: Lane[];
  private marks = new Map<string, Painted[]>();
  private current: Painted[] = [];
  private readonly veil = h("div", { class: "veil" });
  private readonly cursor = h("div", { class: "time" });

  constructor(private readonly panel: TimelinePanel, private readonly context: Context) {
    super();
    this.lanes = (Object.keys(LANES) as Lane[]).filter((lane) => panel.runs.some((run) => run[lane] > 0));
    this.by = new Choice("Widths", { time: "by time", log: "each as wide" }, () => { this.rebuild(); context.renewed(); });
    this.sums = new Steady(h("output", { class: "tl-sums" }), this.each(() => "88.8\u2009µs"));
    this.element = h("section", { class: "tl", "aria-label": panel.label },
      h("div", { class: "tl-head" }, h("h3", { class: "panel-title" }, panel.label), this.sums.element, this.by.element), this.chart);
  }

  refold(): void {
    if (this.panel.runs.some((run) => run.of !== undefined)) this.rebuild();
  }

  protected paint(now: Now): void {
    const done = doneAt(this.panel.runs, now.at), x = NAMES + this.x(done.until), right = this.width;
    this.sums.say(this.each((lane) => timeText(done[lane])));
    this.veil.style.transform = `scaleX(${Math.max(0, (right - x) / (right - NAMES))})`;
    this.cursor.style.transform = `translateX(${Math.min(right - 2, x)}px)`;
    for (const mark of this.current) mark.state("");
    this.current = [...now.touched, now.step.of ?? ""].flatMap((id) => this.marks.get(id) ?? []);
    for (const mark of this.current) mark.state("now");
  }

  hits(): Hit[] {
    return this.panel.runs.map((r) => ({ id: r.id, label: r.label, kind: timeText(lengthOf(r)) }));
  }

  private each(text: (lane: Lane) => string): string {
    return this.lanes.map((lane) => `${LANES[lane]} ${text(lane)}`).join(" · ");
  }

  private get total(): number { return Math.max(1, this.panel.top ?? 0, this.bars.at(-1)?.end ?? 0); }

  /** Where a time lies. With equal widths each run is a column, and time runs evenly inside of it. */
  private x(t: number): number {
    const { runs } = this, w = this.width - NAMES;
    if (this.by.value === "time") return (w * t) / this.total;
    let begun = 0, k = 0;
    while (k < runs.length && begun + lengthOf(runs[k]!) <= t) begun += lengthOf(runs[k++]!);
    const inside = k < runs.length ? (t - begun) / Math.max(1, lengthOf(runs[k]!)) : 0;
    return (w * (k + inside)) / Math.max(1, runs.length);
  }

  protected build(): void {
    this.runs = bundled(this.panel.runs, (run) => this.context.folds.bundle(run.of));
    this.bars = barsOf(this.runs);
    const { lanes, width } = this, height = TOP + lanes.length * ROW + AXIS;
    this.marks = new Map();
    const shown = this.bars.length <= MOST ? this.bars : [...this.bars].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MOST);
    const rest = this.bars.length <= MOST ? [] : lanes.map((lane, k) => s("path", { class: `tl-rest tl-${lane}`, d: this.bars.filter((b) => b.lane === lane && !shown.includes(b)).map((b) => `M${NAMES + this.x(b.start)} ${TOP + k * ROW + 5}h${Math.max(0.5, this.x(b.end) - this.x(b.start))}v${ROW - 10}`).join("") }));
    for (const over of [this.veil, this.cursor]) over.style.height = `${height - AXIS}px`;
    this.veil.style.left = `${NAMES}px`;
    this.veil.style.width = `${width - NAMES}px`;
    const lines = this.by.value === "time" ? linesOf(this.total) : [], every = Math.ceil(LABEL / (this.x(lines[0] ?? 0) || LABEL));
    this.chart.replaceChildren(s("svg", { width, height, class: "tl-svg", role: "group", "aria-label": "Runs" },
      ...lines.map((t, k) => s("g", { class: "tl-line" }, s("path", { d: `M${NAMES + this.x(t)} 0V${height - AXIS + 4}` }),
        k % every === 0 && NAMES + this.x(t) + 30 < width ? s("text", { x: NAMES + this.x(t), y: height - 5 }, timeText(t)) : null)),
      ...lanes.map((lane, k) => s("text", { class: "tl-lane", x: 0, y: TOP + k * ROW + ROW / 2 + 4 }, LANES[lane])),
      ...rest, ...shown.map((bar) => this.bar(bar)),
      s("path", { class: "tl-floor", d: `M${NAMES} ${height - AXIS + 0.5}H${width}` })), this.veil, this.cursor);
  }

  private bar(bar: Bar): SVGElement {
    const { run, lane } = bar, y = TOP + this.lanes.indexOf(lane) * ROW + 5, x = NAMES + this.x(bar.start), w = Math.max(1, NAMES + this.x(bar.end) - x);
    const text = monoWidth(run.label, 11) + 8 <= w ? s("text", { x: x + w / 2, y: y + 16 }, run.label) : null;
    const group = s("g", { "data-id": run.id, class: `tl-bar stop tl-${lane}`, tabindex: -1, role: "img", "aria-label": `${run.label}: ${LANES[lane]} ${timeText(run[lane])}` },
      s("rect", { x, y, width: w, height: ROW - 10, rx: w > 6 ? 3 : 0 }), text);
    const mark = new Painted(group, `tl-bar stop tl-${lane}`);
    this.marks.set(run.id, [...(this.marks.get(run.id) ?? []), mark]);
    return group;
  }
}
