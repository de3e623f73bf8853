"""The class that libraries extend to change how CuTe DSL rewrites their functions.

This package rewrites by ``_frontend/rewrite.py``: conditions that begin with
``const_expr(...) and`` are decided while the program is traced, which is what Quack adds.
"""

from __future__ import annotations

import ast
from typing import Any


class DSLPreprocessor(ast.NodeTransformer):
    """Takes methods that a library puts in place of its own, without effect."""

    def visit_If(self, node: Any) -> Any:  # noqa: N802
        return node

    def visit_For(self, node: Any) -> Any:  # noqa: N802
        return node

    def visit_While(self, node: Any) -> Any:  # noqa: N802
        return node
