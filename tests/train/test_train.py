"""fit and evaluate: what they do, in what order, and how well a small network learns the digits."""

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError
from minitorch_lab.train import Callback, History, evaluate, fit


def line(n=20):
    x = ml.linspace(-1, 1, n).reshape(n, 1)
    return ml.data.TensorDataset(x, 3 * x + 1)


def fitted(loader, callbacks=(), epochs=2, model=None, **more):
    model = model or nn.Linear(1, 1)
    optimizer = ml.optim.SGD(model.parameters(), lr=0.1)
    return model, fit(model, loader, loss=nn.MSELoss(), optimizer=optimizer, epochs=epochs, callbacks=callbacks, **more)


class Diary(Callback):
    def __init__(self):
        self.lines = []

    def on_start(self, history):
        self.lines.append(("start", len(history.losses)))

    def on_step(self, history):
        self.lines.append(("step", len(history.losses)))

    def on_epoch(self, history):
        self.lines.append(("epoch", history.epoch))

    def on_end(self, history):
        self.lines.append(("end", len(history.losses)))


def test_fit_is_the_loop_written_by_hand():
    ml.manual_seed(1)
    model, history = fitted(ml.data.DataLoader(line(), batch_size=6, shuffle=True), epochs=3)
    ml.manual_seed(1)
    hand = nn.Linear(1, 1)
    losses = []
    loader = ml.data.DataLoader(line(), batch_size=6, shuffle=True)
    for _ in range(3):
        for x, y in loader:
            loss = ((hand(x) - y) ** 2).mean()
            weight, bias = hand.weight, hand.bias
            weight.grad = bias.grad = None
            loss.backward()
            with ml.no_grad():
                weight -= 0.1 * weight.grad
                bias -= 0.1 * bias.grad
            losses.append(loss.item())
    assert history.losses == pytest.approx(losses, rel=1e-6)
    assert model.weight.item() == pytest.approx(hand.weight.item(), rel=1e-6)
    assert (history.epochs, history.steps_per_epoch, history.epoch, history.accuracies) == (3, 4, 3, [])


def test_a_step_of_one_s_own_takes_the_place_of_the_usual_one():
    ml.manual_seed(1)
    usual, wanted = fitted(ml.data.DataLoader(line(), batch_size=6, shuffle=True), epochs=2)
    ml.manual_seed(1)
    model = nn.Linear(1, 1)
    optimizer = ml.optim.SGD(model.parameters(), lr=0.1)

    def step(x, target):
        optimizer.zero_grad()
        value = nn.functional.mse_loss(model(x), target)
        value.backward()
        optimizer.step()
        return value.detach()

    diary = Diary()
    loader = ml.data.DataLoader(line(), batch_size=6, shuffle=True)
    history = fit(model, loader, loss=nn.MSELoss(), optimizer=optimizer, epochs=2, callbacks=[diary], train_step=step)
    assert history.losses == wanted.losses
    assert all(isinstance(value, float) for value in history.losses)
    assert model.weight.item() == usual.weight.item()
    assert [what for what, _ in diary.lines] == ["start", *["step"] * 4, "epoch", *["step"] * 4, "epoch", "end"]


def test_a_step_of_one_s_own_that_returns_no_loss_is_told_so():
    with pytest.raises(ArgumentError) as caught:
        fitted(ml.data.DataLoader(line(), batch_size=5), train_step=lambda x, target: None)
    assert str(caught.value) == (
        "fit's train_step returned None.\n"
        "  It returns the loss of its batch, a single number, which the history keeps.\n"
        "  Did you mean return value.item()?"
    )


def test_callbacks_hear_everything_in_order():
    diary = Diary()
    fitted(ml.data.DataLoader(line(4), batch_size=2), [diary])
    assert diary.lines == [
        ("start", 0), ("step", 1), ("step", 2), ("epoch", 1), ("step", 3), ("step", 4), ("epoch", 2), ("end", 4),
    ]  # fmt: skip


