"""Programs as people write them for PyTorch. They run here with the import alone changed: tests/oracles/test_ports.py.

Each has `models()`, a list of what is trained, and `train(models, compile)`, which returns the losses.
"""
