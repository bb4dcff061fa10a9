"""The checks of the lesson "Backward": the order of the walk, and the walk itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ...autograd.node import Leaf, Node
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..own import own_op
from ..unaided import unaided
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from ..walks import Account, nodes_of, pull, root_of, walk_in
from .rules import check_cube, check_ratio

__all__ = ["check_cube", "check_order", "check_ratio", "check_walk", "order_of", "own_op", "pull"]

Order = Callable[[Any], Sequence[Any]]


def order_of(root: Node) -> list[Node]:
    """A right order, for those who start here: every node once, after all of its readers. Leaves are in it.

    Example:
        >>> x = tensor(2.0, requires_grad=True)
        >>> [node.name() for node in order_of(root_of(x.exp() * 3))]
        ['MulBackward', 'ExpBackward', 'AccumulateGrad']
    """
    return nodes_of(root)


# ---- programs to walk -----------------------------------------------------------------------------------------------


def product(v: Tensor) -> Tensor:
    """v · (1 + v): mul reads v itself, and add reads it too."""
    return v * (1 + v)


def ladder(v: Tensor) -> Tensor:
    """v has a reader right under the root, and another one two ops further down."""
    return v + (v * 3).sin()


def mirror(v: Tensor) -> Tensor:
    """The same, with the long way first."""
    return (v * 3).sin() + v


def square(v: Tensor) -> Tensor:
    """Two edges from one node to another."""
    return v * v


def flat(v: Tensor) -> Tensor:
    """What is sent back is 0, which arrives like any other number."""
    return (v * 30).tanh()


def falling(v: Tensor) -> Tensor:
    """What is sent back is below 0 on one way, and above on another."""
    return v * (1 - v)


PROGRAMS = {
    "v * (1 + v)": product, "v + (v * 3).sin()": ladder, "(v * 3).sin() + v": mirror, "v * v": square,
    "v * (1 - v)": falling,
}  # fmt: skip


def program(body: Callable[[Tensor], Tensor]) -> tuple[Node, Node]:
    """Root and leaf of `body(exp(x))` at x = ln 2, so that v is 2."""
    x = tensor(2.0).log().detach().requires_grad_()
    root = root_of(body(x.exp()))
    return root, leaf_of(root)


def leaf_of(root: Node) -> Node:
    """The one leaf behind `root`."""
    return next(node for node in nodes_of(root) if isinstance(node, Leaf))


# ---- the order ------------------------------------------------------------------------------------------------------


@answering
@unaided(nodes_of, instead="Go from a node to its next_functions, and put it into the list after all of its readers.")
def check_order(order: Order) -> Verdict:
    """Check the reader's order by walking in it, over several programs."""
    for line, body in PROGRAMS.items():
        root, leaf = program(body)
        given, error = attempt(order, root)
        if error is not None:
            return order_stopped(error)
        if not isinstance(given, Iterable) or isinstance(given, str | Tensor):
            return not_yet(f"your order is {described(given)}. It is a list of nodes: did you return the list?")
        listed = list(given)
        if line == "v * (1 + v)" and (not listed or listed == [root]):
            return unwritten("your order holds the root alone, so nothing after it runs.")
        problem = badly_listed(root, listed) or badly_walked(line, root, leaf, listed)
        if problem is not None:
            return not_yet(problem)
    return done(f"every node ran after all of its readers, in {len(PROGRAMS)} programs. This is a topological order.")


def order_stopped(error: Exception) -> Verdict:
    """The reader's order ended with an exception."""
    if "NoneType" in str(error):
        return not_yet("you followed an edge to nowhere. In next_functions, None stands for a constant: skip it.")
    if "tuple" in str(error):
        return not_yet("next_functions holds pairs (node, number). You used a pair as a node: take its first part.")
    if isinstance(error, RecursionError):
        return not_yet("your order never ends. Does it stop at a node whose next_functions are empty?")
    return stopped("your order", error)


def badly_listed(root: Node, listed: list[Any]) -> str | None:
    """Whether this is no list of the nodes at all."""
    strange = next((thing for thing in listed if not isinstance(thing, Node)), root)
    if strange is None:
        return "there is a None in your list: an edge that leads to a constant is no node."
    if not isinstance(strange, Node):
        return f"your list holds {described(strange)}. It should hold nodes: from each pair, the first part."
    if listed[-1] is root and len(listed) > 1:
        return "the root stands last. That is the order of the forward pass. Backward starts at the root."
    if listed[0] is not root:
        return "your list does not start at the root, the only node that has its cotangent from the beginning."
    twice = next((node for node in listed if listed.count(node) > 1), None)
    if twice is not None:
        return f"{twice.name()} stands in your list {listed.count(twice)} times. A node runs once, when it has all."
    missing = [node for node in nodes_of(root) if node not in listed and not isinstance(node, Leaf)]
    if missing:
        return f"{missing[0].name()} is not in your list, so it never runs, and what it holds goes no further."
    return None


def badly_walked(line: str, root: Node, leaf: Node, listed: list[Node]) -> str | None:
    """Which node ran too early, and what came of it."""
    right = walk_in(root, nodes_of(root)).leaves[leaf]
    account = walk_in(root, listed)
    if not account.late:
        return None
    reader, early = account.late[0]
    return (
        f"in y = {line} you visited {short(early)} before {short(reader)}: {early_value(account, root, early)} "
        f"The gradient came out as {account.leaves.get(leaf, 0.0):.4g} instead of {right:.4g}."
    )


def early_value(account: Account, root: Node, early: Node) -> str:
    """What the node that ran too early had then."""
    parts = sum(edge is early for node in nodes_of(root) for edge in node.edges)
    what = "v" if short(early) == "exp" else f"what {short(early)} made"
    had = account.held[early]
    return f"{what} held {'none' if not had else f'only {counted(had)}'} of its {counted(parts)} parts."


