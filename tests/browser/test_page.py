"""Views on static pages, in a real browser: over file:// and over http, with nothing but what the page holds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from minitorch_lab.widgets import Backward, View
from tests.browser import looks
from tests.browser.conftest import OpenPage, watch
from tests.browser.scenes import example, large
from tests.widgets.runs import reading_loop

pytestmark = pytest.mark.browser
BUDGET = {"far": 900, "near": 300}  # changes a seek; without tiles a far one makes some thousands

THEMES = ["light", "dark"]


def test_steps_by_key_scrubber_and_play(show: OpenPage) -> None:
    page = show(example("backward"))
    box = page.locator(".box")
    box.focus()
    for key, step in [("ArrowRight", 1), ("End", 13), ("ArrowLeft", 12), ("Home", 0), ("]", 1), ("]", 5), ("[", 1)]:
        page.keyboard.press(key)
        assert looks.at(page) == step
    track = page.locator(".range").bounding_box()
    assert track is not None
    page.mouse.click(track["x"] + track["width"] * 10.5 / 14, track["y"] + track["height"] / 2)
    expect(page.locator(".count")).to_have_text("11 / 14")
    expect(page.locator(".say")).to_have_text("v2 now holds 3 + 2 = 5: the second arrival is added.")
    page.locator(".speed").click()
    page.locator(".play").click()
    expect(box).to_have_attribute("data-step", "12", timeout=5000)
    expect(page.locator(".play")).to_have_attribute("aria-label", "Pause")
    box.press("Space")
    expect(page.locator(".play")).to_have_attribute("aria-label", "Play")


def test_keys_stay_in_the_view_and_act_only_there(show: OpenPage) -> None:
    page = show(example("backward"))
    page.evaluate("window.heard = []; document.addEventListener('keydown', (e) => heard.push(e.key))")
    page.keyboard.press("ArrowRight")
    assert (looks.at(page), page.evaluate("heard")) == (0, ["ArrowRight"])
    page.locator(".box").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("/")
    page.keyboard.type("mul")
    page.keyboard.press("Enter")
    assert looks.at(page) == 1
    assert page.evaluate("heard") == ["ArrowRight"]
    expect(page.locator(".strip")).to_contain_text("tape node 3")


def test_the_ring_around_the_scrubber_leaves_the_names_of_phases_alone(show: OpenPage) -> None:
    """With few steps too: the ring stands around the thumb, which is seen to have it."""
    page = show(example("backward"))

    def pixels() -> tuple[bytes, ...]:
        names, track = page.locator(".band i:not(.hidden)").all(), page.locator(".track")
        return *(name.screenshot() for name in names), track.screenshot()

    page.locator(".box").press("End")
    *names, track = pixels()
    page.locator(".range").focus()
    assert page.locator(".range").evaluate("(range) => range.matches(':focus-visible')")
    *ringed, ring = pixels()
    assert names
    assert ringed == names
    assert ring != track


def test_predicts_the_value_and_the_node(show: OpenPage) -> None:
    page = show(example("backward"), step=8)
    page.get_by_role("button", name="Predict").click()
    page.locator(".next").click()
    page.locator(".node[data-id='exp']").click()
    expect(page.locator(".why")).to_contain_text("still missing")
    page.locator(".node[data-id='add']").click()
    expect(page.locator(".say")).to_contain_text("add sends 2 to v2")
    page.locator(".box").press("ArrowRight")
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(page.locator(".why")).to_contain_text("two ways")
    page.keyboard.type("5")
    page.keyboard.press("Enter")
    expect(page.locator(".say")).to_contain_text("3 + 2 = 5")


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["backward", "inplace"])
def test_nothing_overlaps_nothing_is_cut_and_the_height_stays(show: OpenPage, name: str, theme: str) -> None:
    page = show(example(name), theme)
    tall = looks.height(page)
    for step in range(page.evaluate("document.querySelector('minitorch-view').steps")):
        page.evaluate(f"document.querySelector('minitorch-view').step = {step}")
        assert looks.crowded(looks.view(page)) == [], f"step {step}"
        assert looks.height(page) == tall, f"step {step}"


@pytest.mark.parametrize("width", [480, 700, 1160])
def test_other_widths(show: OpenPage, width: int) -> None:
    page = show(example("backward"), width=width, step=13)
    assert looks.crowded(looks.view(page)) == []
    stacked = page.locator(".two").evaluate("e => e.classList.contains('stack')")
    assert stacked == (width < 1160)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing(show: OpenPage, theme: str) -> None:
    page = show(example("backward"), theme, step=10)
    assert looks.violations(page) == []
    page.get_by_role("button", name="Wrong order").click()
    page.get_by_role("button", name="Predict").click()
    page.locator(".transcript summary").click()
    page.locator(".box").press("ArrowRight")
    page.locator(".box").press("/")
    page.keyboard.type("v")
    assert looks.violations(page) == []


def test_the_theme_attribute_wins(show: OpenPage) -> None:
    page = show(example("backward"), "light")
    page.evaluate("document.querySelector('minitorch-view').setAttribute('theme', 'dark')")
    assert page.locator(".box").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(21, 24, 30)"


def loop() -> dict[str, Any]:
    """Edges as long as the picture."""
    return Backward(reading_loop(), fold=None).scene


@pytest.mark.parametrize("make", [large, loop])
def test_a_thousand_nodes_seek_within_a_windowful(show: OpenPage, make: Callable[[], dict[str, Any]]) -> None:
    """What a seek changes is what is in sight, not the thousand nodes; `bench views` has the milliseconds."""
    scene = make()
    assert len(scene["graph"]["nodes"]) >= 1000
    page = show(scene)
    last = len(scene["steps"]) - 1
    far, near = [(k * 7919) % last for k in range(1, 25)], list(range(401, 425))
    for name, steps in (("far", far), ("near", near)):
        counts = looks.seek_changes(looks.view(page), steps)
        print(f"\nseek {name}: {sorted(counts)[len(counts) // 2]} changes, at most {max(counts)}", end=" ")
        assert max(counts) <= BUDGET[name]


def test_over_http_with_both_builds_on_one_page(browser: Browser, served) -> None:
    address = served(
        example("backward"),
        '<script src="minitorch-view.js"></script><script type="module" src="minitorch-view.mjs"></script>'
        '<main><minitorch-view id="walk" src="view.json"></minitorch-view></main>',
    )
    page = browser.new_page()
    faults = watch(page)
    page.goto(f"{address}#walk:9")
    expect(page.locator(".count")).to_have_text("10 / 14")
    page.evaluate("location.hash = '#walk:3'")
    expect(page.locator(".count")).to_have_text("4 / 14")
    page.close()
    assert faults == []


def test_a_recording_in_its_place_is_answered_with_what_to_do(browser: Browser, served) -> None:
    address = served(
        {"schema": "minitorch-lab.recording/1", "events": []},
        '<main><minitorch-view src="view.json"></minitorch-view></main><script src="minitorch-view.js"></script>',
    )
    page = browser.new_page()
    page.goto(address)
    expect(page.locator(".notice")).to_contain_text("This is a recording, not a view.")
    expect(page.locator(".notice")).to_contain_text('ml.widgets.Backward(rec).save("view.json")')
    assert looks.violations(page) == []
    page.close()


def test_in_print_the_whole_picture_and_the_transcript_show(show: OpenPage) -> None:
    page = show(example("backward"), step=13)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".sentences tr").count() == 15
    expect(page.locator(".bar")).to_be_hidden()


def test_without_scripts_a_page_holds_its_transcript(browser: Browser, tmp_path: Path) -> None:
    path = View(scene=example("backward")).to_html(tmp_path / "view.html")
    page = browser.new_page(java_script_enabled=False)
    page.goto(path.as_uri())
    expect(page.locator("li").nth(10)).to_have_text("`v2` now holds 3 + 2 = 5: the second arrival is added.")
    page.close()
