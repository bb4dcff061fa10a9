"""Code generation: a pure graph as source in another language, and as the function that it compiles to."""
