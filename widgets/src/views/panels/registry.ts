import type { Panel } from "../../core/scene";
import type { Context, PanelView } from "../panel";
import { LinesView } from "./lines";
import { ListingView } from "./listing";
import { MemoryView } from "./memory";
import { StridesView } from "./strides";
import { TilingView } from "./tiling";
import { TimelineView } from "./timeline";
import { TrafficView } from "./traffic";
import { TreeView } from "./tree";

type Maker<P extends Panel> = (panel: P, context: Context) => PanelView;

/** How each kind of panel is drawn. */
const MAKERS: { [K in Panel["kind"]]: Maker<Extract<Panel, { kind: K }>> } = {
  lines: (panel) => new LinesView(panel),
  listing: (panel) => new ListingView(panel),
  memory: (panel, context) => new MemoryView(panel, context),
  strides: (panel) => new StridesView(panel),
  tiling: (panel) => new TilingView(panel),
  timeline: (panel, context) => new TimelineView(panel, context),
  traffic: (panel) => new TrafficView(panel),
  tree: (panel, context) => new TreeView(panel, context),
};

export const panelView = (panel: Panel, context: Context): PanelView => (MAKERS[panel.kind] as Maker<Panel>)(panel, context);
