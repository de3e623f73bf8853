"""Compiled functions as objects of C, and such objects as functions."""

from __future__ import annotations

from typing import Any

from .runtime import find_runtime_headers, find_runtime_libraries, load_module

__all__ = ["ExternalBinaryModule", "export_to_c", "find_runtime_headers", "find_runtime_libraries", "load_module"]

ExternalBinaryModule = load_module


def export_to_c(compiled: Any, file_path: str, file_name: str | None = None, **options: Any) -> None:
    """Writes an object and a header of C: ``compiled.export_to_c``.

    :param compiled: what ``cute.compile`` made

    For example::

        export_to_c(cute.compile(function, tensor), "folder", "file", function_prefix="scale")
    """
    compiled.export_to_c(file_path, file_name, **options)
