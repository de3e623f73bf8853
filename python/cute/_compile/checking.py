"""``python -m cute check``: what is wrong in the functions that a program compiles and calls.

Each function goes through the stages in turn; an error ends only that function's stages, so
that a program with several shows the errors of all.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
import textwrap
import traceback
from typing import Any, Iterator

from . import (compiled as _compiled, diagnostic_forms as _diagnostic_forms, hovers as _hovers,
               ir as _ir, jit as _jit, proofs as _proofs)
from .diagnostics import DSLError, render, source_line
from .. import _bridge
from .._frontend import tracebacks as _tracebacks

_KEYS = ("severity", "message", "file", "line", "column", "notes")
_WORST = ("ok", "warning", "error")
# Matches what the simulator says: the kernel, the place and the rest.
_SIMULATED = re.compile(r"(kernel '\w+'): (.+?):(\d+):(\d+): (.*)", re.S)
_TOO_LONG = re.compile(r"--timeout=SECONDS gives it more time")


class _Function:
    """A function of the program, and how far it came."""

    def __init__(self, name: str):
        self.name = name
        self.kernels: list[str] = []
        self.stages: dict[str, str] = {}
        self.proofs: list[dict[str, str]] = []


class Check:
    """All that was found in a program."""

    def __init__(self, warnings_are_errors: bool, seconds: int) -> None:
        self.warnings_are_errors, self.seconds = warnings_are_errors, seconds
        self.functions: list[_Function] = []
        self.findings: list[dict[str, Any]] = []
        self.known: dict[int, _Function] = {}  # by the Compiled that calls run
        self.hovers = _hovers.Hovers()

    @property
    def has_errors(self) -> bool:
        return any(found["severity"] == "error" for found in self.findings)

    def add(self, function: _Function, stage: str, diagnostic: tuple[Any, ...]) -> None:
        """Keeps a diagnostic, once, and how the stage of the function ended."""
        found = {"stage": stage, "function": function.name, **_as_json(diagnostic)}
        if self.warnings_are_errors and found["severity"] == "warning":
            found["severity"] = "error"
        severity = found["severity"]
        if severity in _WORST:
            worst = max(severity, function.stages.get(stage, "ok"), key=_WORST.index)
            function.stages[stage] = worst
        if found not in self.findings:
            self.findings.append(found)

    @contextlib.contextmanager
    def stage(self, function: _Function, name: str) -> Iterator[None]:
        """Keeps the errors of a stage, in place of raising them."""
        try:
            yield
        except Exception as error:
            for diagnostic in _diagnostics(error):
                self.add(function, name, diagnostic)
        function.stages.setdefault(name, "ok")

    def compile(self, function: Any, parameters: Any, options: Any, trace: Any) -> Any:
        """Traces, compiles, lints and proves a function; returns what runs it, or nothing where it is wrong.

        :param trace: what traces and compiles in the ordinary way
        """
        made = _Function(function.prefix or function.function.__name__)
        self.functions.append(made)
        compiled = None
        with self.stage(made, "trace"), self.hovers:
            compiled = trace(function, parameters, options)
        if compiled is None:
            return _Nothing()
        self.hovers.explain(compiled.traced.module)
        made.kernels = list(compiled.traced.kernels)
        self.known[id(compiled)] = made
        if made.kernels:
            with self.stage(made, "compile"):
                _ = compiled.__ptx__
        if made.stages.get("compile") != "error":
            self._lint(made, compiled)
            self._prove(made, compiled)
            return compiled
        return _Nothing()

    def _lint(self, made: _Function, compiled: Any) -> None:
        if not made.kernels:
            return
        with self.stage(made, "lint"):
            with _ir.errors():
                compiled.traced.module.run_pipeline(f"cute-lint{{arch={compiled.arch}}}")
            for diagnostic in _ir.context().take_diagnostics():
                self.add(made, "lint", diagnostic)

    def _prove(self, made: _Function, compiled: Any) -> None:
        """Keeps what is proved for every size; what is refuted is a remark, as is the counterexample."""
        if made.kernels:
            made.proofs = _proofs.prove(compiled.traced.module, compiled.arch, self.seconds)
        for proof in made.proofs:
            if proof["answer"] == "refuted":
                self.add(made, "prove", _proofs.diagnostic(proof))
        if made.proofs:
            proved = sum(proof["answer"] == "proved" for proof in made.proofs)
            made.stages["prove"] = f"{proved} of {len(made.proofs)}"

    def run(self, compiled: Any, call: Any, *args: Any) -> Any:
        """Calls a compiled function."""
        made = self.known[id(compiled)]
        result = None
        with self.stage(made, "simulate"):
            result = call(compiled, *args)
        return result

    def text(self) -> str:
        """A line for each function, with what was found in it."""
        lines = []
        for made in self.functions:
            stages = ", ".join(f"{stage} {how}" for stage, how in made.stages.items())
            lines.append(" ".join([made.name, *map("({})".format, made.kernels)]) + f": {stages}")
            lines += self._findings(made)
        return "\n".join(lines)

    def _findings(self, function: _Function) -> Iterator[str]:
        """The findings of a function as text; functions of one name are shown together."""
        for found in self.findings:
            if found["function"] == function.name and function is self._first(function.name):
                yield textwrap.indent(render(_as_tuple(found)), "  ")

    def _first(self, name: str) -> _Function:
        return next(made for made in self.functions if made.name == name)

    def json(self, file: str) -> str:
        """The same for programs."""
        functions = [vars(made) for made in self.functions]
        return json.dumps({"file": file, "functions": functions, "findings": self.findings,
                           "hovers": self.hovers.json()}, indent=1)


class _Nothing:
    """Errors of a function's calls, which were reported already."""

    __ptx__ = __mlir__ = ""
    __cubin__ = b""

    def __call__(self, *args: Any, **kwargs: Any) -> None:
        """Leaves all as it is."""

    run = generate = prepare = __call__

    def fits(self, values: Any) -> bool:
        return True

    class environment:  # noqa: N801
        """The function's dependencies, which do not matter."""

        @staticmethod
        def holds() -> bool:
            return True


