"""The options that functions are compiled with."""

from __future__ import annotations

from typing import Any, Sequence

from .. import _bridge
from . import switches as _switches


class Options:
    """Options of ``compile``: architecture, optimization, files that are kept."""

    def __init__(self) -> None:
        self.arch = _switches.text("ARCH")
        self.opt_level = 2
        self.ptxas = ""
        self.nvdisasm = "-g -c"
        self.keep: set[str] = set()
        self.line_info = _switches.is_on("LINEINFO")
        self.dump_folder = ""
        self.is_lazy = False
        self.optimize: bool | str = False
        self.tvm_ffi = False
        self.carries_objects = False
        self.libraries: list[str] = []


class _Option:
    """An option by its class, ``cute.compile[OptLevel(2)](...)``."""

    def __init__(self, value: Any = True):
        self.value = value

    def put(self, options: Options) -> None:
        raise NotImplementedError


class OptLevel(_Option):
    """0 to 3 of LLVM."""

    def put(self, options: Options) -> None:
        if str(self.value) not in ("0", "1", "2", "3"):
            raise ValueError(f"the level of optimization is 0 to 3, not {self.value!r}")
        options.opt_level = int(self.value)


class GPUArch(_Option):
    """The architecture, "sm_90a"."""

    def put(self, options: Options) -> None:
        names = [row["name"] for row in _bridge.architectures()]
        if self.value not in names:
            raise ValueError(
                f"an architecture is sm_90a or the like, not {self.value!r}; there are "
                + ", ".join(names)
            )
        options.arch = self.value


class PtxasOptions(_Option):
    """More options of ptxas."""

    def put(self, options: Options) -> None:
        options.ptxas = self.value


class GenerateLineInfo(_Option):
    """Keeps source lines for profilers."""

    def put(self, options: Options) -> None:
        options.line_info = bool(self.value)


class Lazy(_Option):
    """Delays code generation to the first call, or until the code is requested."""

    def put(self, options: Options) -> None:
        options.is_lazy = bool(self.value)


class Optimize(_Option):
    """Runs passes on the kernels, as ``optimize=True`` or ``optimize="group=8"`` do."""

    def put(self, options: Options) -> None:
        options.optimize = self.value == "True" or self.value


class _Keep(_Option):
    what = ""

    def put(self, options: Options) -> None:
        if self.value:
            options.keep.add(self.what)


class KeepPTX(_Keep):
    """Keeps the PTX, as ``__ptx__`` of the compiled function."""

    what = "ptx"


class KeepCUBIN(_Keep):
    """Keeps the cubin, as ``__cubin__`` of the compiled function."""

    what = "cubin"


class KeepSASS(_Keep):
    """Keeps the cubin's instructions, as ``__sass__`` of the compiled function; nvdisasm of the
    CUDA toolkit prints them."""

    what = "sass"


class NvdisasmOptions(_Option):
    """The options of nvdisasm, "-g -c"."""

    def __init__(self, value: str = "-g -c"):
        super().__init__(value)

    def put(self, options: Options) -> None:
        options.nvdisasm = str(self.value)


class _Refused(_Option):
    """An option of the reference that is off here."""

    advice = ""

    def put(self, options: Options) -> None:
        if self.value:
            raise ValueError(f"{type(self).__name__} is off here; {self.advice}")


class RDC(_Refused):
    """Relocatable code for the device: off here, since kernels are linked as LLVM bitcode."""

    advice = "link LLVM bitcode by cute.LinkLibraries"


class DeviceTarget(_Refused):
    """A function under @cute.jit as a function of the device: off here."""

    advice = "call it in a function under @cute.kernel"


class RemarkFilter(_Refused):
    """Which remarks the compiler prints: off here, ``remarks`` of a compiled function has all."""

    advice = "read remarks of cute.compile(f, ..., optimize=True)"


class RemarkOutput(RemarkFilter):
    """The file of the compiler's remarks: off here, as RemarkFilter."""


class EnableAssertions(_Option):
    """Assertions are always compiled."""

    def put(self, options: Options) -> None:
        pass


class EnableTVMFFI(_Option):
    """Words call errors as TVM-FFI does; torch arrays are also accepted without it."""

    def put(self, options: Options) -> None:
        options.tvm_ffi = bool(self.value)


class DisableCuteExtCompile(EnableAssertions):
    """It has no effect: programs compile the same way with and without it."""


class FrontendNext(_Option):
    """Lets objects of all classes of the program go through branches and loops, not only
    dataclasses: by their attributes, which may change there."""

    def put(self, options: Options) -> None:
        options.carries_objects = bool(self.value)


class LinkLibraries(_Option):
    """Files of LLVM bitcode, separated by commas, that have functions of ``cute.ffi``."""

    def put(self, options: Options) -> None:
        if isinstance(self.value, str):
            options.libraries += filter(None, self.value.split(","))


class DumpDir(_Option):
    """The folder of kept files."""

    def put(self, options: Options) -> None:
        options.dump_folder = str(self.value)


_FLAGS = {
    "--generate-line-info": GenerateLineInfo,
    "--keep-ptx": KeepPTX,
    "--keep-cubin": KeepCUBIN,
    "--keep-sass": KeepSASS,
    "--rdc": RDC,
    "--enable-assertions": EnableAssertions,
    "--enable-tvm-ffi": EnableTVMFFI,
    "--lazy": Lazy,
}
_VALUES = {
    "--opt-level": OptLevel,
    "--optimize": Optimize,
    "--gpu-arch": GPUArch,
    "--arch": GPUArch,
    "--ptxas-options": PtxasOptions,
    "--nvdisasm-options": NvdisasmOptions,
    "--remark-filter": RemarkFilter,
    "--remark-output": RemarkOutput,
    "--dump-dir": DumpDir,
    "--link-libraries": LinkLibraries,
}


def split(text: str) -> list[str]:
    """Returns the words of a command line."""
    if not text:
        return []
    import shlex

    return shlex.split(text)


def read_options(text: str, given: Sequence[Any] = ()) -> Options:
    """Returns the options of a text, "--opt-level 2", and of objects."""
    options = Options()
    words = iter(split(text))
    for word in words:
        name, has_value, value = word.partition("=")
        if word == "--optimize":
            Optimize().put(options)
        elif name in _FLAGS:
            _FLAGS[name](value not in ("0", "false", "False") if has_value else True).put(options)
        elif name in _VALUES:
            _VALUES[name](value if has_value else next(words, "")).put(options)
        else:
            known = ", ".join([*_FLAGS, *_VALUES])
            raise ValueError(f"{word} is not an option of compile; there are {known}")
    for option in given:
        (option() if isinstance(option, type) else option).put(options)
    return options
