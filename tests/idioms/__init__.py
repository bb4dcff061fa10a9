"""What people write with PyTorch, one page for each field, run with PyTorch and with this library."""
