"""What makes a graph well formed, written down once.

A pass that makes a mistake rarely fails where it makes it: the program runs, and a number is wrong. So the rules of the
game are checked after every pass, and the first pass that breaks one is named.
"""

from .errors import teach


def find_faults(graph):
    """Yield what is wrong with `graph`, in words."""
    known, names = set(), set()
    for node in [*graph.inputs, *graph.nodes]:
        if node.name in names:
            yield f"two nodes are called {node.name}"
        names.add(node.name)
        if node.op is not None:
            yield from find_faults_of_node(node, known)
        known.add(node)
    for node in graph.outputs:
        if node not in known and not node.is_constant:
            yield f"it returns {node.name}, which it does not compute"


def find_faults_of_node(node, known):
    """Yield what is wrong with one op: what it reads, and what it says of its result."""
    unknown = [n.name for n in node.inputs if n not in known and not n.is_constant]
    if unknown:
        yield f"{node.name} reads {', '.join(unknown)} before it is there"
        return
    try:
        shape = tuple(node.op.shape(*(n.shape for n in node.inputs), **node.params))
        dtype = node.op.dtype(*(n.weak for n in node.inputs), **node.params)
    except (ValueError, TypeError, IndexError):
        yield f"{node.line()} takes what its op refuses: {node.op.rule.rstrip('.')}"
        return
    if (shape, dtype) != (node.shape, node.dtype):
        yield f"{node.line()} says so, but its op gives {dtype} of shape {shape}"


def verify(graph, after=""):
    """Return `graph` if it is well formed; else raise, naming the first fault and what ran before."""
    for fault in find_faults(graph):
        raise teach("graph", what=fault, after=f" after {after}" if after else "")
    return graph
