"""`autograd.grad`: gradients as a result, instead of added to the leaves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.interpret import stack
from ..errors import GradientError
from ..ops.front import taught
from ..tensors.tensor import Tensor
from .cut import start, target
from .node import Node
from .pullback import OnArrays


@taught
def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    allow_unused: bool | None = None,
    materialize_grads: bool = False,
    only_inputs: bool = True,
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs`, weighted by `grad_outputs` and summed, by each of `inputs`. No `.grad` is touched.

    Args:
        outputs: One tensor or several.
        inputs: Leaves or intermediate tensors that the outputs depend on.
        grad_outputs: One cotangent per output, of its shape; may be left out for single numbers.
        retain_graph: Keep the saved tensors for another pass. If left out, as `create_graph`.
        create_graph: Record the walk itself, so that the gradients can be differentiated.
        allow_unused: Give None for an input that no output depends on, instead of an error.
        materialize_grads: Give zeros for such an input.
        only_inputs: No `.grad` is touched, whatever is asked for.

    Raises:
        GradientError: An input requires no gradient, or no output depends on it; or any cause that `backward` has.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(3.0, requires_grad=True)
        >>> y = x**3
        >>> (slope,) = ml.autograd.grad(y, x, create_graph=True)
        >>> slope, ml.autograd.grad(slope, x)
        (tensor(27., grad_fn=<MulBackward>), (tensor(18.),))
    """
    roots, wanted = as_tuple(outputs), as_tuple(inputs)
    seeds = (None,) * len(roots) if grad_outputs is None else as_tuple(grad_outputs)
    targets = [target(x, i).expose() for i, x in enumerate(wanted)]
    tape: Any = stack.get()
    rules: OnArrays = tape.rules(create_graph if retain_graph is None else retain_graph, create_graph)
    collected = Collecting(rules, targets, [start(root, "autograd.grad") for root in roots])
    starts: dict[Node, Any] = {}
    for root, seed in zip(roots, seeds, strict=True):
        node = start(root, "autograd.grad")
        g = rules.opened(tape.seed(root, seed, "autograd.grad"))
        starts[node] = starts[node] + g if node in starts else g
    tape.drive(starts, collected, rules.ground, create_graph)
    missing = [i for i, node in enumerate(targets) if node not in collected.found]
    if missing and not (materialize_grads if allow_unused is None else allow_unused or materialize_grads):
        raise GradientError(
            f"autograd.grad: no output depends on input {missing[0]}.",
            "Its gradient would be 0 everywhere, which is seldom meant.",
            "Did you mean allow_unused=True? It gives None there.",
        )
    found = tuple(rules.boxed(collected.found[node]) if node in collected.found else None for node in targets)
    if not materialize_grads:
        return found
    return tuple(x.detach() * 0 if g is None else g for g, x in zip(found, wanted, strict=True))


@taught
def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Add to every leaf's `.grad` the gradients of all `tensors`, weighted by `grad_tensors` and summed.

    Args:
        tensors: One tensor or several.
        grad_tensors: One cotangent for each, of its shape; may be left out for single numbers.
        retain_graph: Keep the saved tensors for another walk. If left out, as `create_graph`.
        create_graph: Record the walk itself.
        inputs: The leaves to whose `.grad` is added; all of them if left out.

    Raises:
        GradientError: Nothing requires a gradient, or a tensor is no single number and has no cotangent.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(2.0, requires_grad=True)
        >>> ml.autograd.backward([x * 2, x * 3])
        >>> x.grad
        tensor(5.)
    """
    roots = as_tuple(tensors)
    seeds = (None,) * len(roots) if grad_tensors is None else as_tuple(grad_tensors)
    if inputs is not None:
        wanted = as_tuple(inputs)
        found = grad(roots, wanted, seeds, retain_graph, create_graph, True)
        for x, g in zip(wanted, found, strict=True):
            if g is not None:
                x.grad = g if x.grad is None else x.grad + g
        return
    tape: Any = stack.get()
    retain = create_graph if retain_graph is None else retain_graph
    rules: OnArrays = tape.rules(retain, create_graph)
    starts: dict[Node, Any] = {}
    for root, seed in zip(roots, seeds, strict=True):
        node = start(root, "autograd.backward")
        g = rules.opened(tape.seed(root, seed, "autograd.backward"))
        starts[node] = starts[node] + g if node in starts else g
    tape.drive(starts, rules, rules.ground, create_graph)


class Collecting:
    """Rules that write down what arrives at some nodes, add nothing to any leaf, and go nowhere else."""

    def __init__(self, rules: OnArrays, targets: Sequence[Node], roots: Sequence[Node]) -> None:
        self.rules, self.targets = rules, frozenset(targets)
        self.needed = rules.needed = leading_to(self.targets, roots)
        self.found: dict[Node, Any] = {}
        self.own = rules.own

    def pull(self, node: Node, g: Any) -> list[Any]:
        """Note the cotangent of a node, and run its rules. Where the way ends, the hooks of its tensor come first."""
        last = not any(edge in self.needed for edge in node.edges)
        if last and node.hooks is not None:
            g = self.rules.of_tensor(node, g)
        if node in self.targets:
            self.found[node] = self.rules.own(g)
        if last:
            return [None] * len(node.edges)
        sent = self.rules.pull(node, g)
        return [part if edge in self.needed else None for part, edge in zip(sent, node.edges, strict=True)]

    def arrive(self, leaf: Node, g: Any) -> None:
        """Note what reaches a leaf, after its hooks."""
        if leaf in self.targets:
            self.found[leaf] = self.rules.of_tensor(leaf, g) if leaf.hooks is not None else g


def leading_to(targets: frozenset[Node], roots: Sequence[Node]) -> set[Node]:
    """The targets, and every node from which a walk can reach one. The oldest node is looked at first."""
    seen, stack_ = set(roots), list(roots)
    while stack_:
        for edge in stack_.pop().edges:
            if edge is not None and edge not in seen:
                seen.add(edge)
                stack_.append(edge)
    needed: set[Node] = set()
    for node in sorted(seen, key=lambda n: -n.order):
        if node in targets or any(edge in needed for edge in node.edges):
            needed.add(node)
    return needed


def as_tuple(x: Any) -> tuple[Any, ...]:
    """One or several, as several."""
    return (x,) if isinstance(x, Tensor) or x is None else tuple(x)
