#!/usr/bin/env python3
"""checks and times the kernels that ./dev tune has compiled

DIRECTORY contains tune.json and the kernels. Progress is appended to results.jsonl
in it; a restart skips finished work (docs/kernels.md). cute-run, next to this program
or on PATH, does the runs.
"""
# In each race all kernels are checked and timed shortly, one after another; then the
# fastest in turn, again and again, while the slower half of them is left out each time,
# so that a slowly changing clock favours none. A kernel that breaks its
# context, ends cute-run or hangs costs a new cute-run.
from __future__ import annotations

import argparse
import collections
import filecmp
import json
import os
import pathlib
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

DONE, WRONG, STOPPED = 0, 1, 3  # exit codes
SAMPLE = "131072,1"  # elements of a large result that are computed in float64, a seed
FINALISTS, WINNERS = 16, 4
HEAT_MS, FINAL_MS = 20, 100
NO_ANSWER = "it did not come back, or took too long"

Race = dict[str, Any]  # as in tune.json
Entry = dict[str, Any]


class Wrong(Exception):
    """What ends the program."""


class Failed(Exception):
    """Why a kernel is out."""


class Runner:
    """A cute-run that runs lines of arguments."""

    def __init__(self, device: int, limit: float):
        here = pathlib.Path(__file__).resolve().parent / "cute-run"
        self.program = str(here) if here.exists() else shutil.which("cute-run") or ""
        if not self.program:
            raise Wrong("no cute-run next to this program or on PATH")
        self.device, self.limit = f"--device={device}", limit
        self.process: subprocess.Popen[bytes] | None = None
        self.rest = b""  # of an answer

    def device_name(self) -> str:
        done = subprocess.run([self.program, self.device, "--device-name"],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            raise Wrong(done.stderr.strip().removeprefix("cute-run: error: "))
        return done.stdout.strip()

    def run(self, arguments: list[str]) -> dict[str, Any]:
        """Returns the results of cute-run with --json.

        :raises Failed: with the message of cute-run, or where it does not answer
        """
        if self.process is None:
            self.process = subprocess.Popen(  # a signal for this program is none for it
                [self.program, self.device, "--lines=-"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            assert self.process.stdin
            self.process.stdin.write(("\t".join([*arguments, "--json"]) + "\n").encode())
            self.process.stdin.flush()
            return self._answer(time.monotonic() + self.limit)
        except BrokenPipeError:
            self.close()
            raise Failed(NO_ANSWER) from None

    def _answer(self, end: float) -> dict[str, Any]:
        results: dict[str, Any] = {}
        while (line := self._line(end)) is not None:
            if line.startswith("{"):
                results = json.loads(line)
            elif line == "ok":
                return results
            elif line.startswith("error: "):
                if "CUDA error" in line:  # nothing runs in this context any more
                    self.close()
                raise Failed(line)
        self.close()
        raise Failed(NO_ANSWER)

    def _line(self, end: float) -> str | None:
        """The next line; none if cute-run has ended, or it takes too long."""
        assert self.process and self.process.stdout
        while b"\n" not in self.rest:
            left = max(end - time.monotonic(), 0)
            if not select.select([self.process.stdout], [], [], left)[0]:
                return None
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            if not piece:
                return None
            self.rest += piece
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode("ascii", "replace").replace("\ufffd", " ")

    def close(self) -> None:
        if self.process:
            self.process.kill()
            self.process.communicate()
        self.process, self.rest = None, b""


class Notes:
    """results.jsonl: a line of JSON for all that happened.

    {"race": R, "id": N, "started": true}
    {"race": R, "id": N, "milliseconds": T, "error": E}    E where it was checked
    {"race": R, "id": N, "failed": "why"}
    {"race": R, "finals": "started"}                        then "done"
    {"race": R, "id": N, "final": T}
    """

    def __init__(self, path: pathlib.Path):
        self.failed: set[int] = set()
        self.passed: set[int] = set()  # the checks at small sizes
        self.times: dict[tuple[int, int], float] = {}  # milliseconds by race and kernel
        self.finals: set[int] = set()  # races that are in them, or done
        self.started: tuple[int, int] | None = None  # that no other line is about
        self.file = open(path, "a+", encoding="utf-8")
        self.file.seek(0)
        lines = self.file.read().split("\n")
        for text in lines:
            self._take(text)
        if lines[-1]:  # a line that was cut off is as good as none
            self.file.write("\n")
        if self.started:
            self.failure(*self.started, NO_ANSWER)

    def _take(self, text: str) -> None:
        try:
            line = json.loads(text)
        except ValueError:
            return
        race, number = line.get("race"), line.get("id")
        if "finals" in line:
            self.finals.add(race)
        if number is None:
            return
        if "failed" in line:
            self.failed.add(number)
        if "milliseconds" in line:
            self.times[race, number] = line["milliseconds"]
            self.passed.add(number)
        self.started = (race, number) if "started" in line else None

    def write(self, **line: Any) -> None:
        for name, value in line.items():
            if isinstance(value, float):
                line[name] = float(f"{value:.6g}")
        print(json.dumps(line), file=self.file, flush=True)

    def time(self, race: int, number: int, milliseconds: float, **error: float) -> None:
        self.write(race=race, id=number, milliseconds=milliseconds, **error)
        self.times[race, number] = milliseconds
        self.passed.add(number)

    def failure(self, race: int, number: int, message: str) -> None:
        self.write(race=race, id=number, failed=message)
        self.failed.add(number)


class Tuner:
    """All races of a directory."""

    def __init__(self, options: argparse.Namespace, scratch: str):
        self.directory: pathlib.Path = options.directory
        self.seconds, self.start = options.seconds, time.monotonic()
        self.scratch = pathlib.Path(scratch)
        self.stopped = False
        self.races = self._read()
        self.runner = Runner(options.device, options.limit)
        device = self.runner.device_name()
        self.notes = Notes(self.directory / "results.jsonl")
        self.notes.write(device=device)
        self.done = self.ran = 0
        self.total = sum(len(race["entries"]) for race in self.races)

    def _read(self) -> list[Race]:
        """The races, of kernels that there are."""
        path = self.directory / "tune.json"
        try:
            plan = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Wrong(f"cannot read '{path}': {reason}") from error
        for race in plan["races"]:
            if "check" not in race or "entries" not in race:
                raise Wrong('a race has no "check" or no "entries"')
            for entry in race["entries"]:
                if not 0 <= entry["id"] < len(plan["candidates"]):
                    raise Wrong(f"a race has candidate {entry['id']} of "
                                f"{len(plan['candidates'])}")
                if ord(race["check"][0]) - ord("A") >= len(entry["arguments"]):
                    raise Wrong(f"{len(entry['arguments'])} arguments do not go with "
                                f"'{race['check']}'")
        return plan["races"]

    def should_stop(self) -> bool:
        spent = time.monotonic() - self.start
        return self.stopped or (self.seconds is not None and spent >= self.seconds)

    def run(self) -> int:
        """Runs what is not done yet; the exit code."""
        code = DONE
        for number, race in enumerate(self.races):
            code = code or self.heats(number, race)
            if not code and number not in self.notes.finals:
                code = self.finals(number, race)
        if self.ran and Parser.form == "text":
            spent = time.monotonic() - self.start
            print(f"\n{self.ran} kernels in {spent:.0f} s", file=sys.stderr)
        if code == STOPPED and Parser.form == "text":
            print("stopped; start again to go on", file=sys.stderr)
        return code

    # ===-- One kernel ------------------------------------------------------===#

    def launch(self, entry: Entry, arguments: list[str], *options: str) -> dict[str, Any]:
        manifest = str(self.directory / f"{entry['id']}.json")
        return self.runner.run([manifest, *arguments, *options])

    def check(self, race: Race, entry: Entry) -> float:
        """Runs the small sizes: the results against float64, that the other tensors
        stay as they are, and the memory around all. Returns the largest error."""
        against = [f"--check={race['check']}", f"--tolerance={race['tolerance']}",
                   "--unchanged"]
        return max([self.launch(entry, arguments, *against)["error"]
                    for arguments in entry["checks"]], default=0.0)

    def verify(self, number: int, race: Race, entry: Entry) -> float:
        """Runs and times it at the size of the race. The result is right if it has the
        bits of one that was; else a sample is compared with float64, and all of it
        with that one. Both may be off by the tolerance. Returns milliseconds."""
        output = ord(race["check"][0]) - ord("A")
        new, right = (self.scratch / f"{name}{number}.npy" for name in ("new", "right"))
        results = self.launch(
            entry, entry["arguments"], f"--check={race['check']}", f"--sample={SAMPLE}",
            f"--tolerance={race['tolerance']}", f"--output={output}={new}",
            f"--bench={HEAT_MS}")
        if not right.exists():
            new.rename(right)
        elif not filecmp.cmp(new, right, shallow=False):
            self.launch(entry, entry["arguments"], f"--reference={output}={right}",
                        f"--tolerance={2 * race['tolerance']}")
        return float(results["milliseconds"])

    def heat(self, number: int, race: Race, entry: Entry) -> None:
        notes, kernel = self.notes, entry["id"]
        notes.write(race=number, id=kernel, started=True)
        try:
            error = {} if kernel in notes.passed else {"error": self.check(race, entry)}
            notes.time(number, kernel, self.verify(number, race, entry), **error)
        except Failed as failure:
            notes.failure(number, kernel, str(failure))
        self.ran += 1

    # ===-- Races -----------------------------------------------------------===#

    def ranked(self, number: int, race: Race) -> list[Entry]:
        """The kernels of a race that have a time, the fastest first."""
        times = self.notes.times
        timed = [e for e in race["entries"]
                 if (number, e["id"]) in times and e["id"] not in self.notes.failed]
        return sorted(timed, key=lambda e: times[number, e["id"]])

    def heats(self, number: int, race: Race) -> int:
        for entry in race["entries"]:
            self.done += 1
            if entry["id"] in self.notes.failed or (number, entry["id"]) in self.notes.times:
                continue
            if self.should_stop():
                return STOPPED
            self.heat(number, race, entry)
            best = [self.notes.times[number, e["id"]] for e in self.ranked(number, race)[:1]]
            self.show(race, *best)
        return DONE

    def finals(self, number: int, race: Race) -> int:
        """Halves the fastest, with twice the rounds each time, until few are left, which
        are timed as cute-run does without a time."""
        if self.should_stop():
            return STOPPED
        entries, rounds = self.ranked(number, race)[:FINALISTS], 2
        self.notes.write(race=number, finals="started")
        self.notes.finals.add(number)
        while len(entries) > WINNERS:
            order, _ = self.contest(entries, rounds, HEAT_MS)
            entries, rounds = order[:(len(entries) + 1) // 2], 2 * rounds
        entries, times = self.contest(entries, 3, FINAL_MS)
        for entry in entries:
            self.notes.write(race=number, id=entry["id"], final=times[entry["id"]])
        self.notes.write(race=number, finals="done")
        if entries:
            self.show(race, times[entries[0]["id"]])
        return DONE

    def contest(self, entries: list[Entry], rounds: int,
                milliseconds: int) -> tuple[list[Entry], dict[int, float]]:
        """Times kernels in turn; returns the ones that run, fastest first, and their times."""
        times = collections.defaultdict(list)
        for _ in range(rounds):
            for entry in entries:
                try:
                    results = self.launch(entry, entry["arguments"],
                                          f"--bench={milliseconds}")
                except Failed as failure:
                    raise Wrong(f"candidate {entry['id']}, which ran before: "
                                f"{failure}") from failure
                times[entry["id"]].append(float(results["milliseconds"]))
        medians = {number: statistics.median(own) for number, own in times.items()}
        return sorted(entries, key=lambda e: medians[e["id"]]), medians

    def show(self, race: Race, best: float = 0) -> None:
        """A bar with the time left, and the best so far of a race."""
        if Parser.form != "text":
            return
        each = (time.monotonic() - self.start) / self.ran if self.ran else 0
        left = int(each * (self.total - self.done))
        filled = 30 * self.done // max(self.total, 1)
        rate = f": {best:.4g} ms, {race['operations'] / best * 1e-9:.1f} TFLOP/s" if best else ""
        print(f"\r[{'#' * filled}{'.' * (30 - filled)}] {self.done}/{self.total}, "
              f"{len(self.notes.failed)} failed, {left // 60}:{left % 60:02} left  "
              f"{race.get('label', '')}{rate}  ", end="", file=sys.stderr, flush=True)


def at_least(least: int) -> Any:
    def read(text: str) -> int:
        if not text.isdecimal() or not least <= int(text) < 1 << 31:
            raise argparse.ArgumentTypeError(f"needs a number >= {least}, not '{text}'")
        return int(text)
    return read


class Version(argparse.Action):
    def __call__(self, *_: Any) -> None:
        text = subprocess.run([Runner(0, 0).program, "--version"], capture_output=True,
                              text=True, check=True).stdout
        print(text.replace("cute-run", "cute-tune"), end="")
        sys.exit(0)


def sarif(message: str) -> str:
    result = {"level": "error", "message": {"text": message}}
    return json.dumps({"version": "2.1.0", "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
                       "runs": [{"tool": {"driver": {"name": "cute-tune"}},
                                 "results": [result] if message else []}]})


# Print the error that ends the program; the empty text is none.
FORMS: dict[str, Callable[[str], str]] = {
    "text": lambda message: message and f"cute-tune: error: {message}",
    "json": lambda message: json.dumps([{"severity": "error", "message": message}] if message else []),
    "sarif": sarif,
    "github": lambda message: message and "::error::" + message.replace("%", "%25").replace("\n", "%0A"),
}


class Parser(argparse.ArgumentParser):
    form = "text"

    def error(self, message: str) -> Any:
        raise Wrong(message.removeprefix("argument ").replace(": needs", " needs"))


class Form(argparse.Action):
    def __call__(self, _parser: Any, _namespace: Any, form: Any, *_: Any) -> None:
        Parser.form = form


def take_options() -> argparse.Namespace:
    parser = Parser(
        prog="cute-tune", description=__doc__, allow_abbrev=False,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="The exit code is 0 if everything is done, 1 after an error, and 3 if it "
               "stopped\nearly, also by a signal.")
    parser.add_argument("directory", type=pathlib.Path, metavar="DIRECTORY")
    parser.add_argument("--seconds", type=at_least(1), metavar="N",
                        help="stop after N seconds, between two kernels")
    parser.add_argument("--limit", type=at_least(1), metavar="N", default=20,
                        help="allow one run N seconds (default: 20)")
    parser.add_argument("--device", type=at_least(0), metavar="N", default=0,
                        help="run on this CUDA device (default: 0)")
    parser.add_argument("--diagnostics", action=Form, choices=FORMS, metavar="FORMAT",
                        help="print an error as text (default), json, sarif or github, and "
                             "no progress unless as text")
    parser.add_argument("--version", action=Version, nargs=0, help="print the version")
    return parser.parse_args()


def main() -> int:
    try:
        options = take_options()
        with tempfile.TemporaryDirectory() as scratch:
            tuner = Tuner(options, scratch)

            def stop(*_: Any) -> None:
                tuner.stopped = True

            signal.signal(signal.SIGINT, stop)
            signal.signal(signal.SIGTERM, stop)
            try:
                code = tuner.run()
            finally:
                tuner.runner.close()
        error = ""
    except (Wrong, OSError) as raised:
        code, error = WRONG, str(raised)
    if text := FORMS[Parser.form](error):
        print(text, file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
