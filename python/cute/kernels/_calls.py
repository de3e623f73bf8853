"""Plans of earlier calls of the library's functions, for the next ones like them.

A function checks its arrays, and chooses and binds a kernel, by what the arrays are: by
types, extents, strides, devices, and how their memory is aligned. A second call with
arrays that are the same in all of this only puts in where they lie, and launches.
"""

from __future__ import annotations

import functools
import itertools
import sys
from typing import Any, Callable, Iterable, Optional, Sequence

from .. import _bridge
from . import _arrays, _loading

_MOST = 256  # calls that are kept: those made first are forgotten first
_known: dict[Any, "Call"] = {}


class Call:
    """Launches of kernels whose tensors are the arrays of a call that are not None, in their
    order, and behind them memory that the call makes.

    :param launches: of each kernel (kernel, its arguments, bytes from where each array
        begins to the tensor)
    :param new: makes the result, the last array, where none is given, or a tuple of the last ones
    :param workspace: makes an array that kernels also need, or a tuple of them; both are fastest
    as makers of ``_arrays`` :param places: for each kernel the numbers of its arrays, where they
    are not all in order
    """

    def __init__(self, ordinal: int, launches: Iterable[Any], new: Callable[[], Any],
                 workspace: Optional[Callable[[], Any]] = None,
                 places: Sequence[Sequence[int]] = ()):
        self.is_simulated = _loading.is_simulated(ordinal)
        self._ordinal, self._new, self._workspace = ordinal, new, workspace
        chosen = places or itertools.repeat(None)
        self._launches = tuple(
            (kernel.bind(arguments, None), offsets and tuple(offsets), numbers and tuple(numbers))
            for (kernel, arguments, offsets), numbers in zip(launches, chosen))
        self.plan = (self._launches, ordinal, _of_plan(new), _of_plan(workspace))

    def __call__(self, stream: Any, *arrays: Any) -> Any:
        out = arrays[-1]
        if out is None:
            out = self._new()
            made = out if isinstance(out, tuple) else (out,)
            arrays = (*arrays[:-len(made)], *made)
        if self._workspace is not None:
            made = self._workspace()
            arrays = (*arrays, *(made if isinstance(made, tuple) else (made,)))
        if self.is_simulated:
            register(arrays)
            stream = 0
        elif stream is not None:
            stream = _arrays.stream_of(self._ordinal, stream)
        if not _bridge.call_start(self._launches, stream, self._ordinal, arrays):
            stream = _arrays.stream_of(self._ordinal, None)
            _bridge.call_start(self._launches, stream, self._ordinal, arrays)
        return out


def _of_plan(make: Any) -> Any:
    """Returns a maker of arrays, or a maker for each."""
    makers = (make,) if isinstance(make, _arrays.Maker) else make
    is_fast = isinstance(makers, tuple) and all(isinstance(m, _arrays.Maker) for m in makers)
    return tuple(makers) if is_fast else make


class Zero:
    """A call whose result is 0, or has no elements.

    :param values: what fills each of the last arrays, the last value all others
    """

    is_simulated = False

    def __init__(self, new: Callable[[], Any], values: Sequence[float] = (0,)):
        self._new, self._values = new, values

    def __call__(self, stream: Any, *arrays: Any) -> Any:
        made, count = arrays[-1], len(self._values)
        if made is None:
            made = self._new()
            results = made if isinstance(made, tuple) else (made,)
            arrays, count = (*arrays[:-len(results)], *results), max(count, len(results))
        for i, array in enumerate(arrays[-count:]):
            array.fill_(self._values[min(i, len(self._values) - 1)])
        return made


class Nothing(Zero):
    """A call that has nothing to write to its last array."""

    def __call__(self, stream: Any, *arrays: Any) -> Any:
        return arrays[-1]


def anew(prepare: Callable[..., Any], arrays: tuple[Any, ...], stream: Any, *numbers: Any) -> Any:
    """Runs a call that is made now, that was for arrays that DLPack cannot tell, or whose arrays
    need gradients."""
    if needs_gradient(arrays):
        from . import _recorded
        return _recorded.run(prepare, arrays, stream, numbers)
    return found(prepare, arrays, numbers)(stream, *arrays)


def needs_gradient(arrays: Iterable[Any]) -> bool:
    """Returns whether torch records what it does with these arrays for gradients."""
    wanted = any(getattr(x, "requires_grad", False) for x in arrays)
    return wanted and bool(sys.modules["torch"].is_grad_enabled())


# run(prepare, arrays, stream, *numbers) runs the call that prepare(*arrays, *numbers) makes, or
# has made before. The last array, or several, may be None, for results that the call is to make.
run: Callable[..., Any] = functools.partial(_bridge.call_run, anew)


def found(prepare: Callable[..., Any], arrays: tuple[Any, ...], numbers: tuple[Any, ...]) -> Any:
    """Returns a call that is made now, or that was for arrays that DLPack cannot tell."""
    try:
        key = (prepare, numbers, *[
            x if x is None
            else (x.dtype, x.device, x.shape, x.stride(), x.data_ptr() & 15)
            for x in arrays])
        call = _known.get(key)
    except (AttributeError, TypeError):  # no tensor, as `prepare` says
        key = call = None
    if call is None:
        call = prepare(*arrays, *numbers)
        is_kept = call.is_simulated or _bridge.call_keep(prepare, arrays, call, *numbers)
        if key is not None and not is_kept:
            while len(_known) >= _MOST:
                _known.pop(next(iter(_known)), None)
            _known[key] = call
    return call


def register(arrays: Iterable[Any]) -> None:
    """Lets the simulator read and write arrays of the host."""
    for array in arrays:
        if array is not None:
            extent = sum((n - 1) * s for n, s in zip(array.shape, array.stride())) + 1
            _bridge.register_host(array.data_ptr(), extent * array.element_size())
