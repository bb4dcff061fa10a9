"""Scripting: a function is compiled from its source, with all its branches and loops, and refused where it is not."""
