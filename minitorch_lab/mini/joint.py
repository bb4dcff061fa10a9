"""Forward and backward in one graph, and the two halves that it is cut into.

Trace a function together with its backward pass and the tape is gone: what is left is one graph of both, which every
pass may simplify as a whole. Then it is cut in two, so that backward can wait; the values that cross the cut are kept
in memory meanwhile. Any choice of them is right, since backward computes again what it lacks: `cut` finds the
cheapest.
"""

from .graph import copy, evaluate
from .trace import Trace
from .transforms import vjp


def trace_joint(graph, wanted=None):
    """The graph of (inputs, cotangent) -> (output, cotangents of the inputs whose numbers are `wanted`)."""
    wanted = range(len(graph.inputs)) if wanted is None else wanted

    def forward_and_backward(*args):
        *inputs, seed = args

        def of_wanted(*some):
            chosen = dict(zip(wanted, some))
            return evaluate(graph, *(chosen.get(k, x) for k, x in enumerate(inputs)))[0]

        out, pull_back = vjp(of_wanted, *(inputs[k] for k in wanted))
        return (out, *pull_back(seed))

    return Trace(forward_and_backward, [*graph.inputs, graph.outputs[0]]).graph


def split(joint, saved):
    """The graph inputs -> (output, *saved), and the graph (*saved, seed) -> cotangents."""
    *inputs, seed = joint.inputs
    out, *cotangents = joint.outputs
    forward = copy(joint, inputs=inputs, outputs=[out, *saved])
    backward = copy(joint, inputs=[*saved, seed], outputs=cotangents)
    return forward, backward
