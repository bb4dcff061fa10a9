"""Names in running text: where a lesson, a docstring or a page says `ml.stack`, that leads to its entry."""

from __future__ import annotations

from typing import Any

from docutils import nodes
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.nodes import make_refnode

from .entries import entry_of


class Linked(SphinxPostTransform):
    """Code in running text that is a name of ours becomes a link. Code in headings and in links stays as it is."""

    default_priority = 12

    def run(self, **settings: Any) -> None:
        """Called by Sphinx for every page."""
        objects = self.env.domains.python_domain.objects
        for code in list(self.document.findall(nodes.literal)):
            entry = None if isinstance(code.parent, nodes.reference | nodes.title) else entry_of(code.astext())
            if entry in objects:
                place = objects[entry]
                here, there, name = self.env.docname, place.docname, place.node_id
                code.replace_self(make_refnode(self.app.builder, here, there, name, code.deepcopy(), entry))


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.add_post_transform(Linked)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
