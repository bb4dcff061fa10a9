// What the browser tests measure inside a page: `looks.<what>(host, ...)` is called from looks.py. A view stands in the
// shadow root of its host: a <minitorch-view>, or in JupyterLab an element that anywidget has made.
globalThis.looks = {
  /** Texts that cover each other, are cut, or are smaller than 11 px; boxes that stand on each other. Hidden things do not count. */
  crowded(host) {
    const box = host.shadowRoot.querySelector(".box"), faults = [];
    const seen = (e) => getComputedStyle(e).visibility === "visible" && e.getClientRects().length > 0;
    const name = (e) => `${e.closest("[data-id]")?.dataset.id}: ${e.textContent}`;
    const over = (a, b) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    const pairs = (elements, say) => {
      const rects = elements.map((e) => e.getBoundingClientRect());
      elements.forEach((a, i) => {
        for (let j = i + 1; j < elements.length; j++) if (over(rects[i], rects[j])) faults.push(`${name(a)} ${say} ${name(elements[j])}`);
      });
    };
    const texts = [...box.querySelectorAll(".graph text, .pictures section svg text")].filter((e) => seen(e) && e.textContent !== "");
    pairs(texts, "covers");
    pairs([...box.querySelectorAll(".graph .body, .graph .chip.on > rect, .graph .sum > .fill, .graph .pin.on .tag")].filter(seen), "stands on");
    for (const t of texts) {
      if (parseFloat(getComputedStyle(t).fontSize) < 11) faults.push(`${name(t)} is smaller than 11 px`);
      const frame = t.parentElement.querySelector(":scope > rect")?.getBoundingClientRect();
      if (frame && t.matches(".val, .num") && t.getBoundingClientRect().width > frame.width + 1) faults.push(`${name(t)} is wider than its box`);
    }
    for (const t of box.querySelectorAll(".pictures section:not(:has(.pic, .tape-window)) svg text, .ar-level span, .mem-peak-line span")) {
      const { left, right } = t.getBoundingClientRect(), frame = t.closest("section").getBoundingClientRect();
      if (seen(t) && (left < frame.left - 1 || right > frame.right + 1)) faults.push(`${name(t)} stands outside of its picture`);
    }
    for (const e of box.querySelectorAll(".question, .say, .strip, .legend li, .line code, .kept-name, .count, .tools button, .ar-level span, .mem-peak-line span")) {
      const inline = getComputedStyle(e).display === "inline";
      if (seen(e) && !inline && e.scrollWidth > e.clientWidth + 1) faults.push(`cut: ${e.textContent}`);
      if (e.matches(".say, .strip") && e.scrollHeight > e.clientHeight + 1) faults.push(`cut below: ${e.textContent}`);
    }
    const bar = box.querySelector(".bar"), { bottom } = bar.getBoundingClientRect();
    for (const e of bar.children) if (e.getBoundingClientRect().bottom > bottom + 1) faults.push(`the ${e.className} stands below its bar`);
    return faults;
  },

  /** Controls that stand outside of the window, under something else, or too small to be hit. */
  lost(host) {
    const { shadowRoot: root } = host;
    return [...root.querySelectorAll(".bar button, .range, .tools button, .choice, summary")].filter((e) => e.getClientRects().length > 0).filter((e) => {
      e.scrollIntoView({ block: "center" });
      const { left, right, top, bottom, width, height } = e.getBoundingClientRect();
      const hit = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left < -0.5 || right > innerWidth + 0.5 || width < 16 || height < 16 || !(hit === e || e.contains(hit));
    }).map((e) => e.className + " " + (e.getAttribute("aria-label") ?? e.textContent));
  },

  /** Goes to a step by the scrubber, which is the same in every host. */
  seek(host, step) {
    const range = host.shadowRoot.querySelector(".range");
    range.value = step;
    range.dispatchEvent(new Event("input"));
  },

  /** How high the view is at each of its steps. */
  heights(host) {
    const height = (step) => (looks.seek(host, step), host.getBoundingClientRect().height);
    return [...Array(Number(host.shadowRoot.querySelector(".range").max) + 1).keys()].map(height);
  },

  /** By how many px the view is wider than the place it is given: what scrolls around it, the page, and the window. */
  wider(host) {
    let place = host.parentElement;
    while (place.parentElement && getComputedStyle(place).overflowX === "visible") place = place.parentElement;
    const scrolls = [place, document.documentElement].map((e) => e.scrollWidth - e.clientWidth);
    return Math.max(...scrolls, host.getBoundingClientRect().right - innerWidth);
  },

  /** How much each of these seeks changes in the document: elements made, taken away, moved and marked anew. */
  seeks(host, steps) {
    const watch = new MutationObserver(() => {});
    watch.observe(host.shadowRoot, { subtree: true, childList: true, attributes: true, characterData: true });
    const counts = steps.map((k) => {
      looks.seek(host, k);
      return watch.takeRecords().reduce((sum, r) => sum + 1 + r.addedNodes.length + r.removedNodes.length, 0);
    });
    watch.disconnect();
    return counts;
  },

  /** What axe-core finds in these elements, by all of its rules or by some. Of what it takes for hidden it measures no contrast. */
  async violations(places, rules) {
    axe.setup(document);
    const hidden = places.filter((e) => !axe.commons.dom.isVisibleOnScreen(e.shadowRoot?.querySelector(".foot") ?? e));
    axe.teardown();
    if (hidden.length) return hidden.map((e) => `axe-core takes this ${e.localName} for hidden`);
    const found = await axe.run({ include: places }, { resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) });
    return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 120)} ${n.any[0]?.message ?? ""}`).join(" | ")}`);
  },
};
