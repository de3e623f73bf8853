"""Checks what tools write for shells and for man: check_completions.py TOOL ...

Shells that are installed read their scripts; for all of them quotes are closed, and each
option of --help is in the script."""
import re
import shutil
import subprocess
import sys


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def is_quoted_well(text, shell):
    """Follows the quotes of a shell: '\\'' is two texts in zsh, one escape in fish."""
    escape = r"\\." if shell == "fish" else r"(?!)"
    return not re.sub(rf"'(?:{escape}|[^'])*'|\"[^\"]*\"|\\.", "", text).count("'")


def problems(tool):
    options = re.findall(r"^  ((?:-[\w-]+(?:, )?)+)", output(tool, "--help"), re.M)
    names = {name for row in options for name in row.split(", ")}
    for shell, suffix in (("bash", "sh"), ("zsh", "zsh"), ("fish", "fish")):
        path = f"{tool}.{suffix}"
        text = output(tool, f"--completions={shell}")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if not is_quoted_well(text, shell):
            yield f"{path}: quotes"
        if shutil.which(shell) and subprocess.run([shell, "-n", path], check=False).returncode:
            yield f"{path}: {shell} does not read it"
        for name in names:
            spelled = re.sub("^--?", "", name) if shell == "fish" else name
            if not re.search(rf"(?<![\w-]){re.escape(spelled)}(?![\w-])", text):
                yield f"{path}: no {name}"
    if shutil.which("groff"):
        run = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"],
                             input=output(tool, "--manual"), capture_output=True, text=True,
                             check=False)
        if run.returncode or run.stderr:
            yield f"{tool}.1: {run.stderr}"


found = [problem for tool in sys.argv[1:] for problem in problems(tool)]
print("\n".join(found + [f"{len(found)} problems"]))
