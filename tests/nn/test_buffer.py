"""Buffers by assignment: what is kept with the state, and what stays of that when another tensor is assigned."""

import copy

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError


def model():
    made = nn.Module()
    made.kept = nn.Buffer(ml.ones(2))
    made.passing = nn.Buffer(ml.ones(2), persistent=False)
    return made


def test_a_buffer_registers_itself():
    made, own = nn.Module(), nn.Buffer(ml.ones(2))
    made.own = own
    assert made.own is own
    assert [name for name, _ in made.named_buffers()] == ["own"]
    assert list(made.parameters()) == []
    assert type(own + 1) is ml.Tensor


@pytest.mark.parametrize("change", [lambda m: m, copy.deepcopy, lambda m: m.double()])
def test_what_is_assigned_later_is_kept_as_before(change):
    made = change(model())
    made.kept, made.passing = ml.zeros(3), ml.zeros(3)
    assert [name for name, _ in made.named_buffers()] == ["kept", "passing"]
    assert list(made.state_dict()) == ["kept"]


def test_a_name_that_is_registered_anew_counts_anew():
    made = model()
    made.register_buffer("passing", ml.zeros(2))
    assert list(made.state_dict()) == ["kept", "passing"]
    made.kept = nn.Parameter(ml.zeros(2))
    assert [name for name, _ in made.named_buffers()] == ["passing"]


def test_it_shares_memory_and_may_be_copied():
    x = ml.ones(2)
    buffer = nn.Buffer(x, persistent=False)
    x.add_(1)
    assert buffer.tolist() == [2.0, 2.0]
    twin = copy.deepcopy(buffer)
    assert (type(twin), twin.persistent, twin.tolist()) == (nn.Buffer, False, [2.0, 2.0])


def test_it_is_made_from_a_tensor():
    with pytest.raises(ArgumentError) as caught:
        nn.Buffer([1.0])
    assert str(caught.value).endswith("A buffer is made from a tensor.\n  Did you mean Buffer(ml.tensor(data))?")
