"""What lights up together: pairs of ids, never chains of them.

Every view pairs its ids with two hubs, the source line and the op. When views are combined, what belongs to one op is
paired with each other as well; a line is often several ops, so what shares only a line stays apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

Pairs = Mapping[str, Sequence[str]]


class Links:
    """Symmetric pairs of ids, in the order in which they were made.

    Example:
        >>> links = Links()
        >>> links.pair("o1", "l4")
        >>> links.star("o1", ["a2", None])
        >>> links.json()
        {'o1': ['l4', 'a2'], 'l4': ['o1'], 'a2': ['o1']}
    """

    def __init__(self, pairs: Pairs | None = None) -> None:
        self.near: dict[str, dict[str, None]] = defaultdict(dict)
        for a, others in (pairs or {}).items():
            self.near[a].update(dict.fromkeys(others))

    def pair(self, a: str | None, b: str | None) -> None:
        """`a` and `b` light up together. None is no id."""
        if a is not None and b is not None and a != b:
            self.near[a][b] = self.near[b][a] = None

    def star(self, hub: str | None, ids: Iterable[str | None]) -> None:
        """Each of `ids` lights up with the hub."""
        for id in ids:
            self.pair(hub, id)

    def json(self) -> dict[str, list[str]]:
        """As a scene holds them."""
        return {a: list(others) for a, others in self.near.items() if others}


def merged(first: Pairs, second: Pairs) -> dict[str, list[str]]:
    """The links of two views together; what one view has for an op is paired with what the other has for it.

    Example:
        >>> merged({"o1": ["t1"], "t1": ["o1"]}, {"o1": ["b1"], "b1": ["o1"]})["b1"]
        ['o1', 't1']
    """
    links = Links(first)
    for a, others in second.items():
        links.star(a, others)
    for hub in first.keys() & second.keys():
        if hub.startswith("o"):
            news = [id for id in second[hub] if id not in first[hub] and not is_line(id)]
            for id in first[hub]:
                if not is_line(id):
                    links.star(id, news)
    return links.json()


def is_line(id: str) -> bool:
    """Whether an id is that of a source line: l4, l4.2."""
    return id[:1] == "l" and id[1:2].isdigit()
