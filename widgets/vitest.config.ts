import { readFileSync } from "node:fs";
import { resolve, dirname } from "node:path";
import { defineConfig } from "vitest/config";

/** Style sheets as text, as esbuild's text loader gives them. */
const cssText = {
  name: "css-text",
  enforce: "pre" as const,
  resolveId(source: string, importer?: string) {
    return source.endsWith(".css") && importer ? `\0text:${resolve(dirname(importer), source)}.txt` : null;
  },
  load(id: string) {
    if (!id.startsWith("\0text:")) return null;
    return `export default ${JSON.stringify(readFileSync(id.slice(6, -4), "utf8"))}`;
  },
};

export default defineConfig({
  plugins: [cssText],
  test: { environment: "happy-dom", include: ["test/**/*.test.ts"], testTimeout: 60_000 },
});
