// What the browser tests measure inside a page. `looks(name, ...)` is called from looks.py.
globalThis.looks = {
  /** Texts that cover each other, are cut, or are smaller than 11 px; boxes that stand on each other. Hidden things do not count. */
  crowded(nth) {
    const box = document.querySelectorAll("minitorch-view")[nth].shadowRoot.querySelector(".box"), faults = [];
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
    for (const e of box.querySelectorAll(".question, .say, .strip, .legend li, .line code, .kept-name, .count, .tools button")) {
      const inline = getComputedStyle(e).display === "inline";
      if (seen(e) && !inline && e.scrollWidth > e.clientWidth + 1) faults.push(`cut: ${e.textContent}`);
      if (e.matches(".say, .strip") && e.scrollHeight > e.clientHeight + 1) faults.push(`cut below: ${e.textContent}`);
    }
    return faults;
  },

  /** Controls that stand outside of the window, under something else, or too small to be hit. */
  lost() {
    const { shadowRoot: root } = document.querySelector("minitorch-view");
    return [...root.querySelectorAll(".bar button, .range, .tools button, .choice, summary")].filter((e) => e.getClientRects().length > 0).filter((e) => {
      e.scrollIntoView({ block: "center" });
      const { left, right, top, bottom, width, height } = e.getBoundingClientRect();
      const hit = root.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return left < -0.5 || right > innerWidth + 0.5 || width < 16 || height < 16 || !(hit === e || e.contains(hit));
    }).map((e) => e.className + " " + (e.getAttribute("aria-label") ?? e.textContent));
  },

  /** How much each of these seeks changes in the document: elements made, taken away, moved and marked anew. */
  seeks(steps) {
    const view = document.querySelector("minitorch-view"), watch = new MutationObserver(() => {});
    watch.observe(view.shadowRoot, { subtree: true, childList: true, attributes: true, characterData: true });
    const counts = steps.map((k) => {
      view.step = k;
      return watch.takeRecords().reduce((sum, r) => sum + 1 + r.addedNodes.length + r.removedNodes.length, 0);
    });
    watch.disconnect();
    return counts;
  },

  /** What axe-core finds in the elements that match, by all of its rules or by some. */
  async violations({ selector, rules }) {
    const found = await axe.run({ include: [[selector]] }, { resultTypes: ["violations"], ...(rules.length && { runOnly: rules }) });
    return found.violations.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => `${n.html.slice(0, 120)} ${n.any[0]?.message ?? ""}`).join(" | ")}`);
  },
};
