"""The whole stack in one afternoon: autograd, modules, transforms and a compiler, every idea once. Read this first.

The big package next door does the same, fast and completely, in many more lines. Here each file has one idea, which its
first lines say, and imports only files that come before it. Read them in this order (minutes in brackets):

- `views` [10]: the same bytes, read in another order
- `interpret` [10]: who runs an op? A stack of interpreters
- `shapes` [5]: which shapes fit together
- `ops` [35]: one table of primitive ops, with all that is known of each in its row
- `tensor` [10]: values with operators
- `tape` [30]: write down what runs, then walk it backwards. Here training works: a good place for a break
- `transforms` [30]: grad, jvp and vmap, which nest
- `nn`, `optim` [20]: functions that own parameters, and what moves them. This is all of automatic differentiation
- `graph`, `verify`, `trace` [30]: a program as data, when it is well formed, and how a function becomes one
- `passes` [15]: make it smaller; a rule is two functions
- `joint`, `cut` [25]: forward and backward in one graph, and where to cut it in two
- `fuse` [20]: who shares a loop, and if not, why not
- `loops`, `codegen` [35]: a loop nest as data, its interpreter, and its C
- `plan` [10]: births, deaths and one arena
- `program`, `compiler` [25]: all of it together; guards, and the compiled region as one node of the tape
- `record` [15]: all that tape and programs do, told to the views of the laboratory; the only file that needs the big
  package

That is about five hours. `errors`, the table of all sentences, is for looking things up. Two programs stand in
`examples`: the reader of digits from the tour, and a small GPT.

A file of yours may take the place of any file here. Put it, under the same name, into a folder, and let the variable
MINITORCH_MINI name that folder: Python then finds yours first, and all the others work with it. `names` lists what the
other files use of each.

    >>> from minitorch_lab import mini
    >>> x = mini.tensor([1.0, 2.0], requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 4.])
"""

import os

if "MINITORCH_MINI" in os.environ:
    __path__.insert(0, os.environ["MINITORCH_MINI"])

from .names import check_names

check_names(__name__, os.environ.get("MINITORCH_MINI"))

from . import nn, optim
from .compiler import compile
from .interpret import no_grad
from .record import record
from .tape import tensor
from .transforms import grad, jacfwd, jacrev, jvp, value_and_grad, vjp, vmap

__all__ = [
    "compile",
    "grad",
    "jacfwd",
    "jacrev",
    "jvp",
    "nn",
    "no_grad",
    "optim",
    "record",
    "tensor",
    "value_and_grad",
    "vjp",
    "vmap",
]
