"""Compiled functions on disk, in the library's cache, found by all that they depend on."""

from __future__ import annotations

from typing import Any, Sequence

from .. import _bridge
from . import switches as _switches
from .diagnostics import CompileError
from .ir import errors

_PREFIX = "cached"


def _key(module: Any, options: Sequence[Any]) -> bytes:
    """Returns the program with its options and the library.

    Where it was written counts where that can be seen: in messages and line tables.
    """
    text = str(module)
    if options[-1] or "assert" in text:
        text = module.text_with_locations()
    return b"\0".join([_bridge.describe_library(), repr(options).encode(), text.encode()])


def host_module(module: Any, function: str, options: Sequence[Any]) -> Any:
    """Returns a compiled module, from disk where the environment names a folder.

    :param options: what HostModule takes after the function
    """
    folder = _switches.cache_folder()
    if not folder:
        return _bridge.HostModule(module, function, *options)
    key = _key(module, options)
    code = _bridge.cache_find(folder, key)
    if code is None:
        try:
            with errors():
                code, _ = module.export(_PREFIX, "", *options)
        except CompileError:
            return _bridge.HostModule(module, function, *options)
        _bridge.cache_keep(folder, key, code)
    return _bridge.HostModule.from_object(code, _PREFIX)
