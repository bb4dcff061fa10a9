/**
 * The scene: everything the browser needs to draw one view, made in Python from a recording.
 *
 * Python decides numbers, sentences and positions; the browser folds the events, stretches x, routes edges and draws.
 * Sizes are CSS pixels, drawn 1:1. All text is shown as text, never as markup; `backticks` in a sentence become code.
 */
import type { ArenaPanel } from "./panels/arena";
import type { BytecodePanel } from "./panels/bytecode";
import type { GuardsPanel } from "./panels/guards";
import type { LinesPanel } from "./panels/lines";
import type { ListingPanel } from "./panels/listing";
import type { MemoryPanel } from "./panels/memory";
import type { PartitionPanel } from "./panels/partition";
import type { PassesPanel } from "./panels/passes";
import type { PiecesPanel } from "./panels/pieces";
import type { StridesPanel } from "./panels/strides";
import type { TapePanel } from "./panels/tape";
import type { TilingPanel } from "./panels/tiling";
import type { TimelinePanel } from "./panels/timeline";
import type { TrafficPanel } from "./panels/traffic";
import type { TreePanel } from "./panels/tree";

export const SCENE_SCHEMA = "minitorch-lab.scene/1";
export const RECORDING_SCHEMA = "minitorch-lab.recording/";

export interface Scene {
  schema: typeof SCENE_SCHEMA;
  /** Which view this is: it names the picture and sets no behaviour. */
  view: string;
  /** Short name shown beside the controls: "Backward". */
  title: string;
  /** The heading, a question: "Where does a gradient come from?" */
  question: string;
  /** Id of the recording this was made from: views of one recording on a page share their selection. */
  recording?: string;
  /** The reader's own lines, dedented, in order; gaps in `no` are drawn as a gap. */
  source: SourceLine[];
  /** The graph of values and ops: the events of the steps are folded into it. */
  graph?: Graph;
  /** Parts that repeat: each is one box, which opens. */
  folds?: Fold[];
  /** Further pictures. What each shows follows from the clock alone, so that views can be combined. */
  panels?: Panel[];
  /** Bars of "Kept for backward", in the order of their first pin. */
  kept?: Kept[];
  /** Symmetric groups of ids that light up together: small sets, never transitive. */
  links: Record<string, string[]>;
  /** One line of facts per id (node, edge, pin, line, kept bar), parts joined by " · ". */
  details: Record<string, string>;
  /** Which symbols this scene uses, in the order the legend shows them. */
  legend: LegendSymbol[];
  /** Step 0 shows everything as ghosts and asks the question. At least one step. */
  steps: Step[];
  /** Backward only: the same walk without topological order. A whole walk; what it shares with `steps` comes first. */
  wrong?: WrongWalk;
}

export type Panel =
  | ArenaPanel | BytecodePanel | GuardsPanel | LinesPanel | ListingPanel | MemoryPanel | PartitionPanel | PassesPanel | PiecesPanel
  | StridesPanel | TapePanel | TilingPanel | TimelinePanel | TrafficPanel | TreePanel;

export type LegendSymbol = "value" | "leaf" | "param" | "input" | "const" | "op" | "fold" | "batch" | "cotangent" | "tangent" | "saved" | "tray" | "write" | "hook" | "faded" | "wrong" | "hull" | "read" | "write-cell" | "fetched" | "found" | "held" | "done";

export interface SourceLine {
  id: string;
  /** True line number in the reader's file or cell. */
  no: number;
  text: string;
}

export interface Graph {
  /** The grid on which x is given. The picture stretches x by 0.9 to 1.6; where that is still too wide it takes 1, and scrolls. */
  width: number;
  /** Drawn as is: y never stretches. */
  height: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
  pins: GraphPin[];
  /** Layers under the first one: what a backward walk has made. Drawn behind everything, over the whole width. */
  bands?: Band[];
}

/** The same, several times: the layers of a net. `graph` is that of one item, and `ids` are the ids in it, as slots. */
export interface Fold {
  id: string;
  label: string;
  ids: string[];
  /** Which of `ids` is the result. */
  out?: number;
  items: FoldItem[];
  graph?: Graph;
}

/** One of them. `ids` stand in the slots of the fold, "" where it has nothing; `of` are further ids that belong to it: blocks, runs. */
export interface FoldItem { id: string; label: string; ids: string[]; of: string[] }

export interface Band { label: string; y: number; h: number }

export type NodeKind = "op" | "fold" | "value" | "leaf" | "param" | "input" | "const";

export interface GraphNode {
  id: string;
  /**
   * fold: a box for all items of a fold, whose id it has. op: rectangle with its name. value: pill made by an op. leaf and param: double pill (takes a gradient).
   * input: pill that takes no gradient. const: pill without fill.
   */
  kind: NodeKind;
  /** op and const: written inside. All others: the name above the pill, the value comes by event. */
  label: string;
  /** Centre, on the grid. */
  x: number;
  y: number;
  /** Size in px, not stretched. Inside text is 13 px monospace (7.8 px a character); leave 8 px each side. Height 34. */
  w: number;
  h: number;
  /**
   * Where a leaf's gradient gathers: a tray under the pill, with its name ("v1.grad") below it.
   * It takes 7 + 26 px under the pill and 18 px more for the name.
   */
  tray?: { label: string; w?: number };
  /** Where partial adjoints add up under a value: 7 + 26 px. `w` is only a least width: the longest text of the scene widens it. */
  sum?: { w?: number };
  /** Under vmap: the batch axis, in a part of the pill of its own at the left, `w` px wide. */
  batch?: { label: string; w: number };
  /** A remark above an op once it has run: "keeps nothing". 11 px, in the place where pins would be. */
  note?: string;
}

