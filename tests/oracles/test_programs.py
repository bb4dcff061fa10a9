"""The ten training programs beside PyTorch: the same text, weights, batches and noise give the same losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from tests.programs import NAMES
from tests.programs.running import program, program_in_torch, tensors

torch: Any = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
SIZES = [8, 8, 12, 7, 1, 16, 5, 9]


class Noise:
    """Draws that both libraries get."""

    def __init__(self, library: Any) -> None:
        self.library, self.rng = library, np.random.default_rng(1)

    def drawn(self, shape: Any) -> Any:
        return self.library.tensor(self.rng.standard_normal(tuple(shape)).tolist(), dtype=self.library.float64)

    def functions(self) -> dict[str, Any]:
        whole = lambda low, high, size: self.library.tensor(self.rng.integers(low, high, tuple(size)).tolist())  # noqa: E731
        return {
            "randn": lambda *shape, dtype: self.drawn(shape),
            "randn_like": lambda x: self.drawn(x.shape),
            "randint": whole,
        }


@pytest.mark.parametrize("name", NAMES)
def test_it_trains_to_the_losses_of_torch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = program_in_torch(name, Noise(torch).functions())
    ours = program(name)
    for function, replaced in Noise(ml).functions().items():
        monkeypatch.setattr(ml, function, replaced)
    step, batch, nets = ours.make(lambda f: f, ml.float64)
    their_step, _, their_nets = theirs.make(lambda f: f, torch.float64)
    for net, other in zip(nets, their_nets, strict=True):
        weights = {k: torch.tensor(v.tolist(), dtype=torch.float64) for k, v in net.state_dict().items()}
        other.load_state_dict(weights, strict=False)  # what counts batches is theirs alone
    rng = np.random.default_rng(0)
    for n in SIZES:
        arrays = batch(rng, n)
        got, want = step(*tensors(ml, arrays, ml.float64)), their_step(*tensors(torch, arrays, torch.float64))
        assert got == pytest.approx(want, rel=1e-9, abs=1e-12)
