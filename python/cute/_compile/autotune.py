"""The fastest of some configurations: ``testing.tune`` and ``testing.autotune_jit``."""

from __future__ import annotations

import functools
import types
import itertools
import os
from typing import Any, Callable, Iterator, Mapping, Sequence

from . import ir as _ir
from .diagnostics import DSLRuntimeError

def _say(text: str) -> None:
    """Logs a line where CUTE_LOG_AUTOTUNE, or its CUTE_DSL twin, is set."""
    if os.environ.get("CUTE_LOG_AUTOTUNE") or os.environ.get("CUTE_DSL_LOG_AUTOTUNE"):
        import logging

        log = logging.getLogger("cute.testing")
        if not log.handlers:
            log.addHandler(logging.StreamHandler())
            log.setLevel(logging.INFO)
        log.info(text)


def _configurations(choices: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*choices.values()):
        yield dict(zip(choices, values))


def fastest(
    choices: Mapping[str, Sequence[Any]] | None, time_of: Callable[[dict[str, Any]], float]
) -> dict[str, Any]:
    """Returns the configuration that takes least; one that raises is left out.

    :param choices: the values of each parameter
    :param time_of: the microseconds of a configuration
    :raises DSLRuntimeError: where all of them fail
    """
    best: tuple[float, dict[str, Any]] | None = None
    failure: Exception | None = None
    for configuration in _configurations(choices or {}):
        _say(f"tuning configuration {configuration}")
        try:
            time = time_of(configuration)
        except (ValueError, TypeError, DSLRuntimeError) as error:
            _say(f"  fails: {error}")
            failure = error
            continue
        _say(f"  {time} us")
        if best is None or time < best[0]:
            best = time, configuration
    if best is None:
        raise DSLRuntimeError(f"no configuration runs: {failure}") from failure
    _say(f"best configuration {best[1]}, {best[0]} us")
    return best[1]


class Autotuned:
    """A function under @jit that runs with its fastest configuration."""

    def __init__(self, function: Any, choices: Any, keys: Sequence[str], timing: dict[str, int]):
        functools.update_wrapper(self, function.function)
        self.jit_function = function
        self.choices, self.keys, self.timing = choices or {}, tuple(keys or ()), timing
        self.chosen: dict[Any, Any] = {}
        unknown = [k for k in (*self.choices, *self.keys) if k not in function.signature.parameters]
        if unknown:
            raise ValueError(f"{function.function.__name__} has no parameters {unknown}")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function; the first time for such arguments, tunes it."""
        if _ir.trace() is not None:
            return self.jit_function(*args, **kwargs)
        return self._tuned(args, kwargs)(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else functools.partial(self, instance)

    def _tuned(self, args: Any, kwargs: Any) -> Any:
        bound = self.jit_function.signature.bind_partial(*args, **kwargs).arguments
        key = tuple(_hashable(bound.get(name)) for name in self.keys)
        if key not in self.chosen:
            self.chosen[key] = self._choose(args, kwargs)
        else:
            _say("the configuration of an earlier call is used")
        return self.chosen[key]

    def _choose(self, args: Any, kwargs: Any) -> Any:
        from .jit import compile
        from ..testing import JitArguments, benchmark

        made: dict[Any, Any] = {}

        def time_of(configuration: dict[str, Any]) -> float:
            compiled = compile(self.jit_function, *args, **kwargs, **configuration)
            made[tuple(configuration.items())] = compiled
            return benchmark(
                compiled, kernel_arguments=JitArguments(*args, **kwargs), **self.timing
            )

        return made[tuple(fastest(self.choices, time_of).items())]


def _hashable(value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value


def autotune_jit(
    params_dict: Mapping[str, Sequence[Any]] | None = None,
    update_on_change: Sequence[str] | None = None,
    warmup_iterations: int = 10,
    iterations: int = 100,
) -> Callable[[Any], Autotuned]:
    """Decorates a function under @jit: calls run with its fastest configuration.

    :param params_dict: the values to try for each parameter
    :param update_on_change: parameters whose values have configurations of their own
    """
    from .jit import jit

    timing = {"warmup_iterations": warmup_iterations, "iterations": iterations}

    def decorate(function: Any) -> Autotuned:
        made = jit(function) if isinstance(function, types.FunctionType) else function
        return Autotuned(made, params_dict, update_on_change or (), timing)

    return decorate


def tune(
    func: Callable[..., Callable[[], Any]],
    params_dict: Mapping[str, Sequence[Any]] | None = None,
    kernel_arguments: Any = None,
    warmup_iterations: int = 10,
    iterations: int = 100,
    stream: Any = None,
) -> dict[str, Any]:
    """Returns the fastest configuration of ``func``'s results.

    :param func: called with the arguments and a configuration; returns what runs it.
        A configuration for which it raises is skipped.
    :param params_dict: the values to try for each parameter
    :param kernel_arguments: JitArguments for ``func``
    """
    from ..testing import JitArguments, benchmark

    given = kernel_arguments or JitArguments()

    def time_of(configuration: dict[str, Any]) -> float:
        run = func(*given.args, **given.kwargs, **configuration)
        return benchmark(
            run, warmup_iterations=warmup_iterations, iterations=iterations, stream=stream
        )

    return fastest(params_dict, time_of)
