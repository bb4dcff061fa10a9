// Bundles the renderer for its two hosts. Notebooks load an ES module from a blob, so everything must be in one file.
import { build } from "esbuild";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const common = {
  bundle: true, minify: true, target: "es2022", legalComments: "none", logLevel: "warning",
  loader: { ".css": "text" }, absWorkingDir: here("."),
};
const out = (name) => here(`../minitorch_lab/widgets/static/${name}`);

await Promise.all([
  build({ ...common, entryPoints: ["src/hosts/anywidget.ts"], format: "esm", outfile: out("view.js") }),
  build({ ...common, entryPoints: ["src/hosts/element.ts"], format: "esm", outfile: out("minitorch-view.mjs") }),
  build({ ...common, entryPoints: ["src/hosts/element.ts"], format: "iife", globalName: "minitorch", outfile: out("minitorch-view.js") }),
]);
