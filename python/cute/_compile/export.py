"""Compiled functions in files: objects with a header of C, and back into Python.

An exported object has the host function, its kernels and a note, in JSON, of what
its parameters are. Leaves of tensors are passed as C has them: who calls says which
extents and strides are dynamic, and compiled-in ones are not compared.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import os
from typing import Any, Iterator

from .. import _bridge, runtime
from .._compat.missing import NotThere
from .._device import devices as _device
from . import ir as _ir, tvm_ffi_export
from .._values import numeric as _numeric, text as _text
from .arguments import Converted, Parameter, Passed, Scalar, Static, Tree, _StreamOf
from .arguments import _STATIC, is_constexpr
from .diagnostics import DSLRuntimeError, launch_error
from .._values.pointer import AddressSpace

_VERSION = 1

# ---- Parameters as JSON -----------------------------------------------------


def _leaves(dynamic: dict[int, _text.Dynamic]) -> dict[str, list[int]]:
    return {str(i): [d.width, d.divisor] for i, d in sorted(dynamic.items())}


def _tensor_note(tensor: runtime.Tensor) -> dict[str, Any]:
    return {
        "is": "tensor",
        "type": tensor.element_type.__name__,
        "shape": list(tensor._shape),
        "stride": list(tensor._stride),
        "dynamic_shape": _leaves(tensor._dynamic_shape),
        "dynamic_stride": _leaves(tensor._dynamic_stride),
        "is_host": tensor._is_host,
        "align": tensor._align,
    }


def _note_of(what: Any) -> dict[str, Any]:
    """Describes a parameter.

    :raises DSLRuntimeError: for an object that C has no type for
    """
    if isinstance(what, Static):
        return {"is": "static"}
    if isinstance(what, Scalar):
        return {"is": "number", "type": what.dtype.__name__}
    if isinstance(what, Tree) and isinstance(what.value, (tuple, list)):
        return {"is": "tuple", "parts": [_note_of(child) for child in what.children]}
    what = what.inner if isinstance(what, Converted) else what
    value = getattr(what, "value", None)
    if isinstance(what, _StreamOf) or isinstance(value, runtime._FakeStream):
        return {"is": "stream", "current": getattr(value, "is_current", False)}
    if isinstance(value, runtime.Tensor):
        return _tensor_note(value)
    if isinstance(value, runtime.Pointer):
        return {"is": "pointer", "type": value.dtype.__name__,
                "space": value.memspace.name, "align": value.alignment}
    raise DSLRuntimeError(
        f"{type(value).__name__} cannot be exported: tensors, pointers, numbers, streams "
        "and tuples of them can"
    )


def _dynamic(leaves: dict[str, list[int]]) -> dict[int, _text.Dynamic]:
    return {int(i): _text.Dynamic(*d) for i, d in leaves.items()}


def _tensor_of(note: dict[str, Any]) -> runtime.Tensor:
    made = runtime.Tensor(
        None, getattr(_numeric, note["type"]), note["shape"], note["stride"],
        is_host=note["is_host"], align=note["align"],
    )
    made._dynamic_shape = _dynamic(note["dynamic_shape"])
    made._dynamic_stride = _dynamic(note["dynamic_stride"])
    return made


class _ByLeaves(Passed):
    """A tensor whose dynamic leaves are passed as they come."""

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        tensor = value if isinstance(value, runtime.Tensor) else runtime.from_dlpack(value)
        mine, theirs = self.value, tensor
        if mine.element_type.width != theirs.element_type.width or not (
            len(mine._dynamic_shape) == len(theirs._dynamic_shape)
            and len(mine._dynamic_stride) == len(theirs._dynamic_stride)
        ):
            tensor = mine.__cute_adapt__(tensor)
        addresses += tensor.__c_pointers__()
        kept.append(tensor)


class _Unknown(Static):
    """A value that was compiled in, which the file does not say."""

    def pack(self, value: Any, addresses: list[int], kept: list[Any]) -> None:
        """Passes nothing."""


def _what_of(note: dict[str, Any]) -> Any:
    """Returns a packer for a parameter with this note."""
    kind = note["is"]
    if kind == "static":
        return _Unknown(None)
    if kind == "number":
        return Scalar(getattr(_numeric, note["type"]))
    if kind == "stream" and note.get("current"):
        return Passed(runtime.make_fake_stream(use_tvm_ffi_env_stream=True))
    if kind == "stream":
        return _StreamOf(runtime)
    if kind == "tensor":
        return _ByLeaves(_tensor_of(note))
    if kind == "pointer":
        space = AddressSpace[note["space"]]
        return Passed(runtime.Pointer(0, getattr(_numeric, note["type"]), space, note["align"]))
    parts = [_what_of(part) for part in note["parts"]]
    return Tree(tuple(None for _ in parts), parts)


# ---- A header of C ----------------------------------------------------------

_C_TYPES = {1: "bool", 8: "int8_t", 16: "int16_t", 32: "int32_t", 64: "int64_t"}


@dataclasses.dataclass
class _CParameter:
    """A parameter of the C function: its declaration, and its passed parts."""

    declaration: str
    passed: list[str]
    before: str = ""
    types: str = ""


def _number(name: str, dtype: Any) -> _CParameter:
    kinds = {"Float32": "float", "Float64": "double"}
    c_type = kinds.get(dtype.__name__, _C_TYPES.get(dtype.width, "int64_t"))
    return _CParameter(f"{c_type} {name}", [f"&{name}"])


def _extents(name: str, dynamic: dict[str, list[int]], least: int) -> tuple[str, int]:
    """Returns the member of a struct for dynamic leaves, and how many there are."""
    if not dynamic:
        return "", 0
    width = max([least, *(d[0] for d in dynamic.values())])
    return f"  int{width}_t {name}[{len(dynamic)}];\n", len(dynamic)


def _tensor(prefix: str, name: str, note: dict[str, Any]) -> _CParameter:
    shapes, n = _extents("dynamic_shapes", note["dynamic_shape"], 32)
    strides, m = _extents("dynamic_strides", note["dynamic_stride"], 32)
    made = f"{prefix}_Tensor_{name}_t"
    types = f"typedef struct {{\n  void *data;\n{shapes}{strides}}} {made};\n"
    passed = [f"&{name}->data"]
    passed += [f"&{name}->dynamic_shapes[{i}]" for i in range(n)]
    passed += [f"&{name}->dynamic_strides[{i}]" for i in range(m)]
    return _CParameter(f"{made} *{name}", passed, types=types)


def _c_parameters(prefix: str, name: str, note: dict[str, Any]) -> Iterator[_CParameter]:
    kind = note["is"]
    if kind == "tensor":
        yield _tensor(prefix, name, note)
    elif kind == "number":
        yield _number(name, getattr(_numeric, note["type"]))
    elif kind in ("stream", "pointer"):
        yield _CParameter(f"void *{name}", [f"&{name}"])
    elif kind == "tuple":
        for i, part in enumerate(note["parts"]):
            yield from _c_parameters(prefix, f"{name}_{i}", part)


_MODULE = """
#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {{
#endif

