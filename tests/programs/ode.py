"""A neural ODE: the field is a network, the solver is Runge-Kutta of fourth order, the loss is along the whole path."""

import minitorch_lab as ml
from minitorch_lab import nn, optim

STEPS, DT = 4, 0.2
TRUE = [[-0.1, 2.0], [-2.0, -0.1]]


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))

    def forward(self, t, y):
        return self.net(y**3)


def rk4(f, t, y, dt):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt * k1 / 2)
    k3 = f(t + dt / 2, y + dt * k2 / 2)
    k4 = f(t + dt, y + dt * k3)
    return y + dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6


def odeint(f, y0, times):
    path = [y0]
    for t0, t1 in zip(times[:-1], times[1:]):
        path.append(rk4(f, t0, path[-1], t1 - t0))
    return ml.stack(path)


def make(compile, dtype=ml.float32):
    field = Field().to(dtype)
    optimizer = optim.SGD(field.parameters(), lr=5e-2, momentum=0.5, nesterov=True)
    true = ml.tensor(TRUE, dtype=dtype)
    times = [DT * i for i in range(STEPS + 1)]

    @compile
    def step(y0):
        with ml.no_grad():
            goal = odeint(lambda t, y: y**3 @ true, y0, times)
        optimizer.zero_grad()
        path = odeint(field, y0, times)
        loss = ml.mean(ml.abs(path - goal))
        loss.backward()
        optimizer.step()
        return loss

    def train(y0):
        return [step(y0).item()]

    def batch(rng, n):
        return [rng.uniform(-1, 1, (n, 2)).tolist()]

    return train, batch, [field]
