#!/usr/bin/env python3
"""Renders a template once with each choice of each parameter and compiles texts that
come out, those whose turn it is, to LLVM IR: with defaults for the others or, where these do not go with
it, the valid choices that differ from the defaults in the fewest parameters. What LLVM
and ptxas make of kernels is shown by test/Compile.

  choices.py TEMPLATE FOLDER [ARCH]
"""
import concurrent.futures
import itertools
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "kernels"))
import kernel
from turns import take_turn


def around(template, name, choice):
    """Valid parameters with one that is given."""
    others = [(n, c) for n, p in template.parameters.items() if n != name
              for c in p.get("choices", []) if c != p["default"]]
    for count in range(4):
        for more in itertools.combinations(others, count):
            given = {name: choice, **dict(more)}
            if len(given) <= count:
                continue
            if template.is_valid(template.complete(given)):
                return given
    sys.exit(f"nothing goes with {name}={choice}")


def compile_one(given, text, path, arch):
    """What is wrong with the rendered text or its compilation, if anything."""
    path.write_text(text, encoding="utf-8")
    if re.search(r"\n\n\n|[{}]{2}|//[%#]|//= |[ \t]\n", text):
        return f"{given}: leftovers of the template or runs of empty lines"
    done = subprocess.run(["cutec", path, f"--arch={arch}", "--emit=llvm", "-o",
                           path.with_suffix(".ll")],
                          capture_output=True, text=True, check=False)
    return f"{given}: {done.stderr}" if done.returncode else None


def main():
    template, folder = kernel.find(sys.argv[1]), pathlib.Path(sys.argv[2])
    arch = sys.argv[3] if len(sys.argv) > 3 else "sm_90"
    folder.mkdir(parents=True, exist_ok=True)
    cases = [around(template, name, choice)
             for name, p in template.parameters.items()
             for choice in p.get("choices", []) if name != "arch"]
    texts = {template.render({"arch": arch, **case}): case for case in cases}
    chosen = take_turn(texts, 3)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [w for w in pool.map(
            lambda i, text: compile_one(texts[text], text, folder / f"{i}.mlir", arch),
            itertools.count(), chosen) if w]
    print("\n".join(wrong + [f"{len(cases)} choices, {len(chosen)} compiled, "
                             f"{len(wrong)} failures"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
