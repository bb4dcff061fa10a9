/** The theme a notebook shows, read from its page; null where the page's own color-scheme decides. */
export function pageTheme(body: HTMLElement): "light" | "dark" | null {
  const lab = body.dataset.jpThemeLight;
  if (lab !== undefined) return lab === "false" ? "dark" : "light";
  const code = body.dataset.vscodeThemeKind ?? "";
  if (code !== "") return code.includes("light") ? "light" : "dark";
  return null;
}

/** Follows the notebook's theme by setting color-scheme on the host; returns a function that stops it. */
export function followTheme(host: HTMLElement): () => void {
  const apply = () => { host.style.colorScheme = pageTheme(document.body) ?? ""; };
  const watch = new MutationObserver(apply);
  watch.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-light", "data-vscode-theme-kind"] });
  apply();
  return () => watch.disconnect();
}
