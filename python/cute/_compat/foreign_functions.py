"""Functions of device code from elsewhere, which this package does not link."""

from __future__ import annotations

from typing import Any

from .missing import NotThere

__all__ = ["BitCode", "extern", "ffi"]


class BitCode:
    """The place of device code as LLVM bitcode."""

    def __init__(self, path: str):
        self.path = path


class ffi:  # noqa: N801 (the name of the reference)
    """A function of device code by its name; calling it is an error.

    :param params_types: the types of its arguments
    :param return_type: the type of its result
    :param source: where its code is
    """

    def __init__(
        self,
        *,
        name: str | None = None,
        params_types: Any = None,
        return_type: Any = None,
        inline: bool = True,
        source: Any = None,
    ):
        self.name, self.params_types, self.return_type = name, params_types, return_type
        self.source = source

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        path = getattr(self.source, "path", self.source)
        place = f" of {path}" if path else ""
        raise NotThere(
            f"{self.name}{place} is device code from elsewhere, which this package does not "
            "link; inline_ptx and functions under @cute.jit are compiled with the kernel"
        )


def extern(function: Any = None, *, name: str | None = None, source: Any = None,
           **options: Any) -> Any:
    """Declares a function of device code by one whose body is ``...``; calling it is an error."""
    if function is None:
        return lambda f: extern(f, name=name, source=source, **options)
    return ffi(name=name or function.__name__, source=source)
