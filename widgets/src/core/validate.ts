import { numberText } from "./bytes";
import { graphsOf } from "./folds";
import { MOST, sensible, tooMany, wrongPlace, wrongSize } from "./limits";
import { type Graph, type Panel, RECORDING_SCHEMA, SCENE_SCHEMA, type Scene } from "./scene";

/** The lists that a panel of each kind must have. */
const PARTS: Record<Panel["kind"], readonly string[]> = {
  arena: ["kernels", "columns", "blocks", "stages"],
  bytecode: ["codes", "things", "stages"],
  guards: ["rows"],
  lines: ["rows"],
  listing: ["stages"],
  memory: ["blocks", "groups"],
  partition: ["forward", "backward", "reads", "cuts"],
  passes: ["rows", "stages"],
  pieces: ["captures"],
  strides: ["memories", "views", "stages"],
  tape: ["frames"],
  tiling: ["ways", "stages"],
  timeline: ["runs"],
  traffic: ["cells", "first", "stages"],
  tree: ["rows", "stages"],
};

/** The names of these lists. */
export const partsOf = (kind: Panel["kind"]): readonly string[] => PARTS[kind];

/** A scene that cannot be drawn, with what to do about it: shown to the reader in place of the picture. */
export class SceneError extends Error {
  constructor(readonly title: string, readonly hint: string) {
    super(`${title} ${hint}`);
    this.name = "SceneError";
  }
}

/** How a file begins that gzip has compressed, as recordings are, when it is read as text. */
const GZIP = "\u001f\ufffd";

type Bag = Record<string, unknown>;
const isBag = (v: unknown): v is Bag => typeof v === "object" && v !== null && !Array.isArray(v);
const REMAKE = "Make it again: view = ml.widgets.Backward(rec); view.save(\"view.json\").";

/** Returns the scene when it can be drawn, else throws a SceneError that says what to do. */
export function checkScene(data: unknown): Scene {
  if (data === null || data === undefined || (isBag(data) && Object.keys(data).length === 0))
    throw new SceneError("Nothing is recorded yet.", "Run code under `with ml.record() as rec:` and show `ml.widgets.Tape(rec)`.");
  if (!isBag(data)) throw new SceneError("This is not a view.", `A view is a JSON object. ${REMAKE}`);
  checkSchema(data.schema);
  checkSize(data as unknown as Scene);
  checkParts(data);
  const scene = data as unknown as Scene;
  checkIds(scene);
  return scene;
}

/** Parses text first, so that a file cut short gets its own answer. */
export function parseScene(text: string): Scene {
  if (text.trim() === "") return checkScene(null);
  if (text.startsWith(GZIP)) checkSchema(RECORDING_SCHEMA);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    throw new SceneError("This file is not complete JSON.", `It was cut short or edited by hand. ${REMAKE}`);
  }
  return checkScene(data);
}

function checkSchema(schema: unknown): void {
  if (schema === SCENE_SCHEMA) return;
  if (typeof schema === "string" && schema.startsWith(RECORDING_SCHEMA))
    throw new SceneError("This is a recording, not a view.",
      "Load it and export a view: rec = ml.Recording.load(path); ml.widgets.Backward(rec).save(\"view.json\").");
  if (typeof schema === "string" && schema.startsWith("minitorch-lab.scene/"))
    throw new SceneError(`This view is of version ${schema.split("/")[1]}, this page reads version ${SCENE_SCHEMA.split("/")[1]}.`, REMAKE);
  throw new SceneError("This is not a view.", `It should say "schema": "${SCENE_SCHEMA}". ${REMAKE}`);
}

function checkParts(data: Bag): void {
  const broken = (part: string): never => {
    throw new SceneError(`This view is broken: ${part}.`, REMAKE);
  };
  for (const key of ["title", "question"]) if (typeof data[key] !== "string") broken(`its ${key} is missing`);
  for (const key of ["source", "legend"]) if (!Array.isArray(data[key])) broken(`its ${key} is missing`);
  for (const key of ["links", "details"]) if (!isBag(data[key])) broken(`its ${key} are missing`);
  const rows = data.source as unknown[];
  if (!rows.every((row) => isBag(row) && typeof row.id === "string" && typeof row.text === "string")) broken("its source has a line without a text or an id");
  if (data.graph === undefined && data.panels === undefined) broken("its graph is missing");
  if (data.graph !== undefined) checkGraph(data.graph, broken);
  if (data.panels !== undefined) checkPanels(data.panels, broken);
  if (data.folds !== undefined) checkFolds(data.folds, broken);
  checkSteps(data.steps, broken);
  if (data.wrong !== undefined && data.wrong !== null) checkSteps(isBag(data.wrong) ? data.wrong.steps : null, broken);
}

