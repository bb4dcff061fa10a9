"""Random Python programs, each run eagerly and compiled: whatever they let see must agree. See `__main__.py`."""
