"""Exported functions as modules of TVM-FFI: the text in C of __tvm_ffi_NAME, which
include/cute/TvmFfi.h calls functions with, compiled into the object."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from typing import Any, Iterator

from .. import runtime
from .._values import numeric as _numeric
from .diagnostics import DSLRuntimeError

# The codes that DLPack has for element types; of others the bits alone are compared.
_CODES = {"Int": 0, "Uint": 1, "Float16": 2, "Float32": 2, "Float64": 2, "BFloat16": 4, "Boolean": 6}

_TEXT = """#include <cute/TvmFfi.h>
extern const CuteExportedModule {name}_module;
{extents}static const CuteTvmParameter parameters[] = {{
{parameters}  {{"", CUTE_TVM_OF_NOTHING, 0, 0, 0, 1, NULL, NULL}}}};
static CuteTvmFunction function = {{"{name}", &{name}_module, parameters, {count},
                                   {taken}, {simulated}, 0, {{NULL}}, {{0}}}};
__attribute__((visibility("default"))) int __tvm_ffi_{name}(
    void *self, const CuteTvmAny *arguments, int count, CuteTvmAny *result);
int __tvm_ffi_{name}(void *self, const CuteTvmAny *arguments, int count,
                     CuteTvmAny *result) {{
  int64_t values[{slots}];
  void *addresses[{slots}];
  (void)self;
  return cuteTvmCall(&function, arguments, count, values, addresses, result);
}}
"""


def _code_of(dtype: Any) -> int:
    name = dtype.__name__
    known = _CODES.get(name, _CODES.get(name.rstrip("0123456789"), -1))
    return known if dtype.width >= 8 or name == "Boolean" else -1


def _bits_of(dtype: Any) -> int:
    """Returns the bits of an element as DLPack counts them, 0 where several share a byte."""
    return 8 if dtype.__name__ == "Boolean" else dtype.width if dtype.width >= 8 else 0


class _Writer:
    """The code written so far, for parameters whose notes export.py makes."""

    def __init__(self) -> None:
        self.extents: list[str] = []
        self.slots = 1

    def _extents_of(self, values: list[int], dynamic: dict[str, list[int]]) -> str:
        self.slots += len(dynamic)
        rows = [dynamic.get(str(i), [0, value]) for i, value in enumerate(values)]
        made = f"extents_{len(self.extents)}"
        cells = ", ".join(f"{{{bits}, {value}}}" for bits, value in rows) or "{0, 0}"
        self.extents.append(f"static const CuteTvmExtent {made}[] = {{{cells}}};\n")
        return made

    def rows(self, name: str, note: dict[str, Any]) -> Iterator[str]:
        """Returns the CuteTvmParameters of a note, a line for each."""
        kind, dtype = note["is"], getattr(_numeric, note.get("type", ""), None)
        self.slots += kind in ("tensor", "number", "pointer", "stream")
        fields = {"bits": 0, "code": -1, "rank": 0, "align": 1, "shape": "NULL", "stride": "NULL"}
        if kind == "tensor":
            fields |= {"bits": _bits_of(dtype), "code": _code_of(dtype),
                       "rank": len(note["shape"]), "align": note["align"],
                       "shape": self._extents_of(note["shape"], note["dynamic_shape"]),
                       "stride": self._extents_of(note["stride"], note["dynamic_stride"])}
        elif kind == "number":
            fields["bits"] = dtype.width
            kind = "float" if dtype.is_float else "integer"
        elif kind == "tuple":
            fields["rank"] = len(note["parts"])
        elif kind == "stream":
            kind = "current_stream" if note.get("current") else "pointer"
        elif kind == "static":
            kind = "nothing"
        yield f'  {{"{name}", CUTE_TVM_OF_{kind.upper()}, {", ".join(map(str, fields.values()))}}},\n'
        for i, part in enumerate(note.get("parts", ())):
            yield from self.rows(f"{name}[{i}]", part)


def text_of(name: str, notes: list[dict[str, Any]], is_simulated: bool) -> str:
    """Returns C for a function that was exported by this name, with notes on its parameters."""
    writer = _Writer()
    given = [note for note in notes if not note.get("left_out")]
    rows = [row for note in given for row in writer.rows(note["name"], note)]
    return _TEXT.format(name=name, parameters="".join(rows), extents="".join(writer.extents),
                        count=len(rows), taken=sum(not n.get("current") for n in given),
                        simulated=int(is_simulated), slots=writer.slots)


def add_to(code: bytes, text: str) -> bytes:
    """Returns an object with what a C compiler, CC or cc, makes of a text besides.

    :raises DSLRuntimeError: where there is no C compiler, or it finds an error
    """
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if not compiler:
        raise DSLRuntimeError("--enable-tvm-ffi: an exported function needs a C compiler, and there "
                              "is none: install gcc, or name one in CC")
    with tempfile.TemporaryDirectory() as folder:
        path = {name: os.path.join(folder, name) for name in ("code.o", "call.c", "call.o", "all.o")}
        with open(path["code.o"], "wb") as file:
            file.write(code)
        with open(path["call.c"], "w", encoding="utf-8") as file:
            file.write(text)
        for command in (
            ["-std=gnu17", "-O2", "-fPIC", "-fno-stack-protector", "-I", runtime.find_runtime_headers(),
             "-c", path["call.c"], "-o", path["call.o"]],
            ["-r", "-nostdlib", path["code.o"], path["call.o"], "-o", path["all.o"]],
        ):
            done = subprocess.run([*compiler.split(), *command], capture_output=True, text=True, check=False)
            if done.returncode:
                raise DSLRuntimeError(f"--enable-tvm-ffi: {compiler} fails: {done.stderr.strip()[-800:]}")
        with open(path["all.o"], "rb") as file:
            return file.read()
