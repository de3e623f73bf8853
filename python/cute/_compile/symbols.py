"""Extents that are one symbol in the tensors which a function was compiled for."""

from __future__ import annotations

from typing import Any, Sequence


def shared_symbols(parameters: Sequence[Any]) -> list[list[tuple[int, int]]]:
    """Returns for each symbol that several extents have where those are.

    :return: numbers of a parameter and of a mode of it
    """
    found: dict[int, list[tuple[int, int]]] = {}
    for number, parameter in enumerate(parameters):
        symbols = getattr(getattr(parameter.what, "value", None), "_symbols", {})
        for mode, symbol in symbols.items():
            found.setdefault(id(symbol), []).append((number, mode))
    return [places for places in found.values() if len(places) > 1]


def check_symbols(
    shared: list[list[tuple[int, int]]], parameters: Sequence[Any], values: Sequence[Any]
) -> None:
    """Compares the extents that were compiled as one.

    :raises TypeError: where two of them differ
    """
    for (first, mode), *others in shared:
        extent = values[first].shape[mode]
        for number, other in others:
            if values[number].shape[other] != extent:
                raise TypeError(
                    f"extent {mode} of {parameters[first].name} is {extent}, but extent {other} "
                    f"of {parameters[number].name} is {values[number].shape[other]}; they were "
                    "compiled as one"
                )
