"""Graphs as Python on NumPy: a function that a reader can print."""
