"""Keeps what ptxas and the host's compiler made of the same input, between tests and
between runs. What is kept is found by a hash of everything that it depends on: the
program, its options, and the contents of all files that it reads. Nothing of ours is
kept, so that no test sees another compiler than the one that was built.

usage: kept.py PTXAS [ARGUMENTS]: runs ptxas, or does as it did
"""
import hashlib
import os
import shutil
import sys
import tempfile
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
    """What tells a program from another of its name."""
    path = os.path.realpath(shutil.which(program) or program)
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def take(name, path):
    """Copies what is kept by a name to a path; whether there is such."""
    if not folder():
        return False
    source = os.path.join(folder(), name)
    try:
        shutil.copy(source, path)
        os.utime(source)
    except OSError:
        return False
    return True


def keep(name, path):
    """Keeps a file by a name, all of it or nothing."""
    if not folder():
        return
    os.makedirs(folder(), exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=folder())
    os.close(handle)
    shutil.copy(path, temporary)
    os.replace(temporary, os.path.join(folder(), name))


def drop_old(place):
    """Removes what has not been asked for lately."""
    for entry in os.scandir(place) if os.path.isdir(place) else []:
        if entry.stat().st_mtime < time.time() - DAYS * 86400:
            os.unlink(entry)


def run_ptxas(program, arguments):
    """Its exit code. Only success is kept: messages name files."""
    import subprocess
    inputs = [i for i, a in enumerate(arguments)
              if not a.startswith("-") and arguments[i - 1:i] != ["-o"]]
    if len(inputs) != 1 or arguments[:-1].count("-o") != 1:
        return subprocess.run([program, *arguments], check=False).returncode
    at = arguments.index("-o") + 1
    options = [a for i, a in enumerate(arguments) if i not in (inputs[0], at)]
    output = arguments[at]
    name = key(identity(program), *options, read(arguments[inputs[0]]))
    with tempfile.TemporaryDirectory() as scratch:
        said = os.path.join(scratch, "said")
        made = os.path.join(scratch, "made")
        if not (take(name + ".said", said) and take(name + ".made", made)):
            changed = [*arguments[:at], made, *arguments[at + 1:]]
            done = subprocess.run([program, *changed], check=False,
                                  capture_output=True)
            with open(said, "wb") as file:
                file.write(done.stdout + done.stderr)
            if done.returncode or not os.path.exists(made):
                sys.stderr.buffer.write(read(said))
                return done.returncode
            keep(name + ".made", made)
            keep(name + ".said", said)
        sys.stderr.buffer.write(read(said))
        with open(output, "wb") as file:
            file.write(read(made))
    return 0


if __name__ == "__main__":
    sys.exit(run_ptxas(sys.argv[1], sys.argv[2:]))
