"""Four ways from a Python function to a graph."""
