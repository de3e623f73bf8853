"""Tracebacks of programs: the frames of users, and no others.

An ``if`` or a loop becomes a function within the user's, whose frame replaces
both. ``CUTE_TRACEBACK=full`` keeps all frames.
"""

from __future__ import annotations

import os
import types
from typing import Any


_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep

# The code of what branches and loops became.
_parts: set[types.CodeType] = set()


def named_as(code: types.CodeType, name: str) -> types.CodeType:
    """Returns code in which what branches and loops became has the function's name."""
    constants = []
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            is_part = constant.co_name.startswith("_cute_")
            constant = named_as(constant, name if is_part else constant.co_name)
            if is_part:
                constant = constant.replace(co_name=name)
                _parts.add(constant)
        constants.append(constant)
    return code.replace(co_consts=tuple(constants))


def is_part(code: types.CodeType) -> bool:
    """Returns whether code is what a branch, a loop or an expression in one became, or a lambda
    or comprehension of the user."""
    return code in _parts or code.co_name[0] == "<"


def variables(frame: Any) -> dict[str, Any]:
    """Returns the variables of the user's function that a frame, or a part of it, is in."""
    found = dict(frame.f_locals)
    while frame is not None and (frame.f_code in _parts or not _is_users(frame)):
        frame = frame.f_back
        if frame is not None and _is_users(frame):
            found = {**frame.f_locals, **found}
    return found


def _is_users(frame: types.FrameType) -> bool:
    file = frame.f_code.co_filename
    return not file.startswith((_PACKAGE, "<frozen")) and not file.endswith("runpy.py")


def _is_part(code: types.CodeType, around: types.CodeType) -> bool:
    return code in _parts and code in around.co_consts


def of_users(tb: types.TracebackType | None) -> types.TracebackType | None:
    """Returns a traceback with the frames of users; all where none is theirs."""
    if os.environ.get("CUTE_TRACEBACK") == "full":
        return tb
    entries, entry = [], tb
    while entry is not None:
        if _is_users(entry.tb_frame):
            if entries and _is_part(entry.tb_frame.f_code, entries[-1].tb_frame.f_code):
                entries.pop()
            entries.append(entry)
        entry = entry.tb_next
    made: types.TracebackType | None = None
    for entry in reversed(entries):
        made = types.TracebackType(made, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return made or tb


def shown(error: BaseException) -> BaseException:
    """Returns an error, to be raised, with the frames of users."""
    if isinstance(error, RecursionError):
        text = (
            f"{error}: a function that calls itself is traced again for each call; end it by a "
            "condition that is known then (const_expr), or write a loop"
        )
        error = RecursionError(text).with_traceback(error.__traceback__)
    return error.with_traceback(of_users(error.__traceback__))


def print_error(kind: Any, error: BaseException, tb: types.TracebackType | None) -> None:
    """Prints an uncaught error and what led to it, in place of ``sys.excepthook``."""
    links: BaseException | None = error
    while links is not None:
        links.__traceback__ = of_users(links.__traceback__)
        links = links.__cause__ or links.__context__
    import traceback

    traceback.print_exception(kind, error, of_users(tb))