function checkGraph(graph: unknown, broken: (part: string) => never): void {
  if (!isBag(graph)) return broken("its graph is missing");
  for (const key of ["nodes", "edges", "pins"]) if (!Array.isArray(graph[key])) broken(`its graph has no ${key}`);
  if (!(Number(graph.width) > 0 && Number(graph.height) > 0)) broken("its graph has no size");
  const parts = graph as unknown as Graph, holey = [...parts.nodes, ...parts.edges, ...parts.pins].some((part) => !isBag(part));
  const wrong = holey ? "its graph holds something that is no node, edge or pin" : wrongPlace(parts);
  if (wrong !== null) broken(wrong);
}

function checkFolds(folds: unknown, broken: (part: string) => never): void {
  if (!Array.isArray(folds)) return broken("its folds are no list");
  for (const fold of folds) {
    if (!isBag(fold) || !Array.isArray(fold.ids) || !Array.isArray(fold.items)) return broken("one of its folds is not complete");
    const { ids } = fold;
    const whole = (item: unknown) => isBag(item) && Array.isArray(item.ids) && Array.isArray(item.of) && (item.ids.length === ids.length);
    if (fold.items.length === 0 || !fold.items.every(whole)) return broken("the items of one of its folds are not complete");
    if (fold.graph !== undefined) checkGraph(fold.graph, broken);
  }
}

function checkPanels(panels: unknown, broken: (part: string) => never): void {
  if (!Array.isArray(panels)) return broken("its panels are no list");
  for (const panel of panels) {
    const kind = isBag(panel) ? panel.kind : undefined, lists = PARTS[kind as Panel["kind"]];
    if (lists === undefined) throw new SceneError(`This page cannot draw a picture of the kind "${String(kind)}".`, "It was made for a newer version of the views: renew the page's minitorch-view file.");
    for (const list of lists) if (!Array.isArray((panel as Bag)[list])) broken(`its ${String(kind)} panel has no ${list}`);
    if (!sensible(panel)) broken(`its ${String(kind)} panel holds a number that is not finite`);
    const wrong = wrongSize(panel as unknown as Panel);
    if (wrong !== null) broken(wrong);
  }
}

function checkSteps(steps: unknown, broken: (part: string) => never): void {
  if (!Array.isArray(steps)) return broken("its steps are missing");
  if (steps.length === 0)
    throw new SceneError("This recording is empty: nothing ran inside it.", "Put the lines you want to watch inside `with ml.record() as rec:`.");
  steps.forEach((s, i) => {
    if (!isBag(s) || typeof s.say !== "string" || !Array.isArray(s.events) || !Array.isArray(s.focus)) broken(`step ${i + 1} is not complete`);
  });
}

function checkSize(scene: Scene): void {
  if (tooMany(scene))
    throw new SceneError(`This view has more than ${numberText(MOST)} parts, too many to draw.`, "Record one step instead of the whole training, or a smaller model.");
}

/** Every id an edge or a pin names must exist: otherwise drawing would fail later, without a reason. */
function checkIds(scene: Scene): void {
  for (const graph of graphsOf(scene)) checkEnds(graph);
}

function checkEnds(graph: Graph): void {
  const nodes = new Set(graph.nodes.map((n) => n.id));
  const need = (id: string, who: string) => {
    if (!nodes.has(id)) throw new SceneError(`This view is broken: ${who} names a node "${id}" that is not there.`, REMAKE);
  };
  for (const e of graph.edges) { need(e.from, `edge "${e.id}"`); need(e.to, `edge "${e.id}"`); }
  for (const p of graph.pins) { need(p.op, `pin "${p.id}"`); need(p.of, `pin "${p.id}"`); }
}
