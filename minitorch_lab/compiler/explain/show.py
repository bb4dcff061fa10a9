"""An explanation as text, by `rich`: plain when printed, in colours on a console of `rich`."""

from __future__ import annotations

from html import escape
from io import StringIO
from typing import Any

from ...core.words import plural

WIDTH = 100
# Colours that stand out from white and from the black of a dark notebook alike: 4.1 to 1 at least from both.
BAD, AGAIN, NAME, KERNEL, MUTED = "#cc4a3d", "#96701a", "#1a8099", "#2f8560", "#777777"
PLAIN = "line-height: normal; white-space: pre; overflow-x: auto; background: none; color: inherit"


def text(told: dict[str, Any]) -> str:
    """The explanation without colours."""
    console = page()
    write(console, told)
    return "\n".join(line.rstrip() for line in console.file.getvalue().splitlines())


def html(told: dict[str, Any]) -> str:
    """The same in HTML: in the colours and on the ground of whoever shows it, be they light or dark."""
    return f"<pre style='{PLAIN}'>{escape(text(told))}</pre>"


def page() -> Any:
    """A console that writes into memory."""
    from rich.console import Console

    return Console(
        file=StringIO(), width=WIDTH, no_color=True, force_terminal=False, color_system=None,
        highlight=False, markup=False, emoji=False, soft_wrap=True,
    )  # fmt: skip


def code_theme() -> Any:
    """Code on any ground: weight for its words, and no colour that one of two grounds would swallow."""
    from pygments.token import Comment, Keyword, Number, Operator, String
    from rich.style import Style
    from rich.syntax import ANSISyntaxTheme

    words, told = Style(bold=True), Style(color=KERNEL)
    return ANSISyntaxTheme(
        {Keyword: words, Operator.Word: words, Comment: Style(color=MUTED), String: told, Number: Style(color=NAME)}
    )


def write(console: Any, told: dict[str, Any]) -> None:
    """Write all sections."""
    out = Page(console)
    out.title(told)
    out.function(told)
    out.guards(told["guards"])
    for region in told["regions"]:
        out.region(region, told)
    out.code("The program", told["program"]["text"])
    out.times(told["times"])


