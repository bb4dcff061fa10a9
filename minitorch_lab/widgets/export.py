"""Views as a folder of files for any web page: a page, its parts for your own pages, and nothing from elsewhere."""

from __future__ import annotations

import inspect
import json
from collections.abc import Sequence
from difflib import get_close_matches
from functools import reduce
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

from .. import widgets
from ..errors import ArgumentError
from ..recording.recording import Recording
from .host import View
from .page import as_data, asset, element

MARK = '<meta name="generator" content="minitorch-lab">'
STYLE = """\
:root { color-scheme: light dark }
body { margin: 0; font: 14px/1.5 system-ui, sans-serif; background: light-dark(#f3f4f6, #0d0f13) }
main { display: grid; gap: 16px; padding: 16px; color: light-dark(#16191d, #e9ebee) }
main > * { min-width: 0 }
"""


def read_recording(path: Path) -> Recording:
    """The recording in a file.

    Raises:
        ArgumentError: There is no such file.
        RecordingError: It is no recording, one of another version, cut short, or damaged.
    """
    if path.is_file():
        return Recording.load(path)
    raise ArgumentError(
        f"There is no recording {path}.",
        "A view is exported from a file that rec.save(path) wrote.",
        "Did you mean another folder? `with ml.record() as rec:` around the code, then rec.save(path), makes one.",
    )


def view_names() -> dict[str, type[View]]:
    """Every view there is, by the name that the command line knows it by.

    Example:
        >>> view_names()["memory"].__name__
        'Memory'
    """
    found = {name.lower(): getattr(widgets, name) for name in widgets.__all__}
    return {name: view for name, view in found.items() if issubclass(view, View) and view is not View}


def make_view(words: str, recordings: Sequence[Recording], step: int = 0) -> View:
    """The view that `words` name: "memory", or several on one scrubber: "tape|memory".

    Args:
        words: Names of views in small letters, with | between them.
        recordings: What they show. With none, a view opens on its worked example.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: There is no such view or step, it takes another number of recordings, or two do not combine.
        RecordingError: A recording holds nothing that the view could show.

    Example:
        >>> make_view("tape", []).transcript()[2]
        '3. `mul` makes y = 1 × 2 = 2 and keeps 2: it is the derivative by the other input.'
    """
    view = reduce(lambda first, second: first | second, [one_view(name, recordings) for name in words.split("|")])
    view.step = step
    return view


def one_view(name: str, recordings: Sequence[Recording]) -> View:
    """The view of that name, of these recordings."""
    views = view_names()
    if name not in views:
        near = get_close_matches(name, views, 1) or ["lab"]
        raise ArgumentError(
            f"There is no view {name!r}.", f"The views are {', '.join(sorted(views))}.", f"Did you mean {near[0]!r}?"
        )
    least, most = takes(views[name])
    if not least <= len(recordings) <= most:
        raise ArgumentError(f"The view {name!r} got {count_in_words(len(recordings))}.", *rule(name, least, most))
    make: Any = views[name]
    return make(*recordings)


def takes(view: type[View]) -> tuple[int, int]:
    """How many recordings a view must be given, and how many it can be: its first parameters that are one.

    Example:
        >>> takes(widgets.Memory), takes(widgets.Compare), takes(widgets.Strides)
        ((0, 1), (2, 2), (0, 0))
    """
    least = most = 0
    for parameter in list(inspect.signature(view.__init__).parameters.values())[1:]:
        if "Recording" not in str(parameter.annotation):
            break
        most += 1
        least += parameter.default is parameter.empty
    return least, most


def rule(name: str, least: int, most: int) -> tuple[str, str]:
    """What the view takes, and what to do, in words."""
    if most == 0:
        return (
            "It does not show a recording: here it can only open on its worked example.",
            f"Did you mean `--view {name}` without a file? For things of yours, call ml.widgets in Python, "
            "and to_html(path).",
        )
    if least == most:
        files = " ".join(f"{letter}.json" for letter in "abcdefgh"[:most])
        return (
            f"It shows {count_in_words(most)} at once.",
            f"Did you mean `minitorch-lab widgets export {files} --view {name}`?",
        )
    return (
        f"It shows {count_in_words(most)}, or its worked example.",
        "Did you mean `--view compare`? It shows two on one axis.",
    )


