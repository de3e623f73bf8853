"""What is known of numeric types by their bits and names."""

from __future__ import annotations

from typing import Any


class TypeFacts(type):
    """The base of the numeric types' type."""

    width: int
    ir_name: str
    element_name: str
    is_boolean: bool
    is_float: bool
    signed: bool

    @property
    def bytes(cls) -> int:
        """The bytes of a number, at least 1."""
        return -(-cls.width // 8)

    def n_bytes(cls, n_elements: int) -> int:
        """Returns the bytes of so many numbers, each in whole bytes."""
        return n_elements * cls.bytes

    @property
    def is_abstract(cls) -> bool:
        """Whether numbers have other types, which are derived from it."""
        return not cls.width

    @property
    def numpy_dtype(cls) -> Any:
        """numpy's type of such numbers, None where it has none.

        :raises ModuleNotFoundError: where there is one and no numpy
        """
        is_ieee = not cls.is_float or cls.element_name in ("f16", "f32", "f64")
        if cls.is_boolean:
            name = "bool_"
        elif is_ieee and cls.width in (8, 16, 32, 64):
            name = ("float" if cls.is_float else "int" if cls.signed else "uint") + str(cls.width)
        else:
            return None
        import numpy

        return getattr(numpy, name)