def counted(n: int) -> str:
    """A small number as a word."""
    return {1: "one", 2: "two", 3: "three"}.get(n, str(n))


def short(node: Node) -> str:
    """`exp` for ExpBackward: the name that the views use."""
    return node.op.name if node.op is not None else "the leaf"


# ---- the walk -------------------------------------------------------------------------------------------------------

Walk = Callable[[Any, Any], Any]


@answering
@unaided(walk_in, instead="Run the nodes in order with lesson.pull, and add what each one sends.")
def check_walk(gradients: Walk) -> Verdict:
    """Check the reader's walk: `gradients(root, order)` gives a dict from node to what arrived there."""
    for line, body in (PROGRAMS | {"(v * 30).tanh()": flat}).items():
        root, leaf = program(body)
        order = nodes_of(root)
        right = walk_in(root, order).leaves[leaf]
        held, error = attempt(gradients, root, order)
        if error is not None:
            return walk_stopped(error)
        if not isinstance(held, dict):
            return not_yet(f"your walk returns {described(held)}. Return the dict of what arrived where.")
        if odd := [key for key in held if not isinstance(key, Node)]:
            return not_yet(f"a key of your dict is {described(odd[0])}. The keys are the nodes themselves: two may "
                           "have one name.")  # fmt: skip
        if leaf not in held:
            if set(held) <= {root}:
                return unwritten("only the root has something. Run the nodes in order, and hold what each one sends.")
            rest = "it sends nothing on" if right else "here it is 0, which is a number as any"
            return not_yet(f"the leaf is not in your dict. What comes to a leaf is held too; only, {rest}.")
        found, error = attempt(float, held[leaf])
        if error is not None:
            return not_yet(f"the leaf holds {described(held[leaf])}. A node holds one number: what comes is added "
                           "to what is there.")  # fmt: skip
        if not abs(found - right) <= 1e-4 * abs(right):
            return not_yet(walked_wrong(line, root, order, found, right))
        if said := inside_problem(line, root, order, held):
            return not_yet(said)
    runs = runs_of(gradients)
    if runs > 1:
        return not_yet(
            f"right, but a node with {PATHS} ways from the root ran {runs} times: you go along every way. In the order "
            "each node runs once, on the sum of what has come by then."
        )
    return done("you wrote reverse mode: run each node on the sum of its parts, and add what it sends to its inputs.")


DOUBLINGS = 8
PATHS = 2**DOUBLINGS


def runs_of(gradients: Walk) -> int:
    """How often a node runs to which many ways lead."""
    runs: list[Any] = []

    def rule(g: Any) -> Any:
        runs.append(g)
        return g

    v = own_op("counted", lambda x: x, rule)(tensor(1.0, requires_grad=True))
    for _ in range(DOUBLINGS):
        v = v + v
    root = root_of(v)
    gradients(root, nodes_of(root))
    return len(runs)


def inside_problem(line: str, root: Node, order: list[Node], held: dict[Any, Any]) -> str | None:
    """Whether a node that is no leaf is missing from the dict, or holds another number than what came to it."""
    for node, right in holding(root, order, lambda old, new: old + new).items():
        found, error = attempt(lambda node=node: float(held[node]))
        if isinstance(error, KeyError):
            return (
                f"{node.name()} is not in your dict. Return for each node what has arrived there, not for the leaf "
                "alone."
            )
        if found is None or not abs(found - right) <= 1e-4 * max(1.0, abs(right)):
            return f"in y = {line} the leaf is right, and {node.name()} holds {held[node]}: {right:.4g} arrived there."
    return None


def walk_stopped(error: Exception) -> Verdict:
    """The reader's walk ended with an exception."""
    if isinstance(error, KeyError) and isinstance(error.args[0], Node):
        return not_yet(
            f"you asked for what {error.args[0].name()} holds before anything had been put there. The first part needs "
            "a place to be added to: held.get(node, 0)."
        )
    if "NoneType" in str(error):
        return not_yet("a part or a node is None: that edge leads to a constant, and nothing is sent there. Skip it.")
    if "tuple" in str(error):
        return not_yet("next_functions holds pairs (node, number). You used a pair as a node: take its first part.")
    return stopped("your walk", error)


def walked_wrong(line: str, root: Node, order: list[Node], found: float, right: float) -> str:
    """The thought that leads to `found` instead of `right`."""
    came = f"in y = {line} the gradient came out as {found:.4g} instead of {right:.4g}."
    thoughts = {
        "you overwrote instead of adding": lambda old, new: new,
        "you kept the first part and left the second one out": lambda old, new: old,
        "you multiplied the parts. They are added": lambda old, new: old * new,
    }
    for words, joined in thoughts.items():
        if abs(simulated(root, order, joined) - found) <= 1e-4 * max(1.0, abs(found)):
            return f"{words}: {came} v was read twice, and what each reader sends back is added."
    return f"{came} Does each node run on all that it holds, once, in the given order?"


def simulated(root: Node, order: list[Node], joined: Callable[[float, float], float]) -> float:
    """The gradient that a walk finds if two parts are joined in this way."""
    return holding(root, order, joined)[leaf_of(root)]


def holding(root: Node, order: list[Node], joined: Callable[[float, float], float]) -> dict[Node, float]:
    """What each node holds at the end of such a walk."""
    held: dict[Node, float] = {root: 1.0}
    for node in order:
        for edge, part in zip(node.edges, pull(node, held[node]), strict=False):
            if edge is not None:
                held[edge] = joined(held[edge], part) if edge in held else part
    return held
