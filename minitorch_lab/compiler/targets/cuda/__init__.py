"""CUDA: kernels as a page of CUDA C, launched through CuPy."""
