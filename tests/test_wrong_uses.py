"""Wrong uses of differentiation and of tensors are answered in words that teach."""

from __future__ import annotations

import pytest

from minitorch_lab.errors import MinitorchError
from tests.wrong_uses import USES


@pytest.mark.parametrize("name", USES)
def test_the_text_of(name: str) -> None:
    call, kind, text = USES[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text
    assert isinstance(caught.value, MinitorchError)


def test_every_answer_has_what_was_given_and_the_rule_it_broke() -> None:
    assert len(USES) >= 30
    assert all(len(text.splitlines()) >= 2 for _, _, text in USES.values())
