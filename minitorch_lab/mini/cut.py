"""What backward gets from forward, in the fewest bytes: a minimum cut.

Every value of the forward pass is a pipe as wide as its bytes. Water runs from a source (the inputs, and what is too
costly to be computed twice) along the ops to a sink (what backward reads). The cheapest pipes to cut, so that no water
arrives, are the values to keep. By the theorem of Ford and Fulkerson they are found by filling the pipes: the cut is as
narrow as the flow is strong.
"""

import math

from .graph import reachable


def choose_saved(joint):
    """The values of `joint` that backward gets from forward."""
    early, late = divide(joint)
    network = build_network(joint, early, late)
    near = fill(network)
    return [n for n in early if (n, "in") in near and (n, "out") not in near]


def divide(joint):
    """Of what the cotangents are computed from: the nodes that need no seed, and those that do."""
    *inputs, seed = joint.inputs
    needed, late = reachable(joint.outputs[1:]), {seed}
    for node in joint.nodes:
        if late.intersection(node.inputs):
            late.add(node)
    early = [n for n in [*inputs, *joint.nodes] if n in needed and n not in late]
    return early, [n for n in joint.nodes if n in late and n in needed]


def build_network(joint, early, late):
    """Pipes as {place: {place: width}}. The inputs are there anyway: keeping one costs nothing."""
    network = {"source": {}, "sink": {}}

    def connect(a, b, width):
        network.setdefault(a, {})[b] = width
        network.setdefault(b, {}).setdefault(a, 0)  # water may be sent back

    for node in early:
        connect((node, "in"), (node, "out"), 0 if node.op is None else node.nbytes)
        if node.op is None or node.op.costly:
            connect("source", (node, "in"), math.inf)
        for n in node.inputs:
            if not n.is_constant:
                connect((n, "out"), (node, "in"), math.inf)
    early_set = set(early)
    for n in {n for node in late for n in node.inputs} | set(joint.outputs[1:]):
        if n in early_set:
            connect((n, "out"), "sink", math.inf)
    return network


def fill(network):
    """Send water along one way after another until none is left; return the places that the source still reaches."""
    while True:
        came_from = search(network)
        if "sink" not in came_from:
            return set(came_from)
        way = ["sink"]
        while came_from[way[-1]] is not None:
            way.append(came_from[way[-1]])
        pipes = list(zip(way[1:], way))
        flow = min(network[a][b] for a, b in pipes)
        for a, b in pipes:
            network[a][b] -= flow
            network[b][a] += flow


def search(network):
    """Where water from the source gets, breadth first: {place: the place before it}."""
    came_from, todo = {"source": None}, ["source"]
    for place in todo:
        for to, width in network[place].items():
            if width > 0 and to not in came_from:
                came_from[to] = place
                todo.append(to)
    return came_from
