"""From loops to text that a machine can run.

A compiled graph is a Python function of a few lines: each line calls a library, makes a view, or calls a fused kernel.
Kernels are C, compiled by the system's compiler. Without one, the same graph is printed as NumPy calls, so the C is
never more than a faster way to say the same. "The same" includes inf and nan: no flag here lets a compiler assume that
there are none.
"""

import ctypes
import math
import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from . import ops
from .errors import teach
from .loops import Let, Load, Loop, Reduce, Start, Store

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
FLAGS = ["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-shared", "-fPIC"]
HEAD = "#include <math.h>\n#include <tgmath.h>\n"
C_TYPES = {"float32": "float", "float64": "double"}


# ---- C --------------------------------------------------------------------------------------------------------------
def print_kernel(kernel):
    """The C text of a kernel."""
    kind = C_TYPES[str(kernel.outputs[0].dtype)]
    reads = [f"const {kind} *restrict {n}_at" for n in kernel.inputs]
    writes = [f"{kind} *restrict {n}_at" for n in kernel.outputs]
    head = f"void {kernel.name}({', '.join(reads + writes)}) {{"
    return "\n".join([head, *print_statements(kernel.body, kind, "  "), "}"])


def print_statements(body, kind, margin):
    """Yield the lines of C for statements."""
    for one in body:
        match one:
            case Loop(i, extent, inner):
                yield f"{margin}for (long {i} = 0; {i} < {extent}; {i}++) {{"
                yield from print_statements(inner, kind, margin + "  ")
                yield margin + "}"
            case Load(name, buffer, at):
                yield f"{margin}{kind} {name} = {buffer}_at[{print_index(at)}];"
            case Let(name, op, args, params):
                yield f"{margin}{kind} {name} = {op.c.format(*(print_value(a, kind) for a in args), **params)};"
            case Start(name, op):
                yield f"{margin}double {name} = {'0' if op is ops.reduce_sum else '-INFINITY'};"
            case Reduce(name, op, value):
                value = print_value(value, "double")
                keep = f"({value} > {name} || {value} != {value} ? {value} : {name})"
                yield f"{margin}{name} = {f'{name} + {value}' if op is ops.reduce_sum else keep};"
            case Store(buffer, at, value):
                yield f"{margin}{buffer}_at[{print_index(at)}] = {value};"


def print_value(value, kind):
    """A name, or a number of the kernel's kind."""
    if isinstance(value, str):
        return value
    words = {math.inf: "INFINITY", -math.inf: "-INFINITY"}
    return f"({kind}){'NAN' if value != value else words.get(value) or repr(value)}"


def print_index(at):
    """The place in a buffer, as in i0 * 12 + i1."""
    terms = [str(step) if not i else i if step == 1 else f"{i} * {step}" for i, step in at.items() if i or step]
    return " + ".join(terms) or "0"


@cache
def workshop():
    """The folder of this process for what the compiler reads and writes; it goes when Python ends."""
    return TemporaryDirectory(prefix="mini_")


@cache
def compile_c(text):
    """The library that the system's C compiler makes of `text`. The same text is compiled once."""
    source = Path(workshop().name) / f"kernels_{compile_c.cache_info().misses}.c"
    library = source.with_suffix(".so")
    source.write_text(text)
    done = subprocess.run([COMPILER, str(source), "-o", str(library), *FLAGS, "-lm"], capture_output=True, text=True)
    if done.returncode:
        raise teach("compiler", compiler=COMPILER, error=done.stderr.strip(), flags=" ".join(FLAGS))
    return ctypes.CDLL(str(library))


def load_kernel(kernel, library):
    """A kernel of a library as a Python function of arrays."""
    function = getattr(library, kernel.name)
    function.argtypes = [ctypes.c_void_p] * (len(kernel.inputs) + len(kernel.outputs))
    function.restype = None
    return lambda *arrays: function(*(array.ctypes.data for array in arrays))


# ---- Python ---------------------------------------------------------------------------------------------------------
def print_call(node, into_buffer):
    """The NumPy line for one node: into a buffer that is there, or into a new array."""
    args = ", ".join([n.name for n in node.inputs] + [f"{key}={value!r}" for key, value in node.params.items()])
    if not into_buffer:
        return f"{node} = {node.op.name}({args})"
    if node.op is ops.matmul:
        return f"numpy.matmul({args}, out={node})"
    return f"{node}[...] = {node.op.name}({args})"


def load_python(text, names):
    """The function `program` that `text` defines."""
    ours = {"__name__": __name__, "numpy": np, "inf": math.inf, "nan": math.nan}
    space = {**ours, **{name: op.impl for name, op in ops.OPS.items()}, **names}
    exec(compile(text, "<generated>", "exec"), space)
    return space["program"]
