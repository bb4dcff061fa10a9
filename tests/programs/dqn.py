"""A DQN: what was chosen is picked from Q, the goal comes from a target net that follows slowly."""

import copy

import minitorch_lab as ml
from minitorch_lab import nn, optim

STATE, ACTIONS, HIDDEN, GAMMA, TAU = 4, 3, 16, 0.9, 0.05


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1, self.layer2 = nn.Linear(STATE, HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.layer3 = nn.Linear(HIDDEN, ACTIONS)

    def forward(self, x):
        x = nn.functional.relu(self.layer1(x))
        x = nn.functional.relu(self.layer2(x))
        return self.layer3(x)


def smooth_l1(a, b):
    d = (a - b).abs()
    return ml.where(d < 1, 0.5 * d * d, d - 0.5).mean()


def make(compile, dtype=ml.float32):
    policy = DQN().to(dtype)
    target = copy.deepcopy(policy)
    optimizer = optim.AdamW(policy.parameters(), lr=1e-2)

    @compile
    def optimize(state, action, reward, next_state, done):
        q = policy(state).gather(1, action.unsqueeze(1)).squeeze(1)
        with ml.no_grad():
            best = target(next_state).max(1)[0]
        expected = reward + GAMMA * best * (1 - done)
        loss = smooth_l1(q, expected)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        with ml.no_grad():
            for slow, fast in zip(target.parameters(), policy.parameters()):
                slow.mul_(1 - TAU).add_(TAU * fast)
        return loss, q.mean()

    steps = 0

    def train(*transitions):
        nonlocal steps
        steps += 1
        loss, q = optimize(*transitions)
        if steps % 5 == 0:
            target.load_state_dict(policy.state_dict())
        return [loss.item(), q.item()]

    def batch(rng, n):
        state = rng.standard_normal((n, STATE))
        action = rng.integers(0, ACTIONS, n)
        reward = state[:, 0] * (action - 1)
        return [
            state.tolist(),
            action.tolist(),
            reward.tolist(),
            (state * 0.9).tolist(),
            (rng.random(n) < 0.2).astype(float).tolist(),
        ]

    return train, batch, [policy, target]
