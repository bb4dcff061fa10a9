"""Passes: each takes a graph and gives a better one that computes the same. One file each."""
