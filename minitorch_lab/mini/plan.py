"""When is each buffer alive, and where does it lie?

A temporary is born in the step that writes it, and dies after the last step that reads it. Two that are never alive at
the same time may use the same bytes. All of them lie in one arena; the largest are placed first, each as low as those
already placed allow.
"""

from dataclasses import dataclass

ALIGNMENT = 64  # bytes: a cache line


@dataclass
class Life:
    """A buffer: alive from the step `first` to the step `last`, both included, `offset` bytes into the arena."""

    node: object
    nbytes: int
    first: int
    last: int
    offset: int = 0

    def overlaps(self, other):
        """Whether there is a step at which both are alive."""
        return self.first <= other.last and other.first <= self.last


def find_lives(steps):
    """The lives of what `steps` write: a list of (writes, reads) pairs."""
    lives = {}
    for k, (writes, reads) in enumerate(steps):
        for node in writes:
            lives[node] = Life(node, -(-node.nbytes // ALIGNMENT) * ALIGNMENT, k, k)
        for node in reads:
            if node in lives:
                lives[node].last = k
    return list(lives.values())


def place(lives):
    """Give each life its offset; return the size of the arena."""
    placed = []
    for life in sorted(lives, key=lambda one: -one.nbytes):
        for other in sorted((o for o in placed if o.overlaps(life)), key=lambda one: one.offset):
            if other.offset - life.offset >= life.nbytes:
                break
            life.offset = max(life.offset, other.offset + other.nbytes)
        placed.append(life)
    return max((one.offset + one.nbytes for one in lives), default=0)


def lower_bound(lives):
    """The most bytes alive at one step: no arena is smaller."""
    moments = {one.first for one in lives}
    return max((sum(one.nbytes for one in lives if one.first <= k <= one.last) for k in moments), default=0)
