"""Lets programs that import ``cutlass`` have this package.

``import cute.as_cutlass`` does so; a ``cutlass`` that is imported already stays.
What has no counterpart raises an error that says so.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.metadata
import importlib.util
import os
import re
import sys
import types
from typing import Any, Iterator

from ._compat.missing import NotThere, can_find
from ._compat.placeholders import PlaceholderModule, purpose_of


# Modules of `cutlass` that are modules of ours under another name.
_SAME = {
    "cutlass": "cute.dsl",
    "cutlass.cute": "cute",
    "cutlass.cute.core": "cute.core",
    "cutlass.cute.algorithm": "cute",
    "cutlass.cute.atom": "cute",
    "cutlass.cute.tensor": "cute",
    "cutlass.cute.tuple": "cute",
    "cutlass.cute.typing": "cute.typing",
    "cutlass.base_dsl.ffi": "cute._compat.foreign_functions",
    "cutlass.cute.arch": "cute.arch",
    "cutlass.cute.arch.nvvm_wrappers": "cute.arch",
    "cutlass.cute.arch.clc": "cute.arch",
    "cutlass.cute.arch.elect": "cute.arch",
    "cutlass.cute.arch.mbar": "cute.arch",
    "cutlass.cute.arch.numeric_conversion": "cute.arch",
    "cutlass.cute.arch.smem": "cute.arch",
    "cutlass.cute.arch.tmem": "cute.arch",
    "cutlass.cute.math": "cute.math",
    "cutlass.cute.runtime": "cute.runtime",
    "cutlass.cute.testing": "cute.testing",
    "cutlass.cute.nvgpu": "cute.nvgpu",
    "cutlass.cute.nvgpu.common": "cute.nvgpu.common",
    "cutlass.cute.nvgpu.helpers": "cute.nvgpu",
    "cutlass.cute.nvgpu.warp": "cute.nvgpu.warp",
    "cutlass.cute.nvgpu.warp.copy": "cute.nvgpu.warp",
    "cutlass.cute.nvgpu.warp.mma": "cute.nvgpu.warp",
    "cutlass.cute.nvgpu.cpasync": "cute.nvgpu.cpasync",
    "cutlass.cute.nvgpu.cpasync.copy": "cute.nvgpu.cpasync",
    "cutlass.cute.nvgpu.cpasync.helpers": "cute.nvgpu.cpasync",
    "cutlass.cute.nvgpu.warpgroup": "cute.nvgpu.warpgroup",
    "cutlass.cute.nvgpu.warpgroup.helpers": "cute.nvgpu.warpgroup",
    "cutlass.cute.nvgpu.warpgroup.mma": "cute.nvgpu.warpgroup",
    "cutlass.cute.nvgpu.tcgen05": "cute.nvgpu.tcgen05",
    "cutlass.cute.nvgpu.tcgen05.copy": "cute.nvgpu.tcgen05",
    "cutlass.cute.nvgpu.tcgen05.helpers": "cute.nvgpu.tcgen05",
    "cutlass.cute.nvgpu.tcgen05.mma": "cute.nvgpu.tcgen05",
    "cutlass.utils": "cute.utils",
    "cutlass.memory": "cute.utils",
    "cutlass.memory.smem": "cute.utils",
    "cutlass.memory.tmem": "cute.utils",
    "cutlass.tensor_utils": "cute.utils",
    "cutlass.tensor_utils.layout": "cute.utils",
    "cutlass.tensor_utils.tensormap": "cute.utils",
    "cutlass.utils.ampere_helpers": "cute.utils",
    "cutlass.utils.distributed_helpers": "cute.utils.distributed",
    "cutlass.utils.dynamic_persistent_tile_scheduler": "cute.utils",
    "cutlass.utils.grouped_gemm_persistent_tile_scheduler": "cute.utils",
    "cutlass.utils.grouped_gemm_tile_scheduler_helper": "cute.utils",
    "cutlass.utils.print_latex": "cute.utils.latex",
    "cutlass.utils.smem_allocator": "cute.utils",
    "cutlass.utils.smem_capacity": "cute.utils",
    "cutlass.utils.static_persistent_tile_scheduler": "cute.utils",
    "cutlass.pipeline": "cute.pipeline",
    "cutlass.pipeline.helpers": "cute.pipeline",
    "cutlass.pipeline.sm90": "cute.pipeline",
    "cutlass.pipeline.sm100": "cute.pipeline",
    "cutlass.torch": "cute.torch",
    "cutlass.testing": "cute.testing",
    "cutlass.cutlass_dsl": "cute.dsl",
    "cutlass.cutlass_dsl.cutlass": "cute.dsl",
    "cutlass.cutlass_dsl.tree_utils": "cute.dsl",
    "cutlass.address_space": "cute.typing",
    "cutlass.base_dsl": "cute.dsl",
    "cutlass.base_dsl.jit_executor": "cute._compile.jit_executor",
    "cutlass.base_dsl.arch": "cute.dsl",
    "cutlass.base_dsl.version_info": "cute.dsl",
    "cutlass.runtime": "cute.runtime",
    "cutlass.base_dsl.export": "cute.export",
    "cutlass.base_dsl.export.external_binary_module": "cute.export",
    "cutlass.base_dsl.ast_helpers": "cute.dsl",
    "cutlass.base_dsl.ast_preprocessor": "cute._compat.ast_preprocessor",
    "cutlass.base_dsl.common": "cute.dsl",
    "cutlass.base_dsl.compiler": "cute.dsl",
    "cutlass.base_dsl.dsl": "cute.dsl",
    "cutlass.base_dsl.enums": "cute.dsl",
    "cutlass.utils.sm90": "cute.utils.hopper_helpers",
    "cutlass.utils.sm100": "cute.utils.blackwell_helpers",
    "cutlass.base_dsl._mlir_helpers": "cute._mlir",
    "cutlass._mlir_helpers": "cute._mlir",
    "cutlass._mlir_helpers.dialect_proxy": "cute._mlir",
    "cutlass._mlir_helpers.arith": "cute._mlir.helpers",
    "cutlass._mlir_helpers.math": "cute.math",
    "cutlass._mlir_helpers.vector": "cute.vector",
    "cutlass.base_dsl._mlir_helpers.arith": "cute._mlir.dialects.arith",
    "cutlass.base_dsl._mlir_helpers.op": "cute.dsl",
    "cutlass._mlir.dialects._nvvm_enum_gen": "cute._mlir.dialects.nvvm",
    "cutlass._mlir.extras": "cute._mlir",
    "cutlass._mlir.extras.types": "cute._mlir.types",
    "cutlass.base_dsl.typing": "cute.typing",
    "cutlass.experimental": "cute.instructions",
    "cutlass.experimental.cuda": "cute.instructions.cuda",
    "cutlass.experimental.cuda.tensor_map": "cute.instructions.cuda",
    "cutlass.experimental.primitives": "cute.instructions.primitives",
    "cutlass.experimental.task_scheduling": "cute.task_scheduling",
    "cutlass.experimental.task_scheduling.enums": "cute.task_scheduling.enums",
    "cutlass.experimental.task_scheduling.exhaustive_checker": "cute.task_scheduling.exhaustive_checker",
    "cutlass.experimental.task_scheduling.memory": "cute.task_scheduling.memory",
    "cutlass.experimental.task_scheduling.pipeline": "cute.task_scheduling.pipeline",
    "cutlass.experimental.task_scheduling.pipeline_group": "cute.task_scheduling.pipeline_group",
    "cutlass.experimental.task_scheduling.resources": "cute.task_scheduling.resources",
    "cutlass.experimental.task_scheduling.schedule_builder": "cute.task_scheduling.schedule_builder",
    "cutlass.experimental.task_scheduling.task": "cute.task_scheduling.task",
    "cutlass.experimental.task_scheduling.task_manager": "cute.task_scheduling.task_manager",
    "cutlass.cuda": "cute.cuda",
    "cutlass.base_dsl.runtime": "cute.dsl",
    "cutlass.base_dsl.runtime.jit_arg_adapters": "cute.dsl",
    "cutlass._mlir._mlir_libs": "cute._mlir",
    "cutlass._mlir._mlir_libs._cutlass_ir": "cute._mlir",
    "cutlass._mlir._mlir_libs._cutlass_ir._mlir": "cute._mlir",
    "cutlass._mlir._mlir_libs._cutlass_ir._mlir.ir": "cute._mlir.ir",
    "cutlass.base_dsl.runtime.cuda": "cute.cuda",
}


def _ours(name: str) -> str:
    """Returns our module for one of `cutlass`."""
    if name in _SAME:
        return _SAME[name]
    return "cute" + name[len("cutlass.cute" if name.startswith("cutlass.cute.") else "cutlass") :]


class _Distribution(importlib.metadata.Distribution):
    """Metadata of the package whose names these are: the version that they follow."""

    name = "nvidia-cutlass-dsl"

    def read_text(self, filename: str) -> str | None:
        if filename != "METADATA":
            return None
        version = importlib.import_module("cute.dsl").__version__
        return f"Metadata-Version: 2.1\nName: {self.name}\nVersion: {version}\n"

    def locate_file(self, path: Any) -> Any:
        return os.path.join(os.path.dirname(__file__), path)


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `cutlass` and its modules."""

    def find_distributions(self, context: Any = None) -> Iterator[Any]:
        """Yields the metadata of `cutlass` to those who ask for it by name."""
        asked = re.sub("[-_.]+", "-", getattr(context, "name", None) or "").lower()
        if asked == _Distribution.name:
            yield _Distribution()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name != "cutlass" and not name.startswith("cutlass."):
            return None
        if not purpose_of(name) and not can_find(_ours(name)):
            raise NotThere(f"{name} is not there in this package yet")
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        if purpose_of(spec.name):
            return PlaceholderModule(spec.name)
        module = importlib.import_module(_ours(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: Any) -> None:
        """Gives a module of ours, which is there already, its own specification back."""
        module.__spec__ = module.__spec__.loader_state or module.__spec__


class _CudaFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `cuda.bindings.driver` where cuda-python is not installed."""

    _names = ("cuda", "cuda.bindings", "cuda.bindings.driver", "cuda.bindings.runtime")

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self._names:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: Any) -> Any:
        if spec.name in ("cuda", "cuda.bindings"):
            made = types.ModuleType(spec.name)
            made.__path__ = []
            return made
        return importlib.import_module("cute.cuda")

    def exec_module(self, module: Any) -> None:
        """Does nothing."""


class _Neighbours(importlib.abc.MetaPathFinder):
    """Finds `cute.NAME` in folders `cute` of programs, next to this package."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("cute.") or name.count(".") != 1:
            return None
        folders = [os.path.join(p, "cute") for p in sys.path]
        return importlib.machinery.PathFinder.find_spec(name, folders)


def replace_cuda() -> None:
    """Puts ours in place of a cuda-python that is installed, but has no device."""
    sys.meta_path.insert(0, _CudaFinder())


def install() -> None:
    """Puts this package in place of `cutlass`, unless that is imported."""
    if "cutlass" not in sys.modules and not any(
        isinstance(f, _Finder) for f in sys.meta_path
    ):
        sys.meta_path.insert(0, _Finder())
    if not any(isinstance(f, _CudaFinder) for f in sys.meta_path):
        sys.meta_path += [_CudaFinder(), _Neighbours()]


install()
