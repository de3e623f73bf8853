#!/usr/bin/env python3
"""Checks that the console blocks of Markdown files are current.

usage: check_console.py [--update] FILE...

In a block that starts with ```console, a line "$ COMMAND" is followed by what
the command prints. Every command is run; differences are printed and make the
check fail. --update writes what the commands print into the files instead.
"""
import difflib
import pathlib
import subprocess
import sys


def run(command):
    return subprocess.run(command, shell=True, stdout=subprocess.PIPE,
                          text=True, check=False).stdout.splitlines()


def refreshed(lines):
    """The lines with the output of every command renewed; how many ran."""
    result, count, inside, skips = [], 0, False, False
    for line in lines:
        if line.startswith("```"):
            inside = line == "```console"
            skips = False
        if inside and line.startswith("$ "):
            result += [line] + run(line[2:])
            count, skips = count + 1, True
        elif not skips:
            result.append(line)
    return result, count


def main():
    arguments = sys.argv[1:]
    update = "--update" in arguments
    failed = False
    for name in arguments:
        if name == "--update":
            continue
        path = pathlib.Path(name)
        old = path.read_text(encoding="utf-8").splitlines()
        new, count = refreshed(old)
        if update:
            path.write_text("\n".join(new) + "\n", encoding="utf-8")
        else:
            print("\n".join(difflib.unified_diff(old, new, name, "printed",
                                                 lineterm="")))
        failed |= not count or (old != new and not update)
        print(f"{path.name}: {count} commands")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
