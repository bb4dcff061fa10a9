"""What a judge reads of a source is that source, whatever else has come and gone meanwhile."""

from __future__ import annotations

import inspect
import linecache

from minitorch_lab.grade.judging import reference


def test_two_references_are_never_read_as_each_other() -> None:
    for k in range(3):
        linecache.cache[f"<program {k}>"] = (0, None, [], "")
    first = reference("def f():\n    return 1\n")
    for k in range(3):  # as the texts of compiled functions do, when nobody has them any more
        del linecache.cache[f"<program {k}>"]
    others = [reference(f"def g():\n    return {k}\n") for k in range(6)]
    assert inspect.getsource(first.f) == "def f():\n    return 1\n"
    assert [inspect.getsource(other.g) for other in others] == [f"def g():\n    return {k}\n" for k in range(6)]
