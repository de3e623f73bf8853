"""Cases and tests that are many and alike, and dear: a run of the tests takes some of them.
Which ones depends on the sources, so that a commit has one result, and other commits take
others. `./dev check all` takes all."""
import hashlib
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def git(*arguments):
    return subprocess.run(("git", "-C", ROOT) + arguments, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True).stdout


def number_of_sources():
    """A number of all bits of the files that git knows; 0 without git."""
    try:
        state = git("rev-parse", "HEAD^{tree}") + git("diff", "HEAD")
    except (OSError, subprocess.CalledProcessError):
        return 0
    return int.from_bytes(hashlib.sha256(state).digest()[:8], "big")


def this_turn():
    """The number of this run, the same in all processes that it starts; None if all have
    their turn."""
    if os.environ.get("CUTE_ALL_CASES"):
        return None
    if "CUTE_TURN" not in os.environ:
        os.environ["CUTE_TURN"] = str(number_of_sources())
    return int(os.environ["CUTE_TURN"])


def take_turn(cases, turns):
    """Those of the cases whose turn it is: each one's comes once in so many."""
    cases, turn = list(cases), this_turn()
    return cases if turn is None else cases[turn % turns::turns]


def is_turn(number, turns):
    """Whether it is the turn of that number, from 1, of so many. Where cases of such a test
    take turns, too, the two numbers of turns have no common factor."""
    turn = this_turn()
    return turn is None or turn % turns == number - 1
