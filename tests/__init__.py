"""The tests, as one package: so `tests/autograd` is not taken for the `autograd` of PyPI."""