def count_in_words(n: int) -> str:
    """A number of recordings in words."""
    return f"{n} recording{'' if n == 1 else 's'}"


def export(views: Sequence[View], folder: str | PathLike[str]) -> Path:
    """Write a folder with a page of these views, and with their parts for pages of your own. Returns the page's path.

    The page works from a server, from a file and in an `<iframe>`, under a strict content security policy, and asks
    nothing of any other host. Several views stand below each other and move together. `index.html` is the page;
    beside it lie its style and the renderer, twice: `minitorch-view.js` for any page, `minitorch-view.mjs` as a module.
    For every view there are `NAME.json`, for `<minitorch-view src>`, and `NAME.mjs`, a widget in one file (anywidget).

    Args:
        views: What to show, at their present steps.
        folder: Made if it is missing. Files that are not ours are never overwritten.

    Raises:
        ArgumentError: There are no views, or `folder` is a file or holds another page.
        RecordingError: The renderer has not been built.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     path = export([make_view("tape", [])], place)
        ...     sorted(file.name for file in path.parent.iterdir())
        ['index.html', 'minitorch-view.js', 'minitorch-view.mjs', 'page.css', 'tape.json', 'tape.mjs']
    """
    target = Path(folder)
    require_room(views, target)
    named = {unlike(view, views[:k]): view for k, view in enumerate(views)}
    texts = {
        "index.html": index(named),
        "page.css": STYLE,
        **{name: asset(name) for name in ("minitorch-view.js", "minitorch-view.mjs")},
        **{f"{name}.json": json.dumps(view.scene, ensure_ascii=False) for name, view in named.items()},
        **{f"{name}.mjs": module(view) for name, view in named.items()},
    }
    target.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (target / name).write_text(text, encoding="utf-8")
    return target / "index.html"


def unlike(view: View, before: Sequence[View]) -> str:
    """A name for the files of a view, with a number where there are several of its kind."""
    same = [kind(other) for other in before].count(kind(view))
    return f"{kind(view)}-{same + 1}" if same else kind(view)


def kind(view: View) -> str:
    """What a view is called in names of files: memory, or tape-memory for two on one scrubber."""
    name = type(view).__name__  # traitlets may have made a class of its own for it, of the same name
    return str(view.scene["view"]).replace("|", "-") if name == View.__name__ else name.lower()


def index(views: dict[str, View]) -> str:
    """The page: no script and no style in it, which the strictest policies want, and every scene as data."""
    title = "; ".join(f"{view.scene['title']}: {view.scene['question']}" for view in views.values())
    parts = [
        element(view.scene, view.step, id=name, attributes='clock="page" deeplink') for name, view in views.items()
    ]
    body = "\n".join(parts)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
{MARK}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<title>{escape(title)}</title>
<main>
{body}
</main>
<script src="minitorch-view.js"></script>
</html>
"""


def module(view: View) -> str:
    """The view as one ES module with a `render({ model, el })`, which is what anywidget and Jupyter Book 2 ask for."""
    return f"""{asset("minitorch-view.js")}
const scene = {as_data(view.scene)};
export default {{
  render({{ model, el }}) {{
    const step = Number(model.get("step") ?? {view.step});
    const view = minitorch.mount(el.appendChild(document.createElement("div")), scene, {{ step }});
    return () => view.destroy();
  }},
}};
"""


def require_room(views: Sequence[View], folder: Path) -> None:
    """Refuse a place that is not ours to write into."""
    if not views:
        raise ArgumentError(
            "export got no views.", "A page shows at least one view.", "Did you mean export([ml.widgets.Tape(rec)])?"
        )
    if folder.is_file():
        raise ArgumentError(
            f"{folder} is a file.",
            "A view is exported into a folder, because it is a page with its parts beside it.",
            "Did you mean another folder? view.to_html(path) writes everything into one file.",
        )
    page = folder / "index.html"
    if page.exists() and MARK not in page.read_text(encoding="utf-8", errors="replace"):
        raise ArgumentError(
            f"{folder} holds an index.html that is not ours.",
            "Views are exported into a new folder, an empty one, or one that they were exported into before.",
            f"Did you mean -o {folder / 'views'}?",
        )
