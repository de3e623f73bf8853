"""Conditions that programs store while they run, and that are verified after that."""

from __future__ import annotations

import ctypes
from typing import Any

from .. import _bridge
from .._device import devices as _device
from .._frontend.control import is_dynamic, truth
from .._frontend.guards import choose
from .._values.numeric import Int32
from .._values.pointer import AddressSpace
from . import ir as _ir

__all__ = ["Assertion", "RuntimeAssertion"]

# The values of a cell: nothing came, the condition held; from _FAILED on the number of a message.
_NOTHING, _HELD, _FAILED = 0, 1, 2
_messages: list[str] = []


class Assertion:
    """The conditions of a RuntimeAssertion within a program; annotates a parameter."""

    def __init__(self, cells: Any = None):
        self._cells = cells

    def store(
        self, index: int, pred: Any, msg: str = "", *, loc: Any = None, ip: Any = None
    ) -> None:
        """Records whether a condition holds, from every thread that reaches it.

        :param index: of the assertion, a number of Python
        :param pred: the condition
        :param msg: what ``verify`` says where it is false
        """
        if self._cells is None:
            return
        if msg not in _messages:
            _messages.append(msg)
        failed = _FAILED + _messages.index(msg)
        bit = truth(pred)
        if is_dynamic(bit):
            value = choose(bit, Int32(_HELD), Int32(failed))
        else:
            value = Int32(_HELD if bit else failed)
        cell = self._cells + index
        if _ir.require("an assertion").kernel is not None:
            from ..arch import atomic_max

            atomic_max(cell, value)
        else:
            old = cell.load()
            cell.store(choose(old > value, old, value))

    def __extract_mlir_values__(self) -> list[Any]:
        return [] if self._cells is None else self._cells.__extract_mlir_values__()

    def __new_from_mlir_values__(self, values: list[Any]) -> Assertion:
        if self._cells is None:
            return self
        return Assertion(self._cells.__new_from_mlir_values__(values))


class RuntimeAssertion(Assertion):
    """Conditions that a program stores and ``verify`` checks, also as a context
    manager.

    For example::

        with RuntimeAssertion(num_assertions=1) as assertions:
            function(assertions)  # calls assertions.store(0, condition, "message")

    :param num_assertions: how many there are
    :param disable: stores and checks none
    :param init_value: the value of an assertion that no thread reached
    """

    def __init__(
        self, num_assertions: int = 1, device: str | None = None, disable: bool = False,
        init_value: bool = False,
    ):
        from ..runtime import make_ptr

        self.num_assertions, self.disable, self.init_value = num_assertions, disable, init_value
        self._memory = (ctypes.c_int32 * num_assertions)()
        address = ctypes.addressof(self._memory)
        self._on_device = not disable and _device.ordinal() != _bridge.SIMULATED
        if self._on_device:
            from ..testing import _call, _driver

            found = ctypes.c_uint64()
            _call(_driver(), "cuMemAllocManaged", ctypes.byref(found),
                  ctypes.c_size_t(4 * num_assertions), 1)
            address = found.value
            self._memory = (ctypes.c_int32 * num_assertions).from_address(address)
            ctypes.memset(address, 0, 4 * num_assertions)
        super().__init__(
            None if disable else make_ptr(Int32, address, AddressSpace.gmem, assumed_align=4))

    def __c_pointers__(self) -> list[Any]:
        return [] if self._cells is None else self._cells.__c_pointers__()

    def __get_mlir_types__(self) -> list[Any]:
        return [] if self._cells is None else self._cells.__get_mlir_types__()

    def verify(self) -> None:
        """Checks the stored conditions after the program has run.

        :raises AssertionError: for the first condition that did not hold
        """
        from ..testing import AssertionError, _call, _driver

        if self.disable:
            return
        if self._on_device:
            _call(_driver(), "cuCtxSynchronize")
        for i, value in enumerate(self._memory):
            if value >= _FAILED:
                raise AssertionError(f"assertion {i}: {_messages[value - _FAILED]}")
            if value == _NOTHING and not self.init_value:
                raise AssertionError(f"assertion {i}: no thread stored a condition")

    def __enter__(self) -> RuntimeAssertion:
        return self

    def __exit__(self, kind: Any, error: Any, place: Any) -> None:
        if kind is None:
            self.verify()
