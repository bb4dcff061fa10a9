"""The graph that programs are captured as: nodes, sizes, facts, and what rewrites and runs it node by node."""
