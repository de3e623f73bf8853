"""The names under which tools find what is called to launch: Compiler Explorer replaces
the ``__call__`` of both, so that programs compile and launch nothing."""

from .compiled import Compiled as JitCompiledFunction

JitExecutor = JitCompiledFunction

__all__ = ["JitCompiledFunction", "JitExecutor"]