def _as_json(diagnostic: Any) -> dict[str, Any]:
    *rest, notes = diagnostic
    return dict(zip(_KEYS, (*rest, [_as_json(note) for note in notes])))


def _as_tuple(found: dict[str, Any]) -> tuple[Any, ...]:
    *rest, notes = (found[key] for key in _KEYS)
    return *rest, list(map(_as_tuple, notes))


def _diagnostics(error: BaseException) -> list[tuple[Any, ...]]:
    """Returns an error as diagnostics, with the user's line that led to it."""
    found = getattr(error, "diagnostics", None)
    if isinstance(error, DSLError) and found:
        return list(map(_placed, found))
    frames = traceback.extract_tb(_tracebacks.of_users(error.__traceback__))
    place = ("", 0, 0)
    if isinstance(error, SyntaxError) and error.filename:
        place = error.filename, error.lineno or 0, error.offset or 1
    elif frames:
        last = frames[-1]
        text = source_line(last.filename, last.lineno or 0)
        column = getattr(last, "colno", None)
        indent = len(text) - len(text.lstrip())
        place = last.filename, last.lineno or 0, (indent if column is None else column) + 1
    name = "" if isinstance(error, DSLError) else f"{type(error).__name__}: "
    return [("error", f"{name}{error}", *place, [])]


def _placed(diagnostic: tuple[Any, ...]) -> tuple[Any, ...]:
    """Returns a diagnostic with its place, which the simulator writes into the message.

    A kernel that takes too long is a remark.
    """
    severity, message, *rest, notes = diagnostic
    found = _SIMULATED.fullmatch(message)
    if found and not rest[0]:
        message, rest = f"{found[1]}: {found[5]}", [found[2], int(found[3]), int(found[4])]
    if _TOO_LONG.search(message):
        severity, message = "remark", f"{message.split(';')[0]}; try smaller sizes, or --seconds"
    return severity, message, *rest, notes


def _install(check: Check) -> None:
    """Checks functions when they are compiled and called."""
    trace, run = _jit.JitFunction.compile, _compiled.Compiled._run

    def checked(self: Any, parameters: Any, options: Any = None) -> Any:
        return check.compile(self, parameters, options, trace)

    def called(self: Any, parameters: Any, values: Any) -> Any:
        return check.run(self, run, parameters, values)

    _jit.JitFunction.compile = checked  # type: ignore[method-assign]
    _compiled.Compiled._run = called  # type: ignore[method-assign]


def _take_stdout() -> Any:
    """Returns standard output, and lets what a program and its kernels print go to errors.

    It stays so: C's library may write what kernels print when the process ends.
    """
    sys.stdout.flush()
    taken = open(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return taken


def _excuse(check: Check, program: _Function) -> None:
    """Makes the error that a program ends with a remark where functions with errors did nothing."""
    if any("error" in made.stages.values() for made in check.functions):
        for found in check.findings:
            if found["stage"] == "program" and found["severity"] == "error":
                found["severity"] = "remark"
                found["message"] += " (perhaps as functions with errors did nothing)"
                program.stages["program"] = "ends"


def check(path: str, run: Any, form: str, warnings_are_errors: bool, seconds: int) -> int:
    """Prints what is wrong in a program; returns 1 if there is an error.

    :param run: runs it
    :param form: "all" for JSON with the hovers, or a form that the tools print
    :param seconds: for which a kernel is simulated at most
    """
    os.environ["CUTE_DEVICE"] = "sim"
    os.environ["CUTE_SIM"] = f"timeout={seconds} {os.environ.get('CUTE_SIM', '')}".strip()
    found = Check(warnings_are_errors, seconds)
    program = _Function(os.path.basename(path))
    answer = _take_stdout()
    _install(found)
    with found.stage(program, "program"):
        try:
            run()
        except SystemExit as error:
            if error.code:
                text = f"the program ends with {error.code}"
                found.add(program, "program", ("error", text, "", 0, 0, []))
    _excuse(found, program)
    if program.stages["program"] != "ok" or not found.functions:
        found.functions.append(program)
    with answer:
        answer.write(found.json(path) + "\n" if form == "all" else
                     found.text() + "\n" if form == "text" else
                     _diagnostic_forms.write(form, found.findings, "cute check", _bridge.version))
    return int(found.has_errors)
