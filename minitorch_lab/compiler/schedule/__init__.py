"""The schedule: which values of a graph are computed by one kernel, and why."""
