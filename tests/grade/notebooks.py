"""Writes notebooks: those of a small course, and submissions to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def code(name: str, source: str, **metadata: Any) -> dict[str, Any]:
    """A code cell."""
    own = {"cell_type": "code", "id": name, "source": source, "metadata": metadata}
    return {**own, "outputs": [], "execution_count": 1}


def notebook(*cells: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    """A notebook of the format 4.5."""
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)}


def write(path: Path, book: dict[str, Any]) -> Path:
    """Write a notebook, and return where."""
    path.write_text(json.dumps(book), "utf-8")
    return path
