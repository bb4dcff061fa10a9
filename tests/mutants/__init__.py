"""Mutation testing: one small change at a time is made to the engine, and a test must notice. See `__main__.py`."""
