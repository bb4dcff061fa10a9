"""Hooks of the reader's, told: a mark where they wait, and a step when one fires."""

from __future__ import annotations

from ..recording import events as ev
from .numbers import describe_numbers, short
from .story import Json, Story, ask_value


def marked(story: Story, hooked: ev.Hooked) -> list[str]:
    """What carries the mark of a node's hooks: the value whose gradient they see, the op whose sends they see."""
    model = story.model
    op = model.op_of.get(hooked.node)
    leaf = next((t for t in sorted(story.shown()) if model.tensors[t].node == hooked.node and op is None), None)
    value = leaf if op is None else op.output
    found = [value] if hooked.before and value is not None else []
    return found + ([op.id] if hooked.after and op is not None else [])


def a_hook(hook: ev.Hook) -> str:
    """A hook, by the name of its function if it has one."""
    return f"The hook `{hook.name}`" if hook.name else "A hook"


def fire(story: Story, phase: str, hook: ev.Hook, dest: str) -> None:
    """A hook sees the gradient of the tensor `dest`."""
    name, before, after = story.model.name(dest), describe_numbers(hook.before), describe_numbers(hook.after)
    who = f"{a_hook(hook)} on `{name}`"
    if hook.before == hook.after:
        fired: Json = {"type": "hook", "id": dest, "text": f"hook: {short(hook.before)}"}
        story.tell(phase, f"{who} sees {before} and leaves it.", [fired], hook.line, [dest])
        return
    fired = {"type": "hook", "id": dest, "text": f"hook: {short(hook.before)} → {short(hook.after)}"}
    leaf = story.model.nodes[hook.node].op is None
    tail = f"that is what {story.model.tray(dest)} gets" if leaf else f"from here on the walk carries {after}"
    head = f"{who} turns {before} into "
    step = story.tell(phase, f"{head}{after}: {tail}.", [fired], hook.line, [dest])
    if hook.after.scalar is not None:
        ask_value(step, head, after, f"The hook is your own code. What it returns replaces the {before}.")


def fire_on_node(story: Story, phase: str, at: tuple[ev.Op, ev.Hook], carried: Json, dest: str) -> None:
    """A hook on the node of an op sees what the node sends to `dest`."""
    op, hook = at
    who = f"{a_hook(hook)} on the node of `{op.op}`"
    say = f"{who} sees {describe_numbers(hook.before)} and leaves it."
    if hook.before != hook.after:
        say = f"{who} turns {describe_numbers(hook.before)} into {describe_numbers(hook.after)}."
    fired: Json = {"type": "hook", "id": op.id, "text": f"{short(hook.before)} → {short(hook.after)}"}
    story.tell(phase, say, [carried, fired], hook.line or op.line, [op.id, dest])
