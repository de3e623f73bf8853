"""Functions of device code from elsewhere: LLVM bitcode, which is linked into kernels and inlined,
or machine code and PTX, which nvJitLink links for a device."""

from __future__ import annotations

import os
from typing import Any, get_type_hints

from .._compile import ir as _ir
from .._values.numeric import Numeric, NumericMeta
from .._values.pointer import Pointer
from .._values.tuples import mangle  # noqa: F401 (a name of the reference's module)
from .missing import NotThere

__all__ = ["BitCode", "extern", "ffi"]


class BitCode:
    """The place of device code as LLVM bitcode, as ``clang -emit-llvm -c`` writes it."""

    def __init__(self, path: str):
        self.path = path


class ffi:  # noqa: N801 (the name of the reference)
    """A function of device code by its name, which kernels call.

    :param params_types: the types of its arguments: numeric types, or ``Pointer``
    :param return_type: the type of its result, a numeric type or None
    :param source: its bitcode, or a file of PTX, a cubin, a fatbin, an object or a library of
        objects, which the simulator cannot run; without it, a library of ``--link-libraries`` must
        have it

    For example::

        twice = cute.ffi(name="twice", params_types=[Float32], return_type=Float32,
                         source=BitCode("twice.bc"))
        ... twice(a[i])  # in a kernel
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
        self.name, self.params_types, self.return_type = name, params_types or [], return_type
        self.source = source

    def __call__(self, *args: Any, loc: Any = None, ip: Any = None) -> Any:
        """Calls the function.

        :raises NotThere: outside of kernels
        :raises TypeError: for another number of arguments, or one of another kind
        """
        path = getattr(self.source, "path", self.source)
        trace = _ir.trace()
        if trace is None or trace.kernel is None:
            raise NotThere(f"{self.name} is device code from elsewhere: only kernels call it")
        if len(args) != len(self.params_types):
            raise TypeError(f"{self.name} takes {len(self.params_types)} arguments, not {len(args)}")
        operands = [_passed(self.name, kind, value) for kind, value in zip(self.params_types, args)]
        results = [_ir.type(_text(self.return_type))] if self.return_type else []
        _declare(trace, self.name, [_text(kind) for kind in self.params_types],
                 _text(self.return_type) if results else "void", path)
        attributes = {"callee": _ir.parsed(f"@{self.name}"),
                      "operandSegmentSizes": _ir.attribute([len(operands), 0]),
                      "op_bundle_sizes": _ir.parsed("array<i32>")}
        made = trace.create("llvm.call", operands, attributes, results)
        return self.return_type(made.results[0]) if results else None


def _text(kind: Any) -> str:
    """Returns the type that arguments and results of a kind are passed as."""
    if isinstance(kind, NumericMeta):
        return kind.ir_name
    if isinstance(kind, type) and issubclass(kind, Pointer):
        return "!llvm.ptr"
    raise TypeError(f"functions from elsewhere take numbers and pointers, not {kind!r}")


def _passed(name: Any, kind: Any, value: Any) -> Any:
    text = _text(kind)
    if text != "!llvm.ptr":
        return kind(value).ir_value()
    if not isinstance(value, Pointer):
        raise TypeError(f"{name} takes a pointer, not {value!r}")
    place = value.to_llvm_ptr()
    if _ir.text_of(place.type) == text:
        return place
    return _ir.require(name).create("llvm.addrspacecast", [place], None, [_ir.type(text)]).results[0]


def _declare(trace: Any, name: Any, types: list[str], result: str, path: str | None) -> None:
    """Declares the function in the module of kernels, for ``link``."""
    if name not in trace.traced.foreign:
        signature = _ir.type(f"!llvm.func<{result} ({', '.join(types)})>")
        with trace.at(trace.traced.gpu_block):
            trace.create("llvm.func", (), {
                "sym_name": _ir.attribute(name), "function_type": _ir.attribute(signature),
                "linkage": _ir.parsed("#llvm.linkage<external>")}, [], 1)
    trace.traced.foreign[name] = path


def link(traced: Any, libraries: list[str]) -> None:
    """Gives kernels the code of the functions that they declare, and of libraries.

    ``traced.objects`` gets what is not bitcode, for ``linker.linked``.

    :raises NotThere: for a function without code where there is no library
    :raises CompileError: for a file without code of a device
    """
    missing = [name for name, path in traced.foreign.items() if path is None]
    if missing and not libraries:
        raise NotThere(f"{missing[0]} is linked as bitcode: source=BitCode(path), or "
                       "options='--link-libraries=path'")
    paths = sorted({*filter(None, traced.foreign.values()), *libraries})
    if not paths:
        return
    from .._device.linker import check, is_bitcode

    files, traced.objects = [], []
    for path in paths:
        with open(path, "rb") as file:
            code = file.read()
        check(os.path.basename(path), code)
        if is_bitcode(code):
            text = "".join(f"\\{byte:02X}" for byte in code)
            files.append(f'"{os.path.basename(path)}" = "{text}"')
        else:
            traced.objects.append((path, code))
    if files and traced.kernels:
        traced.gpu_module.set_attribute("cute.link", _ir.parsed("{" + ", ".join(files) + "}"))


def extern(function: Any = None, *, name: str | None = None, source: Any = None,
           **options: Any) -> Any:
    """Declares a function of device code by one whose body is ``...``; its annotations give the
    types of arguments and result."""
    if function is None:
        return lambda f: extern(f, name=name, source=source, **options)
    kinds = get_type_hints(function)
    returned = kinds.pop("return", None)
    return ffi(name=name or function.__name__, params_types=list(kinds.values()),
               return_type=None if returned is type(None) else returned, source=source)
