import type { Panel } from "../../core/scene";
import type { Context, PanelView } from "../panel";
import { ArenaView } from "./arena";
import { BytecodeView } from "./bytecode";
import { GuardsView } from "./guards";
import { LinesView } from "./lines";
import { ListingView } from "./listing";
import { MemoryView } from "./memory";
import { PartitionView } from "./partition";
import { PassesView } from "./passes";
import { PiecesView } from "./pieces";
import { StridesView } from "./strides";
import { TapeView } from "./tape";
import { TilingView } from "./tiling";
import { TimelineView } from "./timeline";
import { TrafficView } from "./traffic";
import { TreeView } from "./tree";

type Maker<P extends Panel> = (panel: P, context: Context) => PanelView;

/** How each kind of panel is drawn. */
const MAKERS: { [K in Panel["kind"]]: Maker<Extract<Panel, { kind: K }>> } = {
  arena: (panel, context) => new ArenaView(panel, context),
  bytecode: (panel) => new BytecodeView(panel),
  guards: (panel) => new GuardsView(panel),
  lines: (panel) => new LinesView(panel),
  listing: (panel) => new ListingView(panel),
  memory: (panel, context) => new MemoryView(panel, context),
  partition: (panel) => new PartitionView(panel),
  passes: (panel) => new PassesView(panel),
  pieces: (panel) => new PiecesView(panel),
  strides: (panel) => new StridesView(panel),
  tape: (panel) => new TapeView(panel),
  tiling: (panel) => new TilingView(panel),
  timeline: (panel, context) => new TimelineView(panel, context),
  traffic: (panel) => new TrafficView(panel),
  tree: (panel, context) => new TreeView(panel, context),
};

export const panelView = (panel: Panel, context: Context): PanelView => (MAKERS[panel.kind] as Maker<Panel>)(panel, context);
