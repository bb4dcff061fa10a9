const SAID = ["light", "dark"] as const;
type Theme = (typeof SAID)[number];
const known = (word: string | undefined | null): Theme | null => SAID.find((theme) => theme === word) ?? null;

/** The theme that the page around us shows, as it says so: a notebook, Sphinx, Bootstrap, Quarto, Jupyter Book 2; null where color-scheme decides. */
export function pageTheme(page: Document): Theme | null {
  const { body, documentElement: root } = page;
  const lab = body.dataset.jpThemeLight;
  if (lab !== undefined) return lab === "false" ? "dark" : "light";
  const code = body.dataset.vscodeThemeKind ?? "";
  if (code !== "") return code.includes("light") ? "light" : "dark";
  const classes = [...root.classList, ...body.classList].map((name) => known(name.replace(/^quarto-/, "")));
  return known(root.dataset.theme) ?? known(root.dataset.bsTheme) ?? classes.find((theme) => theme !== null) ?? null;
}

/** Follows the page's theme by setting color-scheme on the host, whose own `theme` attribute wins; returns a function that stops it. */
export function followTheme(host: HTMLElement): () => void {
  const apply = () => { host.style.colorScheme = known(host.getAttribute("theme")) ?? pageTheme(document) ?? ""; };
  const watch = new MutationObserver(apply);
  for (const element of [document.documentElement, document.body])
    watch.observe(element, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind", "data-theme", "data-bs-theme", "class"] });
  watch.observe(host, { attributes: true, attributeFilter: ["theme"] });
  apply();
  return () => watch.disconnect();
}
