import arena from "../styles/arena.css";
import base from "../styles/base.css";
import bytecode from "../styles/bytecode.css";
import controls from "../styles/controls.css";
import fusion from "../styles/fusion.css";
import graph from "../styles/graph.css";
import guards from "../styles/guards.css";
import lines from "../styles/lines.css";
import motion from "../styles/motion.css";
import memory from "../styles/memory.css";
import partition from "../styles/partition.css";
import passes from "../styles/passes.css";
import pieces from "../styles/pieces.css";
import strides from "../styles/strides.css";
import tape from "../styles/tape.css";
import tiling from "../styles/tiling.css";
import timeline from "../styles/timeline.css";
import tree from "../styles/tree.css";
import panels from "../styles/panels.css";

const text = [
  base, controls, panels, graph, fusion, lines, memory, strides, tape, tiling, timeline, tree, arena, bytecode, pieces, guards, partition, passes, motion,
].join("\n");
let sheet: CSSStyleSheet | null = null;

/** Puts the style sheet into a shadow root: constructed where the browser can (allowed under a strict CSP), else as an element. */
export function adopt(root: ShadowRoot): void {
  if ("adoptedStyleSheets" in root && typeof CSSStyleSheet === "function" && "replaceSync" in CSSStyleSheet.prototype) {
    if (!sheet) { sheet = new CSSStyleSheet(); sheet.replaceSync(text); }
    root.adoptedStyleSheets = [sheet];
    return;
  }
  const style = document.createElement("style");
  style.textContent = text;
  root.prepend(style);
}
