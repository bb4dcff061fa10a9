// Bundles the renderer for its two hosts. Notebooks load an ES module from a blob, so everything must be in one file.
import { build, transform } from "esbuild";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Style sheets come as text, without their comments and spaces. */
const css = {
  name: "css",
  setup(b) {
    b.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, "utf8"), { loader: "css", minify: true });
      return { contents: code.trim(), loader: "text" };
    });
  },
};
const common = {
  bundle: true, minify: true, target: "es2022", legalComments: "none", logLevel: "warning",
  plugins: [css], absWorkingDir: here("."),
};
const out = (name) => here(`../minitorch_lab/widgets/static/${name}`);

await Promise.all([
  build({ ...common, entryPoints: ["src/hosts/anywidget.ts"], format: "esm", outfile: out("view.js") }),
  build({ ...common, entryPoints: ["src/hosts/element.ts"], format: "esm", outfile: out("minitorch-view.mjs") }),
  build({ ...common, entryPoints: ["src/hosts/element.ts"], format: "iife", globalName: "minitorch", outfile: out("minitorch-view.js") }),
]);
