"""The `llvm` backend: fused kernels as machine code, for the processor that they run on."""
