// What the theme leaves without a name gets one, and the charts of the lessons are drawn.
document.querySelector(".bd-sidebar-primary")?.setAttribute("role", "navigation");
document.querySelector(".bd-sidebar-primary")?.setAttribute("aria-label", "The book");
for (const e of document.querySelectorAll(".search-button__button, details.hide > summary")) e.removeAttribute("aria-label"); // its text says more
for (const e of document.querySelectorAll("li.has-children > details > summary")) e.setAttribute("aria-label", `Pages of ${e.closest("li").querySelector("a")?.textContent.trim()}`);
for (const th of document.querySelectorAll("th")) if (th.textContent.trim() === "") th.replaceWith(document.createElement("td")); // a corner is no heading

if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false; // a file may read no other

// Paper has no buttons: what is folded away is opened for it.
addEventListener("beforeprint", () => { for (const e of document.querySelectorAll("details.hide:not([open])")) { e.open = true; e.dataset.printed = ""; } });
addEventListener("afterprint", () => { for (const e of document.querySelectorAll("details[data-printed]")) { e.open = false; delete e.dataset.printed; } });

// Charts: drawn by plotly when they come into sight, in the colours of the theme. Plotly lies beside this file.
const here = new URL(".", document.currentScript.src);
const charts = [...document.querySelectorAll("figure.chart")];
let plotly;

/** Plotly, loaded once, and only on a page that has a chart. */
function load() {
  plotly ??= new Promise((loaded, failed) => {
    const script = Object.assign(document.createElement("script"), { src: new URL("plotly.min.js", here), onload: () => loaded(window.Plotly), onerror: failed });
    document.head.append(script);
  });
  return plotly;
}

/** What a figure takes from the page around it. */
function colours() {
  const style = getComputedStyle(document.body), dark = document.documentElement.dataset.theme === "dark";
  const rule = dark ? "#2d333d" : "#dfe2e7", axis = { gridcolor: rule, zerolinecolor: rule, linecolor: rule };
  return { paper_bgcolor: "transparent", plot_bgcolor: "transparent", "font.color": style.color, "font.family": style.fontFamily, "legend.bgcolor": "transparent", axis };
}

/** The layout of a figure in the colours of the theme, every axis of it too. */
function themed(layout) {
  const { axis, ...plain } = colours(), more = { ...plain };
  for (const name of new Set(["xaxis", "yaxis", ...Object.keys(layout).filter((key) => /^[xy]axis\d*$/.test(key))]))
    for (const [key, value] of Object.entries(axis)) more[`${name}.${key}`] = value;
  return more;
}

async function draw(chart) {
  const place = chart.querySelector(".plot"), { data, layout } = JSON.parse(chart.querySelector("script").textContent);
  const Plotly = await load();
  await Plotly.newPlot(place, data, { ...layout, autosize: true, width: undefined }, { responsive: true, displayModeBar: false });
  const paint = () => Plotly.relayout(place, themed(layout));
  new MutationObserver(paint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  await paint();
  chart.dataset.drawn = "";
}

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) { seen.unobserve(target); draw(target); }
}, { rootMargin: "400px" });
for (const chart of charts) {
  chart.querySelector(".plot").style.minHeight = `${chart.querySelector(".plot").dataset.height}px`;
  seen.observe(chart);
}
addEventListener("beforeprint", () => charts.filter((chart) => !("drawn" in chart.dataset)).forEach(draw));
