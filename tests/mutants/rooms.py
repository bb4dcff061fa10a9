"""What is changed, and the tests that should notice: those of its own room."""

from __future__ import annotations

from dataclasses import dataclass
from glob import glob
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENGINE = "minitorch_lab"


@dataclass(frozen=True)
class Room:
    """Files of the engine, and files of tests."""

    files: tuple[str, ...]
    tests: tuple[str, ...]

    def sources(self) -> list[str]:
        return sorted(p for pattern in self.files for p in glob(f"{ENGINE}/{pattern}", root_dir=ROOT) if "__" not in p)


FOUND = ("tests/compile/test_deep.py::test_a_program_that_once_differed",)


def tests(*names: str) -> tuple[str, ...]:
    return tuple(f"tests/compile/test_{name}.py" for name in names)


ROOMS = {
    "walks": Room(
        ("compiler/autodiff/walked.py", "compiler/autodiff/aot.py", "compiler/autodiff/partition.py",
         "compiler/runtime/region.py", "compiler/runtime/results.py"),
        tests(
            "aot", "walks", "region", "compile_training", "inplace", "custom", "watched_results", "grad_modes"
        ) + FOUND,
    ),
    "passes": Room(
        ("compiler/passes/*.py",),
        tests("passes", "model_passes", "patterns", "decompose", "pipeline", "passes_fuzz", "freed"),
    ),
    "guards": Room(
        ("compiler/capture/bytecode/guards.py", "compiler/capture/bytecode/predicate.py",
         "compiler/capture/bytecode/shapes.py", "compiler/capture/bytecode/wording.py"),
        tests("bytecode", "questions", "dynamic", "numbers", "explain") + FOUND,
    ),
    "schedule": Room(
        ("compiler/schedule/*.py",),
        tests("schedule", "short_rows", "story", "contractions", "gaps", "slices", "inplace", "llvm_backend", "plan"),
    ),
    "rules": Room(
        ("ops/*.py",),
        ("tests/ops", "tests/autograd"),
    ),
}  # fmt: skip
