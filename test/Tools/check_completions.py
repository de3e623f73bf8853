"""Checks what tools write for shells and for man: check_completions.py TOOL ...

Shells that are installed read their scripts and complete by them, and each option of --help
is among the words."""
import re
import shutil
import subprocess
import sys


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


# What a shell makes of TOOL --vers.
BASH = """source {0}.bash; COMP_WORDS=({0} --vers) COMP_CWORD=1; _{0}; echo "${{COMPREPLY[@]}}" """
ZSH = """_describe() {{ print -rl -- "${{(@P)2}}"; }}
words=({0} --vers) CURRENT=2; source ./{0}.zsh"""
FISH = "source {0}.fish; complete -C '{0} --vers'"


def missing(tool):
    """Options of --help that are not among the words, then the commands' options."""
    for title, part in re.findall(r"^(.*):\n((?:  .*\n)+)", output(tool, "--help"), re.M):
        command = title.split("OPTIONS OF ")[1:]
        words = output(tool, "--completions=words", "--", *command, "-")
        known = {line.split("\t")[0] for line in words.splitlines()}
        rows = re.findall(r"^  ((?:-[\w-]+(?:, )?)+)", part, re.M)
        yield from {name for row in rows for name in row.split(", ")} - known


def problems(tool):
    for name in missing(tool):
        yield f"{tool}: no {name}"
    for shell, program in (("bash", BASH), ("zsh", ZSH), ("fish", FISH)):
        with open(f"{tool}.{shell}", "w", encoding="utf-8") as file:
            file.write(output(tool, f"--completions={shell}"))
        if shutil.which(shell):
            found = output(shell, "-c", program.format(tool))
            if not re.fullmatch(r"--version(\W.*)?\n", found):
                yield f"{tool}.{shell}: {found}"
    if shutil.which("groff"):
        run = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"],
                             input=output(tool, "--manual"), capture_output=True, text=True,
                             check=False)
        if run.returncode or run.stderr:
            yield f"{tool}.1: {run.stderr}"


found = [problem for tool in sys.argv[1:] for problem in problems(tool)]
print("\n".join(found + [f"{len(found)} problems"]))
