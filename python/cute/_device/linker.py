"""Links kernels, as PTX, with machine code from elsewhere: nvJitLink, which needs no device.

nvJitLink is in the CUDA toolkit, and by itself in the package nvidia-nvjitlink. Kinds of input
have the numbers of its enumeration ``nvJitLinkInputType``.
"""

from __future__ import annotations

import ctypes
import glob
import os
import sys
from typing import Any, Sequence

from .._compat.missing import NotThere
from .._compile.diagnostics import CompileError

_CUBIN, _PTX, _LTOIR, _FATBIN, _OBJECT, _LIBRARY = 1, 2, 3, 4, 5, 6
_BITCODE = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
_NAMES = ("libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so")
# The number of CUDA among the machines of ELF, in bytes 18 and 19.
_OF_CUDA = (190).to_bytes(2, "little")


def _error(text: str) -> CompileError:
    return CompileError([("error", text, None, 0, 0, [])])


def is_bitcode(code: bytes) -> bool:
    """Returns whether a file is LLVM bitcode."""
    return code[:4] in _BITCODE


def _kind_of(name: str, code: bytes) -> int:
    """Returns nvJitLink's number of a file's kind.

    :raises CompileError: for a file that has no code of a device
    """
    if code[:4] == b"\x7fELF":
        return _CUBIN if code[18:20] == _OF_CUDA else _OBJECT
    if code[:4] == b"\x50\xed\x55\xba":
        return _FATBIN
    if code[:8] == b"!<arch>\n":
        return _LIBRARY
    if code[:4] == b"\xed\x43\x4e\x7f":
        return _LTOIR
    if b".version" in code[:4096]:
        return _PTX
    raise _error(f"{name} cannot be linked: it is neither bitcode, PTX, a cubin, a fatbin, an "
                 "object nor a library of objects")


def check(name: str, code: bytes) -> None:
    """:raises CompileError: for a file that cannot be linked"""
    if not is_bitcode(code):
        _kind_of(name, code)


def _places() -> list[str]:
    """Returns where nvJitLink may be: for the loader, in packages, in the toolkit."""
    found = list(_NAMES)
    toolkits = [os.environ.get(name, "") for name in ("CUDA_HOME", "CUDA_PATH")]
    folders = [f"{path}/nvidia/*/lib" for path in sys.path]
    folders += [f"{path}/lib64" for path in (*toolkits, "/usr/local/cuda") if path]
    for folder in folders:
        for name in _NAMES:
            found += glob.glob(os.path.join(folder, name))
    return found


def _library() -> Any:
    """:raises NotThere: where there is no nvJitLink"""
    for place in _places():
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    raise NotThere("objects and fatbins are linked by nvJitLink, which is not here: "
                   "pip install nvidia-nvjitlink, or give LLVM bitcode")


class _Link:
    """A linking in progress."""

    def __init__(self, options: Sequence[str]):
        self.library, self.handle = _library(), ctypes.c_void_p()
        words = (ctypes.c_char_p * len(options))(*(word.encode() for word in options))
        self.call("Create", ctypes.byref(self.handle), ctypes.c_uint32(len(options)), words)

    def call(self, name: str, *arguments: Any) -> None:
        """:raises CompileError: with nvJitLink's own words, if the function fails"""
        status = getattr(self.library, f"nvJitLink{name}")(*arguments)
        if status:
            raise _error(f"nvJitLink ({name}, error {status}): {self.log() or 'no message'}")

    def text(self, what: str) -> bytes:
        size = ctypes.c_size_t()
        if getattr(self.library, f"nvJitLinkGet{what}Size")(self.handle, ctypes.byref(size)):
            return b""
        found = ctypes.create_string_buffer(size.value)
        getattr(self.library, f"nvJitLinkGet{what}")(self.handle, found)
        return found.raw

    def log(self) -> str:
        """What was wrong."""
        text = self.text("ErrorLog") if self.handle else b""
        return text.rstrip(b"\0 \n").decode(errors="replace")

    def add(self, kind: int, code: bytes, name: str) -> None:
        self.call("AddData", self.handle, ctypes.c_int(kind), code, ctypes.c_size_t(len(code)),
                  name.encode())

    def end(self) -> None:
        if self.handle:
            self.library.nvJitLinkDestroy(ctypes.byref(self.handle))


def linked(ptx: bytes, objects: Sequence[tuple[str, bytes]], arch: str, ptxas: str = "") -> bytes:
    """Returns the cubin of kernels with other code.

    :param ptx: the kernels
    :param objects: names of files, and what is in them
    :param arch: what the cubin is for, ``"sm_90a"``
    :param ptxas: options for ptxas
    :raises CompileError: for a function that nothing defines, and code for another architecture
    :raises NotThere: where there is no nvJitLink
    """
    made = _Link([f"-arch={arch}", *(f"-Xptxas={word}" for word in ptxas.split())])
    try:
        # A PTX for nvJitLink may end in a NUL, which it needs.
        made.add(_PTX, ptx.rstrip(b"\0") + b"\0", "kernels.ptx")
        for name, code in objects:
            kind = _kind_of(name, code)
            made.add(kind, code + b"\0" if kind == _PTX else code, os.path.basename(name))
        made.call("Complete", made.handle)
        return made.text("LinkedCubin")
    finally:
        made.end()
