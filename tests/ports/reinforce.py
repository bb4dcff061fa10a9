"""A pole is kept upright by a policy that learns from the rewards of whole episodes (REINFORCE)."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical


class Pole:
    """A cart that is pushed left or right, and a pole on it."""

    def reset(self, k):
        self.state = [0.01 * k, 0.0, 0.02 * (-1) ** k, 0.0]
        return self.state

    def step(self, action):
        x, v, angle, spin = self.state
        push = (10.0 if action else -10.0) + 0.05 * spin * spin * math.sin(angle)
        push /= 1.1
        turn = (9.8 * math.sin(angle) - math.cos(angle) * push) / (0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1))
        pull = push - 0.05 * turn * math.cos(angle) / 1.1
        self.state = [x + 0.02 * v, v + 0.02 * pull, angle + 0.02 * spin, spin + 0.02 * turn]
        return self.state, 1.0, abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.21


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 16)
        self.dropout = nn.Dropout(p=0.0)
        self.affine2 = nn.Linear(16, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.dropout(self.affine1(x)))
        return F.softmax(self.affine2(x), dim=1)


def models():
    return [Policy()]


def train(models, compile):
    (policy,) = models
    optimizer = optim.Adam(policy.parameters(), lr=1e-2)
    env, run, losses = Pole(), compile(policy), []
    for episode in range(6):
        state = env.reset(episode)
        for _ in range(40):
            m = Categorical(run(torch.tensor(state).unsqueeze(0)))
            action = m.sample()
            policy.saved_log_probs.append(m.log_prob(action))
            state, reward, done = env.step(action.item())
            policy.rewards.append(reward)
            if done:
                break
        R, returns = 0, []
        for r in policy.rewards[::-1]:
            R = r + 0.99 * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-8)
        loss = torch.cat([-log_prob * R for log_prob, R in zip(policy.saved_log_probs, returns)]).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses += [loss.item(), float(len(policy.rewards))]
        del policy.rewards[:]
        del policy.saved_log_probs[:]
    return losses
