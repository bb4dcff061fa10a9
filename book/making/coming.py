"""The page *Coming from PyTorch*: what is not here, why, and what to write instead, from the table of the errors."""

from __future__ import annotations

from minitorch_lab.ops.absent import Reason, reasons

HEAD = """\
# Coming from PyTorch

Change the import, and most programs run: `import minitorch_lab as torch`. Names, arguments and errors are PyTorch's;
`axis=`, `keepdims=`, `input=` and `out=` are taken wherever PyTorch takes them. What is not here says so when it is
asked for, in the words below:

```python
>>> ml.fft
AttributeError: In PyTorch, not here: ml.fft. Tensors hold real numbers, not complex ones. Write numpy.fft on x.numpy()
instead.
```

What differs on purpose: a shape is a tuple, a dtype is NumPy's (`x.dtype == ml.float32`), a device is a string that has
`.type`, and random numbers come from [another generator](reference/index.rst), so a seed gives other numbers.
"""


def page() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *map(section, reasons())])


def section(reason: Reason) -> str:
    """What there is to say of the names that are missing for one reason."""
    names = ", ".join(f"`{name}`" for name in reason.names if name not in reason.here)
    alone = [f"- `{name}`: `{here}`" for name, here in reason.here.items()]
    lines = [f"## {reason.why}", f"Write `{reason.instead('name')}` instead.", names, "\n".join(alone)]
    return "\n\n".join(filter(None, lines)) + "\n"
