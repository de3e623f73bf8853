"""Which arguments a host function writes to by itself, so that calls refuse read-only arrays."""

from __future__ import annotations

from typing import Any, Sequence

# Operations that write, and which operand it is that they write to.
_WRITTEN = {
    **dict.fromkeys("fill clear atomic_rmw atomic_cas".split(), 0),
    **dict.fromkeys("store store_vector convert axpby basic_copy basic_copy_if autovec_copy".split(), 1),
    **dict.fromkeys("copy copy_if copy_atom_call".split(), 2),
}


class HostWrites:
    """Follows the arguments of a host function through its operations.

    ``names`` are the parameters whose memory the function writes to, outside
    of kernels, where the device refuses it.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._origins: dict[Any, str] = {}

    def begin(self, name: str, values: Sequence[Any]) -> None:
        """Notes the values of a parameter."""
        self._origins.update((value, name) for value in values)

    def follow(self, name: str, operands: Sequence[Any], results: Sequence[Any]) -> None:
        """Notes what an operation writes to, or makes of an argument."""
        short = name.removeprefix("cute.")
        place = _WRITTEN.get(short)
        if place is not None and place < len(operands) and operands[place] in self._origins:
            self.names.add(self._origins[operands[place]])
        if short not in ("load", "load_vector"):
            for operand in operands:
                if operand in self._origins:
                    self._origins.update((x, self._origins[operand]) for x in results)
                    return

    def check(self, name: str, passed: Sequence[Any]) -> None:
        """Raises where what is passed for a parameter may not be written to.

        :raises TypeError: for a read-only array that the function writes to
        """
        if name in self.names and any(getattr(x, "is_read_only", False) for x in passed):
            raise TypeError(f"'{name}' is written to, and its array is read-only: pass a copy")
