"""Classes by which objects of other packages are passed."""

from __future__ import annotations

from typing import Any

_ADAPTERS: dict[type | str, Any] = {}


def adapter_of(kind: type) -> Any:
    """Returns the class that adapts objects of a type, if there is one."""
    if not _ADAPTERS:
        return None
    return _ADAPTERS.get(kind) or _ADAPTERS.get(f"{kind.__module__}.{kind.__qualname__}")


class JitArgAdapterRegistry:
    """Classes that define how other packages' objects are passed."""

    @staticmethod
    def register_jit_arg_adapter(
        *kinds: type | str, python_type: type | str | None = None, scope: str | None = None,
        lazy: bool = False,
    ) -> Any:
        """Returns a decorator of the class that adapts arguments of these types.

        A type of a module that may not be imported yet is a text, "package.module.Name".
        ``scope`` and ``lazy`` have no effect: adapters serve all functions, and texts are lazy.

        It is made of the argument, and has ``__get_mlir_types__``,
        ``__c_pointers__`` and ``__new_from_mlir_values__``.
        """

        def register(adapter: Any) -> Any:
            given = (*kinds, python_type) if python_type is not None else kinds
            _ADAPTERS.update(dict.fromkeys(given, adapter))
            return adapter

        return register
