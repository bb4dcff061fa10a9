"""Forward and backward of a graph as one joint graph, and where it is cut in two."""
