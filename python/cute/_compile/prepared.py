"""Compiled functions whose arguments are packed once."""

from __future__ import annotations

from array import array
from typing import Any, Callable

from .. import _bridge
from .._device import devices as _device
from .._device.stream_handles import handle_of
from .arguments import Passed, Scalar, Static, _StreamOf
from .diagnostics import DSLRuntimeError, launch_error


class PreparedLaunchError(DSLRuntimeError):
    """An argument that cannot be packed once for all calls."""


class PreparedLaunch:
    """A compiled function with memory for its arguments, which ``launch`` writes.

    Its arguments are pointers, numbers and streams; an address or handle may be
    given as an int.
    """

    def __init__(self, compiled: Any, values: Any):
        if compiled.results:
            raise PreparedLaunchError(f"{compiled.traced.name} returns a number: call it")
        self._host = compiled._host
        self._cells: list[Any] = []
        self._writers: list[Callable[[Any], Any]] = []
        self._spaces: list[Any] = []
        for parameter, value in zip(compiled.parameters, values):
            if not isinstance(parameter.what, Static):
                self._add(parameter)
        self._addresses = [cell.buffer_info()[0] for cell in self._cells]
        self._count = len(self._cells)
        self._is_simulated = _device.ordinal() == _bridge.SIMULATED

    def _add(self, parameter: Any) -> None:
        from .. import runtime

        what = parameter.what
        if isinstance(what, Passed) and isinstance(what.value, runtime.Pointer):
            self._cells.append(array("Q", [0]))
            self._writers.append(int)
            self._spaces.append(what.value)
        elif isinstance(what, _StreamOf):
            self._cells.append(array("Q", [0]))
            self._writers.append(handle_of)
            self._spaces.append(None)
        elif isinstance(what, Scalar):
            self._cells.append(array(what.code, [0]))
            self._writers.append(what.number)
            self._spaces.append(None)
        else:
            raise PreparedLaunchError(
                f"{parameter.name} is not a pointer, number or stream: call the function"
            )

    def launch(self, *args: Any) -> None:
        """Runs the function with these arguments, in the order of ``prepare``."""
        if len(args) != self._count:
            raise TypeError(f"{self._count} arguments were prepared, not {len(args)}")
        for cell, write, value in zip(self._cells, self._writers, args):
            cell[0] = write(value)
        try:
            self._host.call(self._addresses, self._pointers() if self._is_simulated else ())
        except _bridge.Error as error:
            raise launch_error(error.args[0]) from None

    __call__ = launch

    def _pointers(self) -> list[Any]:
        """Returns the pointers for the simulator, which asks what may be accessed."""
        from .. import runtime

        return [
            runtime.Pointer(cell[0], like._dtype, like._space, 1)
            for cell, like in zip(self._cells, self._spaces)
            if like is not None
        ]
