"""What an error suggests, written as it says in the place of the wrong call, does not raise."""

from __future__ import annotations

import pytest

from tests.wrong_uses.bank import bank
from tests.wrong_uses.follow import follow, suggestions

BANK = {mistake.code: mistake for mistake in bank()}
CASES = [(code, part) for code, mistake in BANK.items() for part in suggestions(mistake.text)]
LEAST = 300  # suggestions that are followed: all but those with a hole that only the reader can fill

# What cannot be followed here, and why the suggestion is right all the same.
FILE = "there is no such file here"
INSIDE = "it speaks of what a function or a tuple of the reader's holds"
EXCEPTIONS = {
    "nn.BCELoss(x, x)": "the line has a second mistake: these are no probabilities",
    "model.summary()": "print gives nothing that could be called",
    'model.load_state_dict("model.pt")': FILE,
    'optim.SGD(model.parameters(), lr=0.1).load_state_dict("opt.pt")': FILE,
    'optim.lr_scheduler.StepLR(optim.SGD(model.parameters(), lr=0.1), 1).load_state_dict("sched.pt")': FILE,
    "ml.tensor([1, 2], requires_grad=True)": INSIDE,
    "x[0][0][0][0]": "it ends the line: what stands behind it goes",
    "for v in ml.tensor(3.0): pass": "it stands for the loop",
    "ml.func.grad(lambda w: w * 2)(w)": INSIDE,
    "ml.func.jvp(lambda w: w.sum(), (w,), (ml.ones(2),))": INSIDE,
    "ml.func.vjp(lambda w: w * 2, w)[1](ml.ones(2))": INSIDE,
}


def test_what_is_suggested_can_be_done() -> None:
    answers = {(code, part): follow(code, part) for code, part in CASES if code not in EXCEPTIONS}
    assert [case for case, answer in answers.items() if answer == ""] == []
    assert sum(bool(answer) for answer in answers.values()) >= LEAST
    assert EXCEPTIONS.keys() <= BANK.keys()


@pytest.mark.parametrize(
    ("code", "wrong", "right"),
    [
        ("nn.Linear(1, 1)(ml.randn(8))", "x.flatten(1)", "x.unsqueeze(1)"),
        ("F.mse_loss(ml.randn(4, 2), ml.randn(4))", "target.reshape(4, 2)", "target.reshape(4, 1).expand(4, 2)"),
        ("nn.MaxPool2d(2)(ml.randn(4))", "x.unsqueeze(0)", "x.reshape(1, 1, 2, 2)"),
        ("F.cross_entropy(x, ml.eye(4))", "target.argmax(dim=2)", "target.argmax(dim=0) % 3"),
        ("ml.randn(2, 3, 4) @ ml.randn(2, 5, 4)", "x @ w.T", "x @ w.mT"),
        ("x.flatten(2)", "dim=1", "start_dim=1"),
        ("nn.Linear(3, 4)(ml.ones(2, 4))", "Linear(2, 4)", "Linear(4, 2)"),
        ("[1, 2, 3][y]", "x.tolist()", "x[0]"),
        ("y.requires_grad = True", "x.requires_grad_()", "x.float().requires_grad_()"),
    ],
)
def test_the_follower_tells_right_from_wrong(code: str, wrong: str, right: str) -> None:
    assert (follow(code, wrong), bool(follow(code, right))) == ("", True)


def test_a_hole_is_no_answer() -> None:
    assert follow("nn.Linear(3)(x)", "Linear(3, out_features)") is None
