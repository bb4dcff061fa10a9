"""Tensors: their memory, what makes them, what they look like, and how they come from elsewhere and are saved."""