#ifndef CUTE_EXPORT_DEVICE
#define CUTE_EXPORT_DEVICE 0 // or CUTE_DEVICE_SIMULATED
#endif

typedef struct {{
  CuteDevice *device;
  CuteKernelSet *kernels;
}} {prefix}_Kernel_Module_t;

// Says what a status says, which ends; 0 if it is none.
static inline int32_t {prefix}_Report(CuteStatus status) {{
  if (!status)
    return 0;
  fprintf(stderr, "{prefix}: %s\\n", cuteStatusGetMessage(status));
  cuteStatusDestroy(status);
  return 1;
}}

// Brings the kernels to the device; 0, or 1 after a message.
static inline int32_t
{prefix}_Kernel_Module_Load({prefix}_Kernel_Module_t *module) {{
  module->device = NULL;
  module->kernels = NULL;
  CuteStatus status = cuteDeviceCreate(CUTE_EXPORT_DEVICE, &module->device);
  if (!status)
    status = cuteExportedModuleLoad(&{prefix}_module, module->device,
                                    &module->kernels);
  return {prefix}_Report(status);
}}

static inline void
{prefix}_Kernel_Module_Unload({prefix}_Kernel_Module_t *module) {{
  cuteKernelSetDestroy(module->kernels);
  cuteDeviceDestroy(module->device);
}}
{types}
// Runs the function; 0, or 1 after a message.
static inline int32_t cute_dsl_{prefix}_wrapper(
    {declarations}) {{
  void *arguments[] = {{{passed}}};
  CuteHostContext context = {{module->kernels, NULL, NULL}};
  return {prefix}_Report(cuteHostCall({prefix}_module.functions[0], arguments,
                                      &context));
}}

