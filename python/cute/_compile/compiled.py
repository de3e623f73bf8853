"""Compiled functions."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any, Sequence

from .. import _bridge
from . import ir as _ir, switches as _switches
from .._device.devices import CUBIN, PTX
from .diagnostics import launch_error, render
from .ffi_errors import mismatch
from .options import Options, split
from .._compat.foreign_functions import link
from .symbols import check_symbols, shared_symbols


def disassembled(cubin: bytes, options: str) -> str:
    """Returns what nvdisasm prints of a cubin.

    :raises FileNotFoundError: where there is no nvdisasm in PATH or the CUDA toolkit
    """
    import shutil
    import subprocess
    import tempfile

    folders = [os.path.join(os.environ.get(name) or "/usr/local/cuda", "bin")
               for name in ("CUDA_HOME", "CUDA_PATH")]
    tool = shutil.which("nvdisasm") or shutil.which("nvdisasm", path=os.pathsep.join(folders))
    if tool is None:
        raise FileNotFoundError("nvdisasm is not in PATH or CUDA_HOME; it is part of the CUDA "
                                "toolkit, and prints the instructions of a cubin")
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(cubin)
        file.flush()
        command = [tool, *split(options), file.name]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Artifacts:
    """The code of a compiled function, made on demand."""

    def __init__(self, compiled: Compiled):
        self._compiled = compiled

    @property
    def PTX(self) -> str:  # noqa: N802
        return self._compiled.__ptx__

    @property
    def CUBIN(self) -> bytes:  # noqa: N802
        return self._compiled.__cubin__

    @property
    def SASS(self) -> str:  # noqa: N802
        return self._compiled.__sass__

    @property
    def MLIR(self) -> str:  # noqa: N802
        return self._compiled.__mlir__


class Compiled:
    """A host function with its kernels, compiled for some arguments.

    Call it with the arguments that are not Constexpr. With ``optimize``, ``remarks`` has
    the passes' remarks on its kernels, with the user's lines.
    """

    def __init__(self, traced: Any, function: Any, parameters: Sequence[Any], options: Any):
        self.function, self.parameters = function, parameters
        self.options = options or Options()
        self.traced = traced
        self.results = traced.results
        self.environment = traced.environment
        link(traced, self.options.libraries)
        with _ir.errors():
            traced.module.verify()
        self.remarks = self._optimized(traced.passes) if traced.passes else []
        self._show()

    def _optimized(self, passes: bool | str) -> list[str]:
        """Runs passes that change the kernels, and returns their remarks.

        :param passes: options of ``cute-optimize``, or True
        """
        options = f"arch={self.arch}" + (f" {passes}" if isinstance(passes, str) else "")
        with _ir.errors():
            self.traced.module.run_pipeline(f"cute-optimize{{{options}}}")
        remarks = [render(found) for found in _ir.context().take_diagnostics()]
        if _switches.is_on("PRINT_REMARKS"):
            print(*remarks, sep="\n", file=sys.stderr)
        return remarks

    def _show(self) -> None:
        if _switches.is_on("PRINT_IR"):
            print(self.__mlir__)
        for what in ("ir", "ptx", "cubin", "sass"):
            has_place = self.options.dump_folder and what in self.options.keep
            if has_place or _switches.keeps(what):
                self._write(what)

    def _write(self, what: str) -> None:
        """Writes NAME.mlir, NAME.ptx, NAME.cubin or NAME.sass."""
        folder = self.options.dump_folder or _switches.dump_folder()
        os.makedirs(folder, exist_ok=True)
        suffix = "mlir" if what == "ir" else what
        content = {"ir": lambda: self.__mlir__, "ptx": lambda: self.__ptx__,
                   "cubin": lambda: self.__cubin__, "sass": lambda: self.__sass__}[what]()
        with open(os.path.join(folder, f"{self.traced.name}.{suffix}"), "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())

    @property
    def __mlir__(self) -> str:
        """The module as it was traced."""
        return str(self.traced.module)

    @property
    def ir_module(self) -> Any:
        """The module as it was traced; ``str`` of it is its text."""
        return self.traced.module

    @property
    def function_name(self) -> str:
        """The name of the host function, which its files also have."""
        return self.traced.name

    @functools.cached_property
    def arch(self) -> str:
        """The architecture that kernels are compiled for."""
        from .._device import devices as _device

        return self.options.arch or _device.arch()

    @functools.cached_property
    def __ptx__(self) -> str:
        """The kernels as PTX."""
        return self._code(PTX).decode()

    @functools.cached_property
    def __cubin__(self) -> bytes:
        """The kernels as a cubin, made by ptxas; with machine code from elsewhere, by nvJitLink."""
        if self.traced.objects:
            return self.linked(self._code(PTX))
        return self._code(CUBIN)

    def linked(self, ptx: bytes) -> bytes:
        """Returns the cubin of the kernels and of the machine code that they call."""
        from .._device.linker import linked

        return linked(ptx, self.traced.objects, self.arch, self.options.ptxas)

    @functools.cached_property
    def __sass__(self) -> str:
        """The instructions of the cubin, as nvdisasm prints them.

        :raises FileNotFoundError: where there is no nvdisasm in PATH or the CUDA toolkit
        """
        return disassembled(self.__cubin__, self.options.nvdisasm)

    @property
    def artifacts(self) -> Artifacts:
        """PTX, CUBIN, SASS and MLIR by these names."""
        return Artifacts(self)

    def _code(self, emit: int) -> bytes:
        with _ir.errors():
            return self.traced.module.compile(
                self.arch,
                emit,
                self.options.opt_level,
                self.options.ptxas or None,
                self.options.line_info,
            )

    def fits(self, values: Sequence[Any]) -> bool:
        """Returns whether the code is valid for these arguments now."""
        from .arguments import fits

        return self.environment.holds() and all(
            fits(p.what, value) for p, value in zip(self.parameters, values)
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the function."""
        count = len(args)
        if count == len(self._passed) and count != self._all_but_streams and not kwargs:
            return self._run(self._passed, args)
        return self.run(self._dynamic(args, kwargs))

    @functools.cached_property
    def _passed(self) -> list[Any]:
        """The parameters that are not compiled in."""
        from .arguments import Static

        return [p for p in self.parameters if not isinstance(p.what, Static)]

    @functools.cached_property
    def _all_but_streams(self) -> int:
        """The number of arguments if each has its place, including None, except streams
        that are current; -1 where there is no such stream."""
        from .arguments import is_constexpr

        annotations = self.function.annotations
        streams = sum(map(_is_current_stream, self._passed))
        named = [p for p in self.parameters if p.name != "self"
                 and not is_constexpr(annotations.get(p.name))]
        return len(named) - streams if streams else -1

    def _dynamic(self, args: Any, kwargs: Any) -> list[Any]:
        """Returns the arguments of all parameters, static ones from compiling."""
        from .arguments import Static, is_constexpr

        rest, values = list(args), []
        annotations = self.function.annotations
        defaults = self.function.signature.parameters
        needed = self._passed
        streams = [p for p in needed if _is_current_stream(p)]
        given = len(args) + len(kwargs)
        has_places = given == self._all_but_streams
        all_given = given > len(needed) or has_places
        left_out = streams if has_places or given <= len(needed) - len(streams) else []
        for p in self.parameters:
            skip = isinstance(p.what, Static) and (
                not all_given or is_constexpr(annotations.get(p.name)) or p.name == "self"
            )
            if p.name in kwargs:
                values.append(kwargs[p.name])
            elif skip or p in left_out:
                values.append(p.what.value)
            elif rest:
                values.append(rest.pop(0))
            elif defaults[p.name].default is not defaults[p.name].empty:
                values.append(defaults[p.name].default)
            else:
                raise TypeError(f"{self.traced.name} needs an argument for {p.name}")
        self._check_all_taken(rest, kwargs)
        return values

    def _check_all_taken(self, rest: list[Any], kwargs: Any) -> None:
        """Raises where arguments are left, or a name is not a parameter's."""
        unknown = kwargs.keys() - {p.name for p in self.parameters}
        if unknown:
            raise TypeError(f"{self.traced.name} has no parameter {sorted(unknown)[0]}")
        if rest:
            inside = ", ".join(p.name for p in self.parameters if p not in self._passed)
            raise TypeError(
                f"{self.traced.name} takes {len(self._passed)} arguments, and {len(rest)} more "
                "came" + (f"; compiled in: {inside}; compile it again for others" if inside else "")
            )

    def prepare(self, *args: Any, **kwargs: Any) -> Any:
        """Returns a PreparedLaunch, whose calls only write new values.

        :raises PreparedLaunchError: for arguments other than pointers, numbers
            and streams
        """
        from .prepared import PreparedLaunch

        return PreparedLaunch(self, self._dynamic(args, kwargs))

    def export_to_c(
        self,
        file_path: str = "",
        file_name: str | None = None,
        function_prefix: str | None = None,
        *,
        function_name: str | None = None,
        object_file_path: str | None = None,
        enable_pic: bool = True,
        export_only_tvm_ffi_symbols: bool = False,
    ) -> None:
        """Writes an object and a header of C for programs that do not compile.

        :param file_path: the folder of FILE.o and FILE.h; without ``file_name`` the
            object itself
        :param function_prefix: what names in C begin with, and what the function is
            called in ``load_module(FILE)``; or ``function_name``, without either its own
        :param object_file_path: the object alone, without a header, as the reference has it
            for TVM-FFI; with it the two last parameters, which have no effect
        :raises DSLRuntimeError: for parameters that C has no type for
        """
        from .export import export_object, export_to_c

        prefix = function_prefix or function_name or self.traced.name
        if object_file_path is not None:
            export_object(self, object_file_path, prefix)
            return
        if not file_path:
            raise TypeError("export_to_c needs a folder, file_path, or an object_file_path")
        if file_name is None:
            file_path, file_name = os.path.split(file_path)
            file_name = file_name.removesuffix(".o")
        export_to_c(self, file_path, file_name, prefix)

    def generate(self) -> None:
        """Makes the code that calls launch.

        :raises CompileError: where code generation finds an error
        """
        from .._device import devices as _device

        if self.traced.kernels and self.options.arch and not _device.has_arch(self.arch):
            _ = self.__dict__.get("__cubin__") or self.__ptx__  # a kept cubin is all of it
        else:
            _ = self._host

    @functools.cached_property
    def _host(self) -> Any:
        from .._device import devices as _device

        return _device.load(self)

    @functools.cached_property
    def _shared(self) -> tuple[list[Any], list[Any]]:
        """The extents of one symbol, among all parameters and those passed."""
        return shared_symbols(self.parameters), shared_symbols(self._passed)

    def run(self, values: Sequence[Any]) -> Any:
        """Runs the function with an argument for each parameter."""
        return self._run(self.parameters, values)

    def _run(self, parameters: Sequence[Any], values: Sequence[Any]) -> Any:
        host = self._host
        addresses: list[int | bytes] = []
        kept: list[Any] = []
        shared = self._shared[parameters is self._passed]
        if shared:
            check_symbols(shared, parameters, values)
        for i, (parameter, value) in enumerate(zip(parameters, values)):
            before = len(kept)
            try:
                parameter.what.pack(value, addresses, kept)
            except (TypeError, ValueError) as error:
                if not self.options.tvm_ffi:
                    raise
                raise mismatch(error, self.traced.name, parameters, i) from None
            if self.traced.writes.names:
                self.traced.writes.check(parameter.name, kept[before:])
        cells = self.results.cells()
        addresses += [cell.buffer_info()[0] for cell in cells]
        try:
            host.call(addresses, kept)
        except _bridge.Error as error:
            raise launch_error(error.args[0]) from None
        return self.results.read(cells)


def _is_current_stream(parameter: Any) -> bool:
    """Returns whether calls may leave out a parameter: a stream that is torch's."""
    return getattr(getattr(parameter.what, "value", None), "is_current", False) is True
