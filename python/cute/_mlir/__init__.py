"""The few names of the reference's MLIR bindings that programs use."""
