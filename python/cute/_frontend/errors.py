"""Errors of programs, reported at the line of the user's file."""

from __future__ import annotations

from .._compile.diagnostics import DSLRuntimeError, source_line


class ProgramError(DSLRuntimeError):
    """A program uses something that cannot be translated.

    ``place`` is (file, line, column) of the user's source, columns from 0.
    """

    def __init__(self, message: str, place: tuple[str, int, int] | None = None):
        super().__init__(message if place is None else _at(message, place))
        self.place = place


class StaticValueError(ProgramError, TypeError):
    """A dynamic value where Python needs one that is known now."""


def _at(message: str, place: tuple[str, int, int]) -> str:
    file, line, column = place
    text = f"{file}:{line}:{column + 1}: {message}"
    source = source_line(file, line)
    if source:
        text += f"\n{source}\n{' ' * column}^"
    return text
