"""Small programs in a world that changes between their calls: what they read, and what they do to it."""
