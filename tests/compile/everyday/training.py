"""Training steps, metrics, models of the zoo: what people do with tensors."""

from __future__ import annotations

from typing import Any

import minitorch_lab as ml
import minitorch_lab.nn.functional as F
from minitorch_lab import nn, optim
from tests.compile.everyday.table import Made, breaking, everyday, ints, vec


def batches(n: int = 3, classes: int = 3) -> list[tuple[Any, Any]]:
    g = ml.manual_seed(3)
    return [(ml.randn(4, 5), ml.tensor([[i % classes, (i + 1) % classes], [2, 0]])) for i in range(n)]


class Tiny(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Linear(5, 3)

    def forward(self, x: Any, y: Any = None) -> Any:
        logits = self.fc(x)
        loss = None if y is None else F.cross_entropy(logits.view(-1, 3), y.view(-1))
        return logits, loss


def stepped(reshape: Any) -> Made:
    net = Tiny()
    opt = optim.SGD(net.parameters(), lr=0.1)

    def step(x: Any, y: Any) -> Any:
        opt.zero_grad()
        loss = F.cross_entropy(net.fc(x), reshape(y))
        loss.backward()
        opt.step()
        return loss

    return step, batches(), lambda: net.state_dict()


@everyday
def labels_viewed() -> Made:
    return stepped(lambda y: y.view(-1))


@everyday
def labels_reshaped() -> Made:
    return stepped(lambda y: y.reshape(-1))


@everyday
def labels_flattened() -> Made:
    return stepped(lambda y: y.flatten())


@everyday
def labels_as_long() -> Made:
    return stepped(lambda y: y.long().view(-1))


@everyday
def labels_moved() -> Made:
    return stepped(lambda y: y.to("cpu").view(-1))


@everyday
def labels_of_a_sequence() -> Made:
    net = nn.Linear(5, 3)

    def step(x: Any, y: Any) -> Any:
        ids = ml.cat([y, y], dim=1)
        inputs, labels = ids[:, :-1], ids[:, 1:]
        h = net(x)[:3].repeat(2, 1)
        loss = F.cross_entropy(h, labels.reshape(-1))
        loss.backward()
        return loss, inputs

    return step, batches(), lambda: net.weight.grad


@everyday
def labels_squeezed() -> Made:
    return stepped(lambda y: y.unsqueeze(0).squeeze(0).reshape(4))


@breaking
def labels_computed() -> Made:
    return stepped(lambda y: (y.view(-1) + 1) % 3)


@breaking
def labels_from_arange() -> Made:
    def step(x: Any, y: Any) -> Any:
        logits = (x @ x.T).requires_grad_() if False else w @ x.T
        loss = F.cross_entropy(logits, ml.arange(4))
        loss.backward()
        return loss

    w = nn.Parameter(ml.ones(4, 5) * 0.1)
    return step, batches(), lambda: w.grad


@everyday
def embedded_tokens() -> Made:
    emb, head = nn.Embedding(3, 4), nn.Linear(4, 3)
    opt = optim.AdamW([*emb.parameters(), *head.parameters()], lr=0.1)

    def step(x: Any, y: Any) -> Any:
        h = emb(y.view(-1))
        loss = F.cross_entropy(head(h), y.view(-1))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(emb.parameters(), 1.0) if hasattr(nn, "utils") else None
        opt.step()
        return loss

    return step, batches(), lambda: (emb.weight, head.weight)


@everyday
def model_returns_loss_and_logits() -> Made:
    net = Tiny()

    def step(x: Any, y: Any) -> Any:
        logits, loss = net(x, y)
        loss.backward()
        return logits, loss

    return step, batches(), lambda: net.fc.weight.grad


@everyday
def greatest_along_an_axis() -> Made:
    def f(x: Any, y: Any) -> Any:
        values, indices = x.max(1)
        both = x.max(dim=1)
        return values, indices, both.values * 2, both.indices + 1, x.max(1)[0], x.min(0).values, ml.max(x, 1)[1]

    return f, batches()


@everyday
def several_values() -> Made:
    def f(x: Any, y: Any) -> Any:
        s, order = x.sort(1)
        top, at = x.topk(2, dim=1)
        parts = x.split(2), x.chunk(2, dim=1), x.unbind(0)
        return s, order, top, at, [sum(p.sum() for p in part) for part in parts], x.sort(1, descending=True).indices

    return f, batches()


@everyday
def accuracy() -> Made:
    def f(x: Any, y: Any) -> Any:
        pred = x[:, :3].argmax(dim=1)
        target = y.view(-1)
        correct = (pred == target).sum()
        return correct, (pred == target).float().mean(), pred.eq(target), (pred != target).any(), correct / len(target)

    return f, batches()


@everyday
def accuracy_of_softmax() -> Made:
    def f(x: Any, y: Any) -> Any:
        _, predicted = ml.max(F.softmax(x[:, :3], dim=-1), 1)
        return (predicted == y.reshape(-1)).sum()

    return f, batches()


@everyday
def masks() -> Made:
    def f(x: Any, y: Any) -> Any:
        mask = x > 0
        filled = x.masked_fill(mask, -1e9)
        chosen = ml.where(mask, x, ml.zeros_like(x))
        tri = ml.tril(ml.ones(4, 4))
        att = (x @ x.T).masked_fill(tri == 0, float("-inf")).softmax(-1)
        padded = (y != 0).unsqueeze(-1)
        return filled, chosen, att, padded, mask.sum(), (~mask).float(), mask & (x < 1), x * mask

    return f, batches()


@everyday
def integer_comparisons() -> Made:
    def f(x: Any, y: Any) -> Any:
        return y == 0, (y > 0).sum(), y.eq(y.T).float(), (y == y.max()).any(), y * 2 + 1, y // 2, y % 2, -y

    return f, batches()


@everyday
def one_hot_labels() -> Made:
    def f(x: Any, y: Any) -> Any:
        hot = F.one_hot(y.view(-1), 3).float()
        return (hot * x[:, :3].log_softmax(-1)).sum()

    return f, batches()


@everyday
def gathered() -> Made:
    def f(x: Any, y: Any) -> Any:
        logp = F.log_softmax(x[:, :3], dim=-1)
        return -logp.gather(1, y.view(-1, 1)).squeeze(1).mean(), -logp[ml.arange(4), y.view(-1)].mean()

    return f, batches()


@everyday
def module_dict_by_key() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.heads = nn.ModuleDict({"a": nn.Linear(5, 2), "b": nn.Linear(5, 3)})
            self.order = ["b", "a"]

        def forward(self, x: Any, name: str = "a") -> Any:
            out = {k: self.heads[k](x) for k in self.order}
            for k, head in self.heads.items():
                out[k] = out[k] + head(x)
            total = sum(h(x).sum() for h in self.heads.values())
            return out, self.heads[name](x), len(self.heads), "a" in self.heads, total, list(self.heads.keys())

    net = Net()
    return net, [(ml.ones(2, 5),), (ml.ones(2, 5) * 2, "b"), (ml.ones(2, 5) * 3, "a")]


@everyday
def module_lists() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleList([nn.Linear(5, 5) for _ in range(3)])
            self.seq = nn.Sequential(nn.Linear(5, 5), nn.ReLU(), nn.Linear(5, 2))

        def forward(self, x: Any) -> Any:
            for i, layer in enumerate(self.layers):
                x = layer(x).relu() if i < len(self.layers) - 1 else layer(x)
            for layer in self.layers[1:]:
                x = layer(x)
            for a, b in zip(self.layers, self.layers[1:]):
                x = b(a(x))
            return self.seq[0](x), self.seq[-1](self.seq[:2](x)), self.layers[-1](x), len(self.seq)

    return Net(), [(ml.ones(2, 5) * k,) for k in (1.0, 2.0, 3.0)]


@everyday
def loops_over_parameters() -> Made:
    net = nn.Sequential(nn.Linear(5, 3), nn.Linear(3, 1))

    def f(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        norm = sum((p.grad**2).sum() for p in net.parameters() if p.grad is not None)
        with ml.no_grad():
            for name, p in net.named_parameters():
                if "weight" in name and p.requires_grad:
                    p.sub_(0.1 * p.grad)
                p.grad = None
        return loss, norm, sum(p.numel() for p in net.parameters()), [n for n, _ in net.named_modules()]

    return f, [(ml.ones(2, 5) * k,) for k in (1.0, 2.0, 3.0)], lambda: net.state_dict()


@everyday
def zero_grad_of_a_module() -> Made:
    net = nn.Linear(5, 1)

    def f(x: Any) -> Any:
        net.zero_grad()
        loss = net(x).sum()
        loss.backward()
        return loss

    return f, [(ml.ones(2, 5) * k,) for k in (1.0, 2.0, 3.0)], lambda: net.weight.grad


@everyday
def updates_without_grad() -> Made:
    net, target = nn.Linear(5, 1), nn.Linear(5, 1)

    @ml.no_grad()
    def update(tau: float) -> None:
        for p, q in zip(net.parameters(), target.parameters()):
            q.mul_(1 - tau).add_(tau * p)

    def f(x: Any) -> Any:
        loss = net(x).sum()
        update(0.1)
        return loss, target(x)

    return f, [(ml.ones(2, 5) * k,) for k in (1.0, 2.0, 3.0)], lambda: target.weight


@everyday
def copies_a_state() -> Made:
    net, target = nn.Linear(5, 1), nn.Linear(5, 1)

    def f(x: Any) -> Any:
        target.load_state_dict(net.state_dict())
        return target(x)

    return f, [(ml.ones(2, 5) * k,) for k in (1.0, 2.0, 3.0)], lambda: target.weight


@everyday
def freezes_a_layer() -> Made:
    net = nn.Sequential(nn.Linear(5, 3), nn.Linear(3, 1))
    for p in net[0].parameters():
        p.requires_grad = False

    def f(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        return loss, [n for n, p in net.named_parameters() if p.requires_grad]

    return f, [(ml.ones(2, 5) * k,) for k in (1.0, 2.0, 3.0)], lambda: [p.grad for p in net.parameters()]


@everyday
def error_missing_row() -> Made:
    emb = nn.Embedding(3, 4)
    return (lambda y: emb(y) * 2), [(ints(0, 1),), (ints(0, 7),), (ints(2, 1),), (ints(0, -9),), (ints(1, 2),)]


@breaking
def error_missing_row_at_once() -> Made:
    emb = nn.Embedding(3, 4)
    return (lambda y: emb(y) * 2), [(ints(0, 7),), (ints(0, 7),), (ints(0, 7),), (ints(0, 1),)]


@everyday
def error_index() -> Made:
    return (lambda x, i: x[i] * 2), [
        (vec(1, 2, 3), ints(0, 1)),
        (vec(1, 2, 3), ints(0, 5)),
        (vec(1, 2, 3), ints(-1, 2)),
    ]


@everyday
def error_gather() -> Made:
    def f(x: Any, i: Any) -> Any:
        return (x * 2).gather(0, i) + 1

    return f, [(vec(1, 2, 3), ints(0, 1)), (vec(1, 2, 3), ints(0, 5)), (vec(1, 2, 3), ints(1, 2))]


@breaking
def error_label() -> Made:
    def f(x: Any, y: Any) -> Any:
        return F.cross_entropy(x * 2, y.view(-1))

    x = ml.ones(2, 3)
    return f, [(x, ints(0, 1)), (x, ints(0, 5)), (x, ints(1, 2)), (x, ints(1, -1))]


@breaking
def error_one_hot() -> Made:
    return (lambda y: F.one_hot(y, 3) * 2), [(ints(0, 1),), (ints(0, 5),), (ints(2, 1),)]


@breaking
def error_shape() -> Made:
    return (lambda x, y: x.exp() @ y), [
        (ml.ones(2, 3), ml.ones(3)),
        (ml.ones(2, 3), ml.ones(4)),
        (ml.ones(2, 2), ml.ones(2)),
    ]


@everyday
def error_caught() -> Made:
    emb = nn.Embedding(3, 4)

    def f(y: Any) -> Any:
        try:
            return emb(y)
        except Exception as error:
            return type(error).__name__

    return f, [(ints(0, 1),), (ints(0, 7),), (ints(2, 1),), (ints(0, 7),)]


@everyday
def error_scatter() -> Made:
    def f(x: Any, i: Any) -> Any:
        return ml.zeros(3).scatter(0, i, x * 2) + 1

    return f, [(ml.ones(2), ints(0, 1)), (ml.ones(2), ints(0, 5)), (ml.ones(2), ints(1, 2))]


@everyday
def error_index_select() -> Made:
    def f(x: Any, i: Any) -> Any:
        return (x * 2).index_select(0, i)

    return f, [(vec(1, 2, 3), ints(0, 1)), (vec(1, 2, 3), ints(0, 5)), (vec(1, 2, 3), ints(1, 2))]
