"""Names of the reference that this package does not have, for programs that only import them.

Many programs for several GPUs import what one of them needs. Such a name, its
attributes and classes made of it can be written; calling one is an error.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

from .missing import NotThere, can_find, no_such_name

# Modules of `cutlass` that are missing here, and what they are for.
MODULES = {
    "cutlass.utils.rubin_helpers": "products of Rubin",
    "cutlass.cute.iket": "events in kernels",
    "cutlass.cute._tvm_ffi_args_spec_converter": "the TVM-FFI",
    "cutlass.base_dsl.cache_helpers": "the inside of CuTe DSL",
    "cutlass.base_dsl.env_manager": "the inside of CuTe DSL",
    "cutlass.base_dsl.jit_executor": "the inside of CuTe DSL",
    "cutlass.base_dsl.tvm_ffi_builder": "the TVM-FFI",
    "cutlass.cutlass_dsl.cuda_jit_executor": "the inside of CuTe DSL",
    "cutlass._mlir.dialects.func": "functions of MLIR by hand",
    "cutlass._mlir.dialects.gpu": "GPU modules by hand",
    "cutlass._mlir.dialects.scf": "branches and loops by hand",
}


class _PlaceholderType(type):
    """The type of classes that are made of a placeholder; none has an object."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        raise _error(cls.__cute_placeholder__)

    def __getattr__(cls, name: str) -> Any:
        return getattr(cls.__cute_placeholder__, name)


def _error(placeholder: Placeholder) -> NotThere:
    name, purpose = placeholder._name, placeholder._purpose
    return NotThere(f"{name} is not there in this package, which leaves out {purpose}")


class Placeholder:
    """A name that can be written, and not called."""

    def __init__(self, name: str, purpose: str):
        self._name, self._purpose = name, purpose

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self._name}.{name}", self._purpose)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise _error(self)

    def __mro_entries__(self, bases: Any) -> tuple[type]:
        return (_PlaceholderType(self._name, (), {"__cute_placeholder__": self}),)

    def __instancecheck__(self, value: Any) -> bool:
        return False

    def __subclasscheck__(self, made: Any) -> bool:
        return False

    def __getitem__(self, item: Any) -> Any:
        return self

    def __or__(self, other: Any) -> Any:
        return Any

    __ror__ = __or__
    __iter__ = None

    def __bool__(self) -> bool:
        raise _error(self)

    def __repr__(self) -> str:
        return f"<{self._name}, which is not there>"


class PlaceholderModule(types.ModuleType):
    """A module whose names are placeholders."""

    def __init__(self, name: str):
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Placeholder(f"{self.__name__}.{name}", purpose_of(self.__name__))


def purpose_of(module: str) -> str | None:
    """Returns what a module that is not there, or one around it, is for; None of others."""
    while module not in MODULES:
        module = module.rpartition(".")[0]
        if not module:
            return None
    return MODULES[module]


# Parts of names in the reference's modules of atoms, and what these names are for.
_ABSENT = {
    "SM107": "sm_107, which LLVM 22 does not know; use the products of sm_100",
    "Override": "copies that change a tensor map, which PTX of LLVM 22 does not have; "
    "use cpasync.update_tma_descriptor",
    "Trait": "atoms by hand; use cute.make_copy_atom",
}


def itself(package: str) -> Any:
    """Returns the ``__getattr__`` of a module that replaces the reference's modules,
    ``copy``, ``mma`` and ``helpers``, too."""

    def find(name: str) -> Any:
        if name in ("copy", "helpers", "mma"):
            return sys.modules[package]
        return _absent(package, name)

    return find


def _absent(package: str, name: str) -> Placeholder:
    for part, purpose in _ABSENT.items():
        if part in name:
            return Placeholder(f"{package}.{name}", purpose)
    raise no_such_name(package, name, vars(sys.modules[package]))


def among(names: dict[str, str], package: str, aliases: dict[str, str] | None = None) -> Any:
    """Returns the ``__getattr__`` of a package that lacks ``names``: what each is for.

    Modules of the package are imported as they are asked for, some by another name.
    """
    aliases = aliases or {}

    def find(name: str) -> Any:
        if name in aliases:
            return importlib.import_module(aliases[name])
        if name in names:
            return Placeholder(f"{package}.{name}", names[name])
        if not name.startswith("_") and can_find(f"{package}.{name}"):
            return importlib.import_module(f"{package}.{name}")
        return _absent(package, name)

    return find
