"""Keeps what ptxas and the host's compiler made of the same input, between tests and
between runs. What is kept is found by a hash of everything that it depends on: the
program, its options, and the contents of all files that it reads. Nothing of ours is
kept, so that no test sees another compiler than the one that was built.

usage: kept.py PTXAS [ARGUMENTS]: runs ptxas, or does as it did

A test run starts this some 250 times, so it imports only what takes no time.
"""
import hashlib
import os
import sys
import time

DAYS = 2  # after which what nobody asked for goes


def folder():
    """Where things are kept, or None."""
    return os.environ.get("CUTE_TEST_KEPT")


def key(*parts):
    """A name for all that something depends on."""
    digest = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        digest.update(b"%d:" % len(data) + data)
    return digest.hexdigest()


def read(path):
    with open(path, "rb") as file:
        return file.read()


def identity(program):
    """What tells a program from another of its path."""
    path = os.path.realpath(program)
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def take(name):
    """What is kept by a name, or None."""
    path = os.path.join(folder(), name)
    try:
        data = read(path)
        os.utime(path)
    except OSError:
        return None
    return data


def keep(name, path):
    """Moves a file to what is kept by a name, all of it or nothing."""
    os.replace(path, os.path.join(folder(), name))


def drop_old(place):
    """Removes what has not been asked for lately."""
    for entry in os.scandir(place) if os.path.isdir(place) else []:
        if entry.stat().st_mtime < time.time() - DAYS * 86400:
            os.unlink(entry)


def run_to(path, command):
    """The exit code of a command, whose output goes to a file."""
    opened = os.POSIX_SPAWN_OPEN, 1, path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666
    child = os.posix_spawn(command[0], command, os.environ,
                           file_actions=[opened, (os.POSIX_SPAWN_DUP2, 1, 2)])
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run_ptxas(program, arguments):
    """Its exit code. Only success is kept: messages name files."""
    inputs = [i for i, a in enumerate(arguments)
              if not a.startswith("-") and arguments[i - 1:i] != ["-o"]]
    if not folder() or len(inputs) != 1 or arguments[:-1].count("-o") != 1:
        os.execv(program, [program, *arguments])
    at = arguments.index("-o") + 1
    options = [a for i, a in enumerate(arguments) if i not in (inputs[0], at)]
    name = key(identity(program), *options, read(arguments[inputs[0]]))
    said, made = take(name + ".said"), take(name + ".made")
    if said is None or made is None:
        os.makedirs(folder(), exist_ok=True)
        new_said, new_made = (os.path.join(folder(), f"{os.getpid()}.{i}") for i in "sm")
        code = run_to(new_said, [program, *arguments[:at], new_made, *arguments[at + 1:]])
        said = read(new_said)
        if code or not os.path.exists(new_made):
            sys.stderr.buffer.write(said)
            os.unlink(new_said)
            return code
        made = read(new_made)
        keep(name + ".made", new_made)
        keep(name + ".said", new_said)
    sys.stderr.buffer.write(said)
    with open(arguments[at], "wb") as file:
        file.write(made)
    return 0


if __name__ == "__main__":
    sys.exit(run_ptxas(sys.argv[1], sys.argv[2:]))
