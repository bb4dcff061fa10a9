"""The compile stack: programs captured as graphs, rewritten, differentiated ahead of time, and turned into source."""
