// A page in an <iframe> cannot make its frame higher: it says how high it is, and the page around it may listen.

/** What the page around the frame hears: `message` events with this data. */
export interface Height { type: "minitorch-view"; id: string; height: number }

/** Tells the parent the height of this page, in px, now and whenever it changes; returns a function that stops it. */
export function tellFrame(view: HTMLElement): () => void {
  if (window.parent === window || typeof ResizeObserver !== "function") return () => {};
  let told = -1;
  const watch = new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    const data: Height = { type: "minitorch-view", id: view.id, height };
    window.parent.postMessage(data, "*"); // any page may embed us, and a height is no secret
  });
  watch.observe(document.documentElement);
  return () => watch.disconnect();
}
