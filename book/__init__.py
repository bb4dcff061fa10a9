"""The book: its pages, and how they are made (`python -m book`)."""
