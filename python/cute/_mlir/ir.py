"""Values and types of the IR under construction."""

from .._ir import Location, Operation, Type, Value  # noqa: F401