def test_an_interrupted_run_still_ends():
    class Impatient(Diary):
        def on_step(self, history):
            raise KeyboardInterrupt

    diary = Impatient()
    with pytest.raises(KeyboardInterrupt):
        fitted(ml.data.DataLoader(line(4), batch_size=2), [diary])
    assert diary.lines == [("start", 0), ("end", 1)]


def test_validation_happens_in_evaluation_mode_and_training_goes_on():
    modes = []

    class Watch(nn.Module):
        def forward(self, x):
            modes.append((self.training, ml.is_grad_enabled()))
            return x

    data = [(ml.tensor([[1.0, 0.0]]), ml.tensor([0]))]
    layer = nn.Linear(2, 2)
    model = nn.Sequential(Watch(), layer).eval()
    optimizer = ml.optim.SGD(model.parameters(), lr=0.0)
    history = fit(model, data, loss=nn.CrossEntropyLoss(), optimizer=optimizer, epochs=2, validate=data, callbacks=[])
    assert modes == [(True, True), (False, False)] * 2
    assert model.training
    assert history.accuracies == [float(layer(data[0][0]).argmax(dim=1).item() == 0)] * 2


def test_evaluate_counts_over_unequal_batches_and_leaves_no_tape():
    scores, classes = ml.tensor([[2.0, 1.0], [0.0, 1.0], [3.0, 0.0]]), ml.tensor([0, 0, 0])
    model = nn.Sequential().eval()
    assert evaluate(model, [(scores[:2], classes[:2]), (scores[2:], classes[2:])]) == pytest.approx(2 / 3)
    assert not model.training
    assert evaluate(nn.Sequential(), [(scores, classes)]) == pytest.approx(2 / 3)


def test_history_in_words():
    assert History(1, 3).summary() == "No step yet."
    assert History(2, 2, [3.0, 1.0, 0.5]).summary() == "Step 3 of 4: mean loss of the epoch 0.5000."
    assert History(2, 2, [3.0, 1.0, 0.5]).mean_losses() == [2.0, 0.5]
    assert [History(2, 2, [1.0] * steps).epoch for steps in range(5)] == [1, 1, 1, 2, 2]


@pytest.mark.parametrize("epochs", [0, -1, 1.5])
def test_epochs(epochs):
    with pytest.raises(ArgumentError, match=rf"fit got epochs={epochs}.\n.*\n.*Did you mean epochs=10"):
        fitted(ml.data.DataLoader(line()), epochs=epochs)


def test_empty_loaders():
    with pytest.raises(ArgumentError, match=r"without batches.\n.*\n.*drop_last=True"):
        fitted(ml.data.DataLoader(line(4), batch_size=8, drop_last=True))
    with pytest.raises(ArgumentError, match="evaluate got a loader without examples"):
        evaluate(nn.Sequential(), [])


class Jitter(nn.Module):
    """Noise on the images, so that no two epochs show the same ones. In evaluation there is none."""

    def forward(self, x):
        return x + 0.2 * ml.randn_like(x) if self.training else x


@pytest.mark.parametrize("seed", [0, 1])
def test_a_small_network_learns_the_digits(seed):
    ml.manual_seed(seed)
    model = nn.Sequential(Jitter(), nn.Linear(64, 128), nn.ReLU(), nn.Dropout(0.2), nn.Linear(128, 10))
    train = ml.data.DataLoader(ml.data.Digits(train=True), batch_size=64, shuffle=True)
    test = ml.data.DataLoader(ml.data.Digits(train=False), batch_size=355)
    optimizer = ml.optim.Adam(model.parameters(), lr=3e-3)
    history = fit(model, train, loss=nn.CrossEntropyLoss(), optimizer=optimizer, epochs=60, validate=test, callbacks=[])
    assert history.accuracies[-1] >= 0.97
    assert history.accuracies[0] < history.accuracies[-1]
