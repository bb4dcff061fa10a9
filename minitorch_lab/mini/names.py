"""What the other files use of each file, in the order in which the files import each other.

A file of a student's takes the place of ours if it defines these names; what else it defines is its own affair.
"""

import os
from importlib import import_module

from .errors import teach

NAMES = {
    "views": "View",
    "interpret": "Interpreter NUMBERS below bind check_numbers explain interpreting no_grad stack",
    "shapes": "broadcast_shape crop_shape expand_shape matmul_shape pad_shape permute_shape refuse reshape_shape"
    " size_of",
    "ops": "OPS add crop detach div exp expand full_like greater log matmul mul neg permute power reduce_max"
    " reduce_sum relu reshape shape_of sin sub take tanh transpose unbroadcast",
    "tensor": "Tensor Value",
    "tape": "Tape TapeNode Walk require_floats sort_nodes tape tensor",
    "transforms": "grad jacfwd jacrev jvp value_and_grad vjp vmap",
    "nn": "",
    "optim": "",
    "graph": "Graph copy evaluate reachable show typed",
    "verify": "verify",
    "trace": "Symbol Trace Tracer",
    "passes": "simplify",
    "joint": "split trace_joint",
    "cut": "choose_saved",
    "fuse": "Fuser VIEWS is_row_reduction",
    "loops": "Let Load Loop Lowering Reduce Start Store interpret",
    "codegen": "COMPILER HEAD compile_c load_kernel load_python print_call print_kernel",
    "plan": "ALIGNMENT find_lives lower_bound place",
    "program": "Program TARGETS",
    "compiler": "compile",
    "record": "record",
}
NAMES = {name: words.split() for name, words in NAMES.items()}


def check_names(package, folder):
    """Import all files in order, and refuse a student's file that lacks a name before another file misses it."""
    if folder is None:
        return
    theirs = {name for name in NAMES if os.path.exists(os.path.join(folder, f"{name}.py"))}
    if not theirs:
        raise teach("folder", folder=folder, files=", ".join(f"{name}.py" for name in NAMES))
    for name in NAMES:
        module = import_module(f"{package}.{name}")
        missing = [wanted for wanted in NAMES[name] if not hasattr(module, wanted)]
        if missing:
            raise teach("missing", path=module.__file__, names=", ".join(missing), file=name)
