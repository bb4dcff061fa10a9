"""What the browser tests measure in a page: accessibility, geometry, time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = Path(__file__).parents[2] / "widgets" / "node_modules" / "axe-core" / "axe.min.js"

# Two texts cover each other, or a text is cut, or is smaller than 11 px. Ghosts and hidden things do not count.
CROWDED = """() => {
  const box = document.querySelector('minitorch-view').shadowRoot.querySelector('.box'), faults = [];
  const seen = (e) => getComputedStyle(e).visibility === 'visible' && e.getClientRects().length > 0;
  const texts = [...box.querySelectorAll('.graph text')].filter((e) => seen(e) && e.textContent !== '');
  const rects = texts.map((e) => e.getBoundingClientRect());
  const name = (e) => `${e.closest('[data-id]')?.dataset.id}: ${e.textContent}`;
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  texts.forEach((a, i) => {
    if (parseFloat(getComputedStyle(a).fontSize) < 11) faults.push(`${name(a)} is smaller than 11 px`);
    for (let j = i + 1; j < texts.length; j++) if (over(rects[i], rects[j])) faults.push(`${name(a)} covers ${name(texts[j])}`);
    const frame = a.parentElement.querySelector(':scope > rect')?.getBoundingClientRect();
    if (frame && a.matches('.val, .num') && rects[i].width > frame.width + 1) faults.push(`${name(a)} is wider than its box`);
  });
  const boxes = [...box.querySelectorAll('.graph .body, .graph .chip.on > rect, .graph .sum > .fill, .graph .pin.on .tag')].filter(seen);
  const frames = boxes.map((e) => e.getBoundingClientRect());
  boxes.forEach((a, i) => { for (let j = i + 1; j < boxes.length; j++)
    if (over(frames[i], frames[j])) faults.push(`${name(a)} (${a.getAttribute('class') ?? 'chip'}) stands on ${name(boxes[j])}`); });
  for (const e of box.querySelectorAll('.question, .say, .strip, .legend li, .line code, .kept-name, .count, .tools button'))
    if (seen(e) && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline') faults.push(`cut: ${e.textContent}`);
  if (box.querySelector('.say').scrollHeight > box.querySelector('.say').clientHeight + 1) faults.push('the sentence is cut');
  return faults;
}"""

# Milliseconds of seeks to these steps, each with style and layout done.
SEEKS = """(steps) => {
  const view = document.querySelector('minitorch-view'), box = view.shadowRoot.querySelector('.box');
  return steps.map((k) => { const t = performance.now(); view.step = k; box.getBoundingClientRect(); return performance.now() - t; });
}"""

ACCESSIBLE = """async () => {
  const found = await axe.run({ include: [['minitorch-view']] }, { resultTypes: ['violations'] });
  return found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120) + ' ' + (n.any[0]?.message ?? '')).slice(0, 3).join(' | ')}`);
}"""


def crowded(page: Page) -> list[str]:
    faults: list[str] = page.evaluate(CROWDED)
    return faults


def violations(page: Page) -> list[str]:
    """What axe-core finds in our elements."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = page.evaluate(ACCESSIBLE)
    return found


def seek_times(page: Page, steps: list[int]) -> list[float]:
    times: list[float] = page.evaluate(SEEKS, steps)
    return times


def at(page: Page) -> int:
    """The step that the (first) view of the page shows."""
    return int(page.locator(".box").first.get_attribute("data-step") or -1)


def height(page: Page) -> float:
    box: Any = page.locator("minitorch-view").bounding_box()
    return float(box["height"])
