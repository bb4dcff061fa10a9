"""TorchDynamo's way, in small and for real: rewritten bytecode and continuation functions.

Read in this order: `instructions.py` (bytecode as steps), `refusals.py` (what is not taken), `machine.py` (the walk up
to a break) with `values.py` and `attempt.py` (what it knows and may do), `emit.py` (pieces written as steps),
`assemble.py` (steps as a code object), `listing.py` (the text), `rewritten.py` (all of it together).

What is taken to stay as it is: modules and functions by name, and their attributes. Arguments and the names of the
user's module are asked again in every call (`Rewritten.__call__`).

`ml.compile` goes another way. There the program is replayed and no code object is built, since what is shown here has
two weak points: a code object with a mistake takes the interpreter down instead of raising, and a function cannot be
resumed inside `try`, `with` or a loop by jumping there. A lesson may refuse those; a compiler may not.
"""

from .rewritten import Rewritten, rewrite

__all__ = ["Rewritten", "rewrite"]