class Page:
    """Writes the sections of an explanation."""

    def __init__(self, console: Any) -> None:
        self.console = console

    def say(self, *parts: Any, indent: int = 0) -> None:
        """A line of parts, each a text or a pair of text and style."""
        from rich.text import Text

        self.console.print(Text.assemble("  " * indent, *parts))

    def heading(self, title: str) -> None:
        """The title of a section."""
        self.say()
        self.say((title, "bold"))

    def listing(self, source: str, language: str = "python", indent: int = 1) -> None:
        """Lines of code."""
        from rich.syntax import Syntax

        lines = Syntax(source, language, theme=code_theme()).highlight(source)
        lines.rstrip()
        for line in lines.split("\n", allow_blank=True):
            line.rstrip()
            self.say(line, indent=indent)

    def code(self, title: str, source: str) -> None:
        """A section of code."""
        if source:
            self.heading(title)
            self.listing(source)

    # ---- sections ---------------------------------------------------------------------------------------------------
    def title(self, told: dict[str, Any]) -> None:
        """The function and what became of it."""
        counts, settings = told["counts"], told["settings"]
        parts = [plural(counts[k], k[:-1]) for k in ("graphs", "breaks", "guards", "ops")]
        how = f"mode {settings['mode']}, backend {settings['backend']}"
        self.say((told["function"]["name"], "bold"), ": ", ", ".join(parts), (f" ({how})", MUTED))
        if told["eager"]:
            self.say("It runs eagerly: ", (told["eager"], BAD), ".")
        outcome = told["outcome"]
        if outcome["kind"] == "raised":
            at = outcome["place"]
            self.say("It raised ", (outcome["text"], BAD), f", on line {at['line']}." if at else ".")
        for line in told["recompiles"]:
            self.say("Captured again, for ", (line, AGAIN))

    def function(self, told: dict[str, Any]) -> None:
        """The function, and where its graphs end."""
        breaks: dict[int, list[str]] = {}
        for found in told["breaks"]:
            if found["place"] is not None:
                breaks.setdefault(found["place"]["line"], []).append(found["reason"])
        rows = told["function"]["lines"]
        self.heading("The function")
        for row in rows:
            self.say((f"{row['number']:4d} ", MUTED), row["text"])
            for reason in breaks.pop(row["number"], []):
                self.say(("     ╌╌ graph break: " + reason, BAD))
        for line, reasons in breaks.items():
            for reason in reasons:
                self.say((f"graph break: {reason}", BAD), f" (line {line})", indent=1)

    def guards(self, guards: list[Any]) -> None:
        """What the graphs rely on."""
        if not guards:
            return
        self.heading("The guards")
        width = min(40, max(len(g["stands_for"]) for g in guards))
        for guard in guards:
            for answer in guard["answers"]:
                self.say((guard["stands_for"].ljust(width), NAME), "  ", answer["means"], indent=1)

    def region(self, region: dict[str, Any], told: dict[str, Any]) -> None:
        """A region, stage by stage."""
        graphs = told["graphs"]
        at = region["place"]
        self.heading(f"Region {region['id']}" + (f", from line {at['line']}: {at['text']}" if at else ""))
        self.stage("captured", graphs[region["captured"]]["text"])
        if region["pure"] is None:
            self.say("A number meets several dtypes in it: it runs op by op.", indent=1)
        training = region["training"]
        if training is not None:
            named = ", ".join(f"{primal} is {name}" for primal, name in training["primals"].items())
            self.stage(f"joint: forward and backward ({named})", graphs[training["joint"]]["text"])
        for step in region["steps"]:
            if step["changed"]:
                done = ", ".join(f"{what}: {count}" for what, count in step["done"].items())
                before, after = step["nodes"]
                self.stage(f"{step['name']}: {before} → {after} nodes ({done})", graphs[step["after"]]["text"])
        same = [step["name"] for step in region["steps"] if not step["changed"]]
        if same:
            self.say(("nothing to do for " + ", ".join(dict.fromkeys(same)), MUTED), indent=1)
        if training is not None:
            self.partition(training, graphs)
        for kernel in told["kernels"]:
            if kernel["region"] == region["id"]:
                self.say((f"{kernel['stage']} kernel, {kernel['backend']}", KERNEL), indent=1)
                self.tried(kernel["tried"], indent=2)
                for name, why in kernel["refused"].items():
                    self.say((f"tried {name}: {why}, so it is not used", MUTED), indent=2)
                self.listing(kernel["source"] or "(no source)", indent=2)
                if kernel["cuda"]:
                    self.listing(kernel["cuda"], "cuda", indent=2)
                self.costs(kernel)

    def costs(self, kernel: dict[str, Any]) -> None:
        """What a kernel moves, does and needs; where ops were fused, launch by launch, with a line of code for each."""
        traffic, memory = kernel["traffic"], kernel["memory"]
        for group in kernel["groups"]:
            if group["lines"]:
                self.say((f"{group['name']}: {', '.join(group['nodes'])}", KERNEL), f" ({spent(group)})", indent=2)
                self.listing("\n".join([*(f"# {r}" for r in group["reasons"]), *texts(group)]), indent=3)
                self.tried(group["tried"], indent=3)
        if traffic is not None:
            apart = traffic["op_by_op"]
            saved = f"; op by op {launched(apart)}" if apart["nbytes"] != traffic["nbytes"] else ""
            self.say((f"{launched(traffic)}, {traffic['intensity']:.2f} operations a byte{saved}", MUTED), indent=2)
        if memory is not None and memory["lives"]:
            shared = f"{memory['bound']:,} of them alive at {memory['peak']}; {memory['unshared']:,} without sharing"
            self.say((f"memory plan: {memory['size']:,} bytes, {shared}", MUTED), indent=2)

    def tried(self, seconds: dict[str, float], indent: int) -> None:
        """What the stopwatch said of each way, the fastest first: that one is used."""
        width = max(map(len, seconds), default=0)
        for name, spent in sorted(seconds.items(), key=lambda row: row[1]):
            self.say((f"tried {name.ljust(width)}  {1e6 * spent:9.1f} µs", MUTED), indent=indent)

    def stage(self, title: str, listing: str) -> None:
        """A graph under its title."""
        self.say((title, KERNEL), indent=1)
        self.listing(listing, "text", indent=2)

    def partition(self, training: dict[str, Any], graphs: dict[str, Any]) -> None:
        """How the joint graph was cut."""
        saved = ", ".join(f"{s['name']} {s['facts']}" for s in training["saved"]) or "nothing"
        self.stage(f"forward, which saves {saved} ({training['nbytes']} bytes)", graphs[training["forward"]]["text"])
        again = training["recomputed"]
        self.stage("backward" + (f", which computes {', '.join(again)} again" if again else ""),
                   graphs[training["backward"]]["text"])  # fmt: skip

    def times(self, times: dict[str, float]) -> None:
        """How long each stage took."""
        told = ", ".join(f"{stage} {1e3 * seconds:.2f} ms" for stage, seconds in times.items() if seconds)
        if told:
            self.say()
            self.say(("Times: " + told, MUTED))


def texts(group: dict[str, Any]) -> list[str]:
    """The lines of a launch."""
    return [line["text"] for line in group["lines"]]


def spent(group: dict[str, Any]) -> str:
    """`20,000 bytes, 0.15 operations a byte`."""
    return f"{group['nbytes']:,} bytes, {group['intensity']:.2f} operations a byte"


def launched(traffic: dict[str, Any]) -> str:
    """`3 launches, 36,000 bytes`."""
    return f"{plural(traffic['launches'], 'launch')}, {traffic['nbytes']:,} bytes"