#ifdef __cplusplus
}}
#endif
"""


def _typed_header(prefix: str, parameters: list[dict[str, Any]]) -> str:
    """Returns the C functions by the names that programs for CuTe DSL know."""
    made = [p for note in parameters for p in _c_parameters(prefix, note["name"], note)]
    declarations = [f"{prefix}_Kernel_Module_t *module", *(p.declaration for p in made)]
    return _MODULE.format(
        prefix=prefix,
        types="".join("\n" + p.types for p in made if p.types),
        declarations=",\n    ".join(declarations),
        passed=", ".join([x for p in made for x in p.passed] + ["NULL"]),
    )


# ---- Writing ----------------------------------------------------------------


def _device_code() -> int:
    """Returns the form of kernels: the simulator's where there is no device."""
    is_simulated = not _device.compile_only and _device.ordinal() == _bridge.SIMULATED
    return _device.LLVM_IR if is_simulated else _device.PTX


def _notes(compiled: Any) -> list[dict[str, Any]]:
    """Describes the parameters; for static ones, whether calls pass None for them."""
    annotations = compiled.function.annotations
    notes = [{"name": p.name, **_note_of(p.what)} for p in compiled.parameters]
    for note in notes:
        if note["is"] == "static":
            note["left_out"] = is_constexpr(annotations.get(note["name"])) or note["name"] == "self"
    return notes


def _exported(compiled: Any, prefix: str, notes: Any) -> tuple[bytes, str]:
    """Returns the object and the header of a compiled function."""
    if compiled.results:
        raise DSLRuntimeError(f"{compiled.traced.name} returns a number; it cannot be exported")
    if compiled.traced.objects:
        raise NotThere(f"{os.path.basename(compiled.traced.objects[0][0])}: objects are linked when "
                       "kernels are loaded, which exported code does not do; give LLVM bitcode")
    options = compiled.options
    form = _device_code()
    with _ir.errors():
        code, header = compiled.traced.module.export(
            prefix, json.dumps({"version": _VERSION, "parameters": notes}),
            compiled.arch, form, options.opt_level, options.ptxas or None,
            options.line_info,
        )
    if options.tvm_ffi:
        text = tvm_ffi_export.text_of(prefix, notes, form == _device.LLVM_IR)
        code = tvm_ffi_export.add_to(code, text)
    return code, header


def export_object(compiled: Any, path: str, function_prefix: str) -> None:
    """Writes the object of a compiled function to a path."""
    code, _ = _exported(compiled, function_prefix, _notes(compiled))
    with open(path, "wb") as file:
        file.write(code)


