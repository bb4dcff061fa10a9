"""Programs for PyTorch run here with the import alone changed, and train to its losses: eager and compiled."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml
from tests.idioms.reading import with_imports_from

pytestmark = pytest.mark.oracle

FOLDER = Path(__file__).parents[1] / "ports"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")


def digits() -> tuple[np.ndarray, np.ndarray]:
    """Pictures of digits, float64, and what they show."""
    whole = ml.data.Digits()
    return whole.images.numpy().astype(np.float64), whole.labels.numpy()


@contextmanager
def same_luck(library: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is drawn while a program trains is the same for every library, and so are the widths of its numbers."""
    rng = np.random.default_rng(3)

    def draw_class(self: Any, sample_shape: Any = ()) -> Any:
        noise = -np.log(-np.log(rng.random(tuple(self.logits.shape))))
        return library.tensor((self.logits.detach().numpy() + noise).argmax(-1))

    with monkeypatch.context() as patch:
        patch.setattr(library.distributions.Categorical, "sample", draw_class)
        patch.setattr(library, "randn_like", lambda x: library.tensor(rng.standard_normal(tuple(x.shape))))
        before = library.get_default_dtype()
        library.set_default_dtype(library.float64)
        try:
            yield
        finally:
            library.set_default_dtype(before)


def program(name: str, library: Any) -> Any:
    """A program as a module, with `library` in place of torch in its imports."""
    text = with_imports_from(library.__name__, (FOLDER / f"{name}.py").read_text("utf-8"))
    module: Any = ModuleType(f"ports.{name}")
    module.digits = digits
    sys.modules[module.__name__] = module  # a dataclass looks itself up there
    exec(compile(text, f"{name}.py", "exec"), vars(module))
    return module


def trained(name: str, library: Any, how: Callable[[Any], Any], states: list[Any], patch: pytest.MonkeyPatch) -> Any:
    """The losses of a run from given weights."""
    library.manual_seed(0)
    with same_luck(library, patch):
        run = program(name, library)
        models = run.models()
        for model, state in zip(models, states, strict=True):
            model.load_state_dict(state)
        return run.train(models, how)


def starting_states(name: str, patch: pytest.MonkeyPatch) -> list[Any]:
    """The weights that PyTorch draws: its own tensors, which load here as they are."""
    torch.manual_seed(0)
    with same_luck(torch, patch):
        return [{k: v.clone() for k, v in model.state_dict().items()} for model in program(name, torch).models()]


@pytest.mark.parametrize("way", ["eager", "compiled"])
@pytest.mark.parametrize("name", NAMES)
def test_it_trains_to_the_losses_of_torch(name: str, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    states = starting_states(name, monkeypatch)
    theirs = trained(name, torch, lambda f: f, states, monkeypatch)
    ours = trained(name, ml, ml.compile if way == "compiled" else lambda f: f, states, monkeypatch)
    assert ours == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    assert theirs[0] != theirs[-1], "it learns nothing"


def test_there_are_ten() -> None:
    assert len(NAMES) == 10
