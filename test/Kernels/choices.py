#!/usr/bin/env python3
"""Renders a template once with each choice of each parameter and compiles it: with
defaults for the others or, where these do not go with it, the valid choices that
differ from the defaults in the fewest parameters.

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


def around(template, name, choice):
    """Valid parameters with one that is given."""
    others = [(n, c) for n, p in template.parameters.items() if n != name
              for c in p.get("choices", [])]
    for count in range(4):
        for more in itertools.combinations(others, count):
            given = {name: choice, **dict(more)}
            if not template.problems(template.complete(given)):
                return given
    sys.exit(f"nothing goes with {name}={choice}")


def compile_one(template, given, path, arch):
    """What is wrong with the rendered text or its compilation, if anything."""
    text = template.render({"arch": arch, **given})
    path.write_text(text, encoding="utf-8")
    if re.search(r"\n\n\n|[{}]{2}|//[%#]|//= |[ \t]\n", text):
        return f"{given}: leftovers of the template or runs of empty lines"
    done = subprocess.run(["cutec", path, f"--arch={arch}", "-o",
                           path.with_suffix(".ptx")],
                          capture_output=True, text=True, check=False)
    return f"{given}: {done.stderr}" if done.returncode else None


def main():
    template, folder = kernel.Template(sys.argv[1]), pathlib.Path(sys.argv[2])
    arch = sys.argv[3] if len(sys.argv) > 3 else "sm_90"
    folder.mkdir(parents=True, exist_ok=True)
    cases = [around(template, name, choice)
             for name, p in template.parameters.items()
             for choice in p.get("choices", []) if name != "arch"]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        wrong = [w for w in pool.map(
            lambda i: compile_one(template, cases[i], folder / f"{i}.mlir", arch),
            range(len(cases))) if w]
    print("\n".join(wrong + [f"{len(cases)} choices, {len(wrong)} failures"]))
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
