"""Operations of MLIR's dialects."""

from typing import Any

from ..._compat import placeholders as _placeholders


def __getattr__(name: str) -> Any:
    module = f"cutlass._mlir.dialects.{name}"
    if _placeholders.purpose_of(module):
        return _placeholders.PlaceholderModule(module)
    return _placeholders.among({}, __name__)(name)
