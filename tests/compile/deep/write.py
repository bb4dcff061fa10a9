"""Writing random programs. Each has some of the features, so that few features meet often (swarm testing).

A template is a piece of Python with holes: `$t` a tensor of floats, `$s` one without axes, `$v` a variable that holds
one, `$i` an int, `$f` a float, `$c` a condition, `$k` a small int, `$o` one of two objects, `$p` a parameter to be
trained, `$m` a condition that asks a tensor, `$u` a fresh name. Whole blocks stand below heads, which end in a colon.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from tests.compile.deep import features

HOLE = re.compile(r"\$([a-z])")
VARIABLES = ("x", "y", "z")
ALWAYS = ("core",)


@dataclass
class Grammar:
    """What the features of one program offer, together."""

    chosen: list[features.Feature]
    r: random.Random
    most: int  # statements
    fresh: int = 0
    names: list[str] = field(default_factory=list)
    result: str = "[]"

    @property
    def made(self) -> set[str]:
        """The names of the world."""
        return {name.strip() for line in self.offer("world") for name in line.partition(" = ")[0].split(",")}

    def offer(self, kind: str) -> list[str]:
        return [template for feature in self.chosen for template in getattr(feature, kind)]

    def pick(self, kind: str) -> str:
        """A template: of every feature alike, however many it has."""
        offers = [offer for feature in self.chosen if (offer := getattr(feature, kind))]
        return self.r.choice(self.r.choice(offers))

    def fill(self, template: str, depth: int = 0) -> str:
        if "$u" in template:
            self.fresh += 1
            template = template.replace("$u", f"u{self.fresh}")
        quoted = "f'" in template  # where Python 3.11 takes no second quote of that kind
        filled = (lambda text: text.replace("'", '"')) if quoted else str
        return HOLE.sub(lambda hole: filled(self.hole(hole[1], depth + 1)), template)

    def hole(self, kind: str, depth: int) -> str:
        r = self.r
        simple = depth > 2 or r.random() < 0.35 * depth
        match kind:
            case "v":
                return r.choice(VARIABLES)
            case "k":
                return str(r.randint(1, 3))
            case "o":
                return r.choice("bc")
            case "p":
                return r.choice(self.offer("parameters"))
            case "s":
                return self.fill(r.choice(["($t).sum()", "($t).mean()", "(($t) * $t).sum()"]), depth)
            case "m":
                return f"{self.hole('s', depth)} {r.choice('<>')} {r.randint(-6, 12) / 2 + 0.137}"
            case _:
                kinds = {"t": "tensors", "i": "ints", "f": "floats", "c": "conditions"}[kind]
                short = {"t": ["x", "y", "z"], "i": ["n", "2"], "f": ["k", "0.5"], "c": ["n > 2", "k < 1.5"]}[kind]
                return r.choice(short) if simple else f"({self.fill(self.pick(kinds), depth)})"

    # ---- statements ---------------------------------------------------------------------------------------------
    def block(self, depth: int, loop: bool, most: int = 3) -> list[str]:
        return [line for _ in range(self.r.randint(1, most)) for line in self.statement(depth, loop)]

    def statement(self, depth: int, loop: bool) -> list[str]:
        pad, p = "    " * depth, self.r.random()
        if p < 0.7 or depth > 3:
            return self.lines(self.pick("statements"), pad)
        if p < 0.8:
            return self.branch(pad, depth, loop)
        if p < 0.97:
            head = self.fill(self.pick("heads"))
            inner = loop or head.startswith(("for", "while"))
            lines = [pad + head, *self.block(depth + 1, inner)]
            return self.tried(lines, pad, depth, loop) if head == "try:" else lines
        ends = ["return $r", "raise ValueError(n)", *(["break", "continue"] * 2 if loop else [])]
        return [pad + self.r.choice(ends).replace("$r", self.result)]

    def lines(self, template: str, pad: str) -> list[str]:
        return [pad + line for line in self.fill(template).split("\n")]

    def branch(self, pad: str, depth: int, loop: bool) -> list[str]:
        condition = self.fill(self.r.choice(["$c", "$c", "$m"]))
        lines = [pad + f"if {condition}:", *self.block(depth + 1, loop)]
        return lines + ([pad + "else:", *self.block(depth + 1, loop)] if self.r.random() < 0.4 else [])

    def tried(self, lines: list[str], pad: str, depth: int, loop: bool) -> list[str]:
        error = self.r.choice(["KeyError", "Exception", "(IndexError, ValueError)", "ZeroDivisionError"])
        if self.r.random() < 0.85:
            caught = self.r.choice([[], [pad + "    log.append(type(e).__name__)"]])
            lines += [pad + f"except {error} as e:", *caught, *self.block(depth + 1, loop, 2)]
            if self.r.random() < 0.3:
                lines += [pad + "else:", *self.block(depth + 1, loop, 1)]
            if self.r.random() < 0.5:
                return lines
        return [*lines, pad + "finally:", *self.block(depth + 1, False, 2)]

    # ---- the whole ----------------------------------------------------------------------------------------------
    def function(self, name: str, arguments: list[str], depth: int) -> list[str]:
        pad = "    " * (depth + 1)
        numbers = [n for n in ("n", "k") if n not in arguments]
        lines = [f"{pad}{n} = {'0.5' if n == 'k' else self.r.randint(0, 4)}" for n in numbers if self.r.random() < 0.6]
        lines += [f"{pad}z = x * 1"]
        self.result = self.results()
        for _ in range(self.r.randint(1, self.most)):
            lines += self.statement(depth + 1, False)
        stored = set(re.findall(r"(?<![\w.\[('])(\w+)(?=(?:, \w+)* [-+*/%|]?= )", "\n".join(lines)))
        world = sorted((stored & self.made) - set(arguments) - {n for n in numbers if lines[0].strip().startswith(n)})
        shared = [f"{pad}global {', '.join(world)}"] if world else []
        return ["    " * depth + f"def {name}({', '.join(arguments)}):", *shared, *lines, f"{pad}return {self.result}"]

    def results(self) -> str:
        tensors = [self.fill(self.r.choice(["$v", "$v", "$t", "$s"])) for _ in range(self.r.randint(2, 3))]
        others = [self.fill(other) for other in self.r.sample(["n", *self.offer("results")], self.r.randint(0, 2))]
        return f"[{', '.join([*tensors, *others])}]"


def array(r: random.Random, rows: int) -> str:
    row = lambda: [r.randint(-8, 8) / 4 for _ in range(3)]  # noqa: E731
    return f"ml.tensor({[row() for _ in range(rows)] if rows else row()})"


def argument(r: random.Random, rows: int) -> str:
    """The text of an argument: most are float32, and some are leaves."""
    text, p = array(r, rows), r.random()
    if p < 0.3:
        return f"{text}.requires_grad_()"
    if p < 0.4:
        return text + r.choice([".double()", ".long()", ".bool()", ".int()", ".double().requires_grad_()", ".half()"])
    if p < 0.5:
        return r.choice([f"ml.stack([{text}] * 2, -1)[..., 0]", f"({text}.requires_grad_() * 1)", f"{text}.flip(-1)"])
    return text


def program(seed: int, only: tuple[str, ...] = ()) -> str:
    """The text of a program."""
    r = random.Random(seed)
    others = [name for name in features.ALL if name not in ALWAYS]
    size = r.choice([1, 1, 2, 2, 3, 4])
    names = [*ALWAYS, *(only or r.sample(others, size))]
    needed = [more for name in names for more in features.ALL[name].needs if more not in names]
    chosen = [features.ALL[name] for name in dict.fromkeys(needed + names)]
    grammar = Grammar(chosen, r, 2 * size)
    world = [line for feature in chosen for line in feature.world]
    passed = [name for feature in chosen for name in feature.passed if r.random() < 0.6]
    numbers = r.choice([[], ["n", "k"], ["n"]])
    arguments = ["x", "y", *numbers, *passed]
    lines = [f"# {seed}: {', '.join(names)}", "import minitorch_lab as ml"]
    lines += [*(feature.prelude.strip("\n") for feature in chosen if feature.prelude), *world]
    lines += definition(grammar, arguments)
    rows = [r.choice([0, 2, 3]) for _ in range(2)]
    for _ in range(r.choice([3, 3, 4, 5])):
        if r.random() < 0.25:
            rows = [r.choice([0, 1, 2, 3, 4]), rows[1]] if r.random() < 0.5 else [r.choice([2, 3, 4, 5])] * 2
        lines += call(grammar, arguments, rows)
    return "\n".join(lines) + "\n"


def definition(grammar: Grammar, arguments: list[str]) -> list[str]:
    """The function, as one of a module, of a closure or of an object."""
    p = grammar.r.random()
    if p < 0.7:
        return ["", *grammar.function("f", arguments, 0), "", "f = compile(f)"]
    if p < 0.85:
        free = [name for name in ("log", "b") if name in grammar.made and name not in arguments]
        inner = grammar.function("inner", arguments, 1)
        again = [name for name in free if not any(line.strip() == f"global {name}" for line in inner)]
        inner[1:1] = [f"        nonlocal {', '.join(again)}"] if free and grammar.r.random() < 0.5 and again else []
        closed = f"make({', '.join(free)})"
        return ["", f"def {closed}:", *inner, "    return inner", "", f"f = compile({closed})"]
    inner = grammar.function("forward", ["self", *arguments], 1)
    inner.insert(2, f"        self.{grammar.r.choice(['calls += 1', 'last = x', 'last = z'])}")
    owner = ["", "owner = Owner()", "f = compile(owner.forward)"]
    return ["", "class Owner:", "    calls, last = 0, None", *inner, *owner]


def call(grammar: Grammar, arguments: list[str], rows: list[int]) -> list[str]:
    """One call, what changes in the world before it, and what is done with its results."""
    r, p = grammar.r, grammar.r.random()
    lines = [grammar.fill(grammar.pick("between")) for _ in range(r.choice([0, 0, 1, 1, 2]))]
    lines += [f"x = {argument(r, rows[0])}"] if p < 0.8 else []
    lines += [f"y = {argument(r, rows[1])}"] if p > 0.3 or "y" not in grammar.names else []
    grammar.names.append("y")
    values = {"n": r.choice(["1", "2", "3", "0", "5", "True", "4"]), "k": r.choice(["0.5", "1.5", "2.0", "1", "-0.25"])}
    given = [values.get(name, name) for name in arguments]
    if r.random() < 0.2:
        given = [*given[:2], *(f"{name}={v}" for name, v in zip(arguments[2:], given[2:], strict=True))]
    if "x" not in grammar.names and p >= 0.8:
        lines.insert(0, f"x = {argument(r, rows[0])}")
    grammar.names.append("x")
    lines.append(f"r = f({', '.join(given)})")
    return lines + [grammar.fill(grammar.pick("after")) for _ in range(r.choice([0, 1, 1, 2, 3]))]
