"""Operations of MLIR's dialects."""