def export_to_c(compiled: Any, file_path: str, file_name: str, function_prefix: str) -> None:
    """Writes FILE.o and FILE.h of a compiled function into a folder."""
    notes = _notes(compiled)
    code, header = _exported(compiled, function_prefix, notes)
    os.makedirs(file_path or ".", exist_ok=True)
    base = os.path.join(file_path, file_name)
    with open(base + ".o", "wb") as file:
        file.write(code)
    with open(base + ".h", "w", encoding="utf-8") as file:
        end = header.rindex("#endif")
        file.write(header[:end].rstrip() + "\n" + _typed_header(function_prefix, notes) + "\n#endif\n")


# ---- Loading ----------------------------------------------------------------


class ExportedFunction:
    """A function of a module that was loaded: called with what was not compiled in."""

    def __init__(self, host: Any, name: str):
        note = json.loads(host.note or "{}")
        if note.get("version") != _VERSION:
            raise DSLRuntimeError(f"{name} was not exported by this version of the package")
        host.load(_device.ordinal())
        self.__name__ = name
        self._host = _device.running(host, host.manifest is not None)
        self._parameters = [
            Parameter(n["name"], "POSITIONAL_OR_KEYWORD", _what_of(n))
            for n in note["parameters"]
            if n["is"] != "static"
        ]
        self._places = [n for n in note["parameters"] if not n.get("left_out", n["is"] == "static")]
        self.__signature__ = inspect.Signature(
            [
                inspect.Parameter(p.name, inspect.Parameter.POSITIONAL_OR_KEYWORD)
                for p in self._parameters
            ]
        )

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Runs the function: with what was not compiled in, or with an argument in each
        place, as None of a tensor that is none. Current streams may be left out."""
        bound = self.__signature__.bind(*self._given(args), **kwargs)
        addresses: list[int] = []
        kept: list[Any] = []
        for parameter in self._parameters:
            parameter.what.pack(bound.arguments[parameter.name], addresses, kept)
        try:
            self._host.call(addresses, kept)
        except _bridge.Error as error:
            raise launch_error(error.args[0]) from None

    def _given(self, args: tuple[Any, ...]) -> list[Any]:
        """Returns the arguments of what was not compiled in.

        As many as there are places, without current streams, are one for each.
        """
        dynamic = [n for n in self._places if n["is"] != "static"]
        streams = [n for n in dynamic if n.get("current")]
        without = [n for n in self._places if n not in streams]
        passed = [n for n in dynamic if n not in streams]
        for places in (without if streams else dynamic, dynamic, self._places, passed):
            pairs = list(zip(places, args))
            static = [x for n, x in pairs if n["is"] == "static"]
            if len(args) == len(places) and all(isinstance(x, _STATIC) for x in static):
                given = {id(n): x for n, x in pairs}
                current = runtime.make_fake_stream(use_tvm_ffi_env_stream=True)
                return [given.get(id(n), current) for n in dynamic]
        return list(args)


class ExportedModule:
    """A file that was exported; its functions are attributes, by their prefixes."""

    def __init__(self, path: str):
        self._path = os.path.abspath(path)
        with open(self._path, "rb") as file:
            self._content = file.read()
        if self._content[:4] != b"\x7fELF":
            raise DSLRuntimeError(f"{path} is neither an object nor a shared library")

    @property
    def _is_object(self) -> bool:
        return int.from_bytes(self._content[16:18], "little") == 1

    def __getattr__(self, name: str) -> ExportedFunction:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            if self._is_object:
                host = _bridge.HostModule.from_object(self._content, name)
            else:
                host = _bridge.HostModule.from_library(self._path, f"{name}_module")
        except (_bridge.Error, OSError) as error:
            raise AttributeError(f"{self._path} has no function {name}: {error}") from None
        made = ExportedFunction(host, name)
        setattr(self, name, made)
        return made

    def __getitem__(self, name: str) -> ExportedFunction:
        return getattr(self, name)


def load_module(file_path: str, **options: Any) -> ExportedModule:
    """Returns the functions of an object that export_to_c wrote, or of a shared library
    of such objects.

    :raises DSLRuntimeError: for a file of another kind
    """
    return ExportedModule(file_path)
