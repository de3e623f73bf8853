"""Types at cute-layout in a pseudo-terminal, and prints what it answers."""
import os
import pty
import re
import select
import shutil
import sys
import time

tool, home = sys.argv[1:]
shutil.rmtree(home, ignore_errors=True)
os.mkdir(home)


def session(*lines):
    """What comes back for the lines, each typed when the prompt is there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(HOME=home, TERM="dumb")
        os.chdir(home)
        os.execlp(tool, tool)
    answers = []
    for line in lines + (b"quit\n",):
        answers.append(until_prompt(terminal))
        os.write(terminal, line)
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass
    os.waitpid(pid, 0)
    return answers[1:]


def until_prompt(terminal):
    text = b""
    end = time.time() + 20
    while time.time() < end:
        if select.select([terminal], [], [], 0.3)[0]:
            text += os.read(terminal, 4096)
        elif text.rstrip(b" ").endswith(b">"):
            return text.decode()
    sys.exit(f"no prompt in {text!r}")


def last_line(text):
    lines = [line.strip() for line in re.split(r"[\r\n]+", text)]
    return [line for line in lines if line and not line.startswith(">")][-1]


open(os.path.join(home, "zzz_file"), "w").close()
answer, none = session(b"flatt\t((32):(1))\n", b"zzz\t+\n")
print("completed:", last_line(answer))
print("from history:", last_line(session(b"\x10\x10\x10\n")[0]))
again = session(b"(4,8):(8\x03", b"size(5:1)\n", b"\x10\n")
print("after Ctrl-C:", last_line(again[1]), "from history:", last_line(again[2]))
every, = session(b"size(\t\t5:1)\n")
print("not all names:", "Display all" not in every, last_line(every))
print("no names of files:", "zzz_file" not in none)
