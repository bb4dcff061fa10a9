"""The ground floor: arrays of NumPy or CuPy, and who runs an op now."""
