"""How long a recording and its views take: in Python seconds, in headless Chromium milliseconds and frames."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import minitorch_lab as ml
from bench import one_thread
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.memory import memory_scene
from minitorch_lab.widgets.page import page
from minitorch_lab.widgets.tape import tape_scene
from minitorch_lab.widgets.timeline import timeline_scene
from tests.chromium import chromium
from tests.widgets.gpt import gpt_step
from tests.widgets.runs import reading_loop

OPS, REPEATS = 1000, 5
FLAGS = ["--no-sandbox", "--disable-gpu"]
SCENES: dict[str, Callable[[Any], Any]] = {
    "Tape": tape_scene,
    "Backward": backward_scene,
    "Memory": memory_scene,
    "Timeline": timeline_scene,
    "laboratory": lab_scene,
}
# When the first frame with the view in it has been painted, since the page was asked for.
PAINTED = """const look = () => document.querySelector('minitorch-view')?.shadowRoot?.querySelector('.box')
  ? setTimeout(() => { globalThis.painted = performance.now(); }) : requestAnimationFrame(look);
requestAnimationFrame(look);"""
SEEKS = """(steps) => { const view = document.querySelector('minitorch-view'), times = [];
for (const k of steps) { const start = performance.now(); view.step = k;
  view.shadowRoot.querySelector('.box').getBoundingClientRect(); times.push(performance.now() - start); }
return times; }"""
FRAMES = """(ms) => new Promise((done) => { const view = document.querySelector('minitorch-view'), times = [];
let last = performance.now(), end = last + ms, k = 400;
const frame = (now) => { times.push(now - last); last = now; view.step = k++;
  if (now < end) requestAnimationFrame(frame); else done(times.slice(1)); };
requestAnimationFrame(frame); })"""


def recorded() -> Any:
    """A chain of ops, and the walk back."""
    x = ml.tensor(1.0, requires_grad=True)
    with ml.record() as rec:
        y = x
        for _ in range(OPS):
            y = y * 1.001
        y.backward()
    return rec


def seconds(work: Callable[[], object]) -> float:
    """The median of a few runs."""
    times: list[float] = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def spread(times: list[float]) -> str:
    """Median and quartiles."""
    low, middle, high = statistics.quantiles(times, n=4)
    return f"{middle:.1f} [{low:.1f}, {high:.1f}]"


def main() -> Iterator[str]:
    """The list."""
    rec, gpt = recorded(), gpt_step(17)
    yield f"- {OPS} ops recorded, with their walk: {seconds(recorded):.2f} s"
    yield f"- the tape view of them, one by one: {seconds(lambda: tape_scene(rec, fold=None)):.2f} s"
    yield f"- the backward view of them, one by one: {seconds(lambda: backward_scene(rec, fold=None)):.2f} s"
    yield f"- a step of 17 layers, {len(gpt):,} events: its laboratory {seconds(lambda: lab_scene(gpt)):.2f} s"
    with tempfile.TemporaryDirectory() as folder:
        gpt.save(Path(folder, "rec.json"))
        yield f"- on disk: {Path(folder, 'rec.json').stat().st_size / 1e6:.2f} MB (bar 1)"
        with one_thread.unpinned():  # a browser is several processes
            yield from in_browser(Path(folder), gpt)


def painted(tab: Any) -> float:
    """When the first frame of a tab was painted, which is closed then: others would run beside the next one."""
    time: float = tab.evaluate("painted")
    tab.close()
    return time


def in_browser(folder: Path, gpt: Any) -> Iterator[str]:
    """First paint, seeks, frames."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)

        def opened(name: str, scene: Any) -> Any:
            path = folder / f"{name}.html"
            if not path.exists():
                path.write_text(page(scene, 0), encoding="utf-8")
            tab = browser.new_page(viewport={"width": 1132, "height": 900})
            tab.add_init_script(PAINTED)
            tab.wait_for_timeout(300)  # the start of the tab itself is not the view's
            tab.goto(path.as_uri())
            tab.wait_for_function("globalThis.painted")
            return tab

        for name, scene in ((name, scene_of(gpt)) for name, scene_of in SCENES.items()):
            times = [painted(opened(name, scene)) for _ in range(9)]
            yield f"- first paint of its {name}: {spread(times)} ms (bar 300)"
        tab, last = opened("lab", lab_scene(gpt)), len(lab_scene(gpt)["steps"]) - 1
        for state in ("folded", "opened"):
            times = [t for _ in range(3) for t in tab.evaluate(SEEKS, [(k * 7919) % last for k in range(1, 25)])]
            yield f"- a seek in it, {state}: {spread(times)} ms, worst {max(times):.1f}"
            tab.locator(".pictures .node.fold").dispatch_event("click")
        scene = backward_scene(reading_loop(), fold=None)
        tab = opened("loop", scene)
        frames = [1000 / t for t in tab.evaluate(FRAMES, 4000)]
        yield f"- a step in every frame, {len(scene['graph']['nodes']):,} nodes: {spread(frames)} frames/s (bar 50)"
        browser.close()
