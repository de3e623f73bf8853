"""Switches of the environment: CUTE_NAME, or CUTE_DSL_NAME as programs for CuTe DSL have it."""

from __future__ import annotations

import os


def text(name: str) -> str:
    """Returns the value of CUTE_NAME, of CUTE_DSL_NAME, or nothing."""
    return os.environ.get(f"CUTE_{name}") or os.environ.get(f"CUTE_DSL_{name}") or ""


def is_on(name: str) -> bool:
    """Returns whether a switch is set to other than 0, false, off and no."""
    return not _says_no(text(name))


def keeps(what: str) -> bool:
    """Returns whether ``ir``, ``ptx`` or ``cubin`` is kept: CUTE_KEEP lists it, or
    CUTE_KEEP_PTX and so on is set."""
    listed = [word.strip() for word in text("KEEP").split(",")]
    return what in listed or is_on(f"KEEP_{what.upper()}")


def _says_no(value: str) -> bool:
    return value.strip().lower() in ("", "0", "false", "off", "no")


def cache_folder() -> str:
    """Returns the folder of CUTE_CACHE or CUTE_DSL_CACHE_DIR, or nothing: no cache."""
    if is_on("NO_CACHE") or is_on("DISABLE_FILE_CACHING"):
        return ""
    folder = os.environ.get("CUTE_CACHE") or text("CACHE_DIR")
    return "" if _says_no(folder) else folder


def dump_folder() -> str:
    """Returns the folder for kept files: CUTE_DUMP_DIR's, or the current one."""
    return text("DUMP_DIR") or "."