export interface GraphEdge {
  id: string;
  /** Source node: the edge leaves at its right side. */
  from: string;
  /** Consumer: the edge enters at its left side, with the arrow. */
  to: string;
  /**
   * Points [x, y] on the grid the edge passes horizontally, in order, so that a long edge crosses no label.
   * The backward edge runs 8 px beside it and carries a chip (7.2 px a character + 12 px wide, 22 px high): leave that
   * much room between a value and an op on edges that carry a gradient.
   */
  via?: [number, number][];
}

export interface GraphPin {
  id: string;
  /** The op that keeps something. */
  op: string;
  /** The value it keeps: a dotted link goes there. */
  of: string;
  /** Text of the tag, "v2=2" (11 px monospace, 6.7 px a character + 14 px wide, 20 px high). */
  label: string;
  /** Centre of the tag on the grid: usually 50 px above the op, tags of one op side by side. It moves with its op when x stretches. */
  x: number;
  y: number;
}

export interface Kept {
  id: string;
  label: string;
  bytes: number;
  /** Names of the ops that keep it. */
  by: string[];
  /** Inclusive [first, last] steps after which it is kept: `first` is the step that pins it, `last` the one before its last unpin. */
  spans: [number, number][];
}

/** start, forward, backward, double backward, recomputation, update, wrong order, first pass, capture, run and so on. */
export type Phase = string;

export interface Step {
  phase: Phase;
  /** One sentence with this step's numbers, subject first. */
  say: string;
  /** Source line of this step, or null. */
  line: string | null;
  /** What is loud now: the first id is the actor (its details show, the picture scrolls to it). */
  focus: string[];
  events: SceneEvent[];
  /** The clock when the step is over: the number of the last event of the recording that it covers. It never falls. */
  at?: number;
  /** The item of a fold in which this happens. The last step of an item, or of all, has in `brief` what was done as a whole. */
  of?: string;
  brief?: string;
  /** In predict mode the reader answers before this step is shown. */
  predict?: Prediction;
}

export type Prediction = ValuePrediction | NodePrediction;

/** The sentence is shown up to `at`; the `length` characters there are asked for, the rest follows after the answer. */
export interface ValuePrediction {
  kind: "value";
  answer: string;
  /** Further right answers; numbers are also compared as numbers. */
  accept?: string[];
  /** Offset and length in `say`, in UTF-16 units for JavaScript: use only characters of the basic plane. */
  at: number;
  length: number;
  /** What a wrong answer is told: the reason, never just "no". */
  why: string;
}

/** The reader points at the node that runs next; `answer` is its id. */
export interface NodePrediction {
  kind: "node";
  answer: string;
  /** Further ids that are right too (another valid topological order). */
  accept?: string[];
  why: string;
  /** Ids offered in the list for keyboard readers; by default the ops still to come. */
  options?: string[];
}

export type SceneEvent =
  /** The value appears in its pill; the op that made it and its edges become solid. */
  | { type: "value"; id: string; value: string; /** What was computed: "2 × 3". */ how?: string }
  /** An op pins (saves) a value; the pin drops when it is freed. */
  | { type: "pin"; id: string }
  | { type: "unpin"; id: string }
  /** The pinned value was overwritten: the pin turns red. */
  | { type: "stale"; id: string }
  /** The partial adjoint `value` travels back along an edge; `how` ("1 × 3") goes into its details. */
  | ({ type: "send"; edge: string; value: string; how?: string } & Product)
  /** Forward mode: the part `value` of a tangent goes along an edge, from its value to its consumer. */
  | { type: "push"; edge: string; value: string }
  /**
   * The box under a value, or the tray under a leaf. ok: holds the sum; wait: parts are missing ("3 + ?");
   * drop: nobody asked for it; wrong: a wrong number, with the right one beside it when `right` is given;
   * tangent: how the value moves, in forward mode.
   */
  | { type: "sum"; id: string; text: string; state: SumState; right?: string; /** What has arrived, as it stands in the text, and what it makes. */ parts?: { edge: string; text: string }[]; total?: string }
  /** Takes away sends and pushes (edge ids) and sums (node ids). */
  | { type: "clear"; ids: string[] }
  /** In-place write: the pill of the new version, or, where it has none, that of the old one, which then shows both: "2 → 3". */
  | { type: "write"; id: string; value: string; version: number }
  /** A node has hooks: a mark at the value whose gradient they see, or at the op whose sends they see. */
  | { type: "hooked"; id: string }
  /** A hook fired on the gradient of a value: "hook: 10 → 1", one line under its box. */
  | { type: "hook"; id: string; text: string }
  /** Values that are gone and ops whose nodes keep nothing: dashed and hollow, until they return. */
  | { type: "fade" | "return"; ids: string[] }
  /** Nodes are one kernel from now on, with this name; none: the kernel is part of another. */
  | { type: "hull"; id: string; ids: string[]; label: string }
  /** An op refuses to run (an error at this step): it turns red. */
  | { type: "refuse"; id: string };

/** What a partial adjoint is made of: the gradient from above, the factor where it is one number, and the pins of what was saved for it. */
export interface Product { above?: string; times?: string; by?: string[] }

export type SumState = "ok" | "wait" | "drop" | "wrong" | "tangent";

export interface WrongWalk {
  steps: Step[];
  /** The kept bars on this walk's own step axis; without it the bars are hidden during the walk. */
  kept?: Kept[];
}

/** A scene with a graph to draw. */
export type GraphScene = Scene & { graph: Graph };
export const hasGraph = (scene: Scene): scene is GraphScene => scene.graph !== undefined;

/** The nodes of the graph, where there is one. */
export const nodesOf = (scene: Scene): readonly GraphNode[] => scene.graph?.nodes ?? [];
