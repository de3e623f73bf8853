"""See turns.test."""
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import turns


def git(*arguments):
    subprocess.run(("git", "-c", "user.name=a", "-c", "user.email=a@b", "-C", turns.ROOT)
                   + arguments, check=True, stdout=subprocess.DEVNULL)


def number_in(folder):
    turns.ROOT = folder
    return turns.number_of_sources()


def test_commits(folder):
    first, clone = os.path.join(folder, "first"), os.path.join(folder, "clone")
    os.mkdir(first)
    turns.ROOT = first
    git("init", "-q")
    for text in ("one", "two"):
        with open(os.path.join(first, "file"), "w", encoding="utf-8") as file:
            file.write(text)
        git("add", "file")
        changed = number_in(first)
        git("commit", "-qm", text)
        committed = number_in(first)
        assert changed != committed == number_in(first)
    git("clone", "-q", first, clone)
    assert number_in(clone) == committed
    git("checkout", "-q", "HEAD^")
    assert number_in(clone) != committed
    shutil.rmtree(os.path.join(clone, ".git"))
    assert number_in("/") == 0


def test_turns():
    os.environ.pop("CUTE_ALL_CASES", None)
    taken = []
    for number in range(3):
        os.environ["CUTE_TURN"] = str(number)
        taken += turns.take_turn(range(7), 3)
        assert [turns.is_turn(n, 3) for n in (1, 2, 3)].index(True) == number
    assert sorted(taken) == list(range(7))
    os.environ["CUTE_ALL_CASES"] = "1"
    assert turns.take_turn(range(7), 3) == list(range(7)) and turns.is_turn(2, 3)


with tempfile.TemporaryDirectory() as scratch:
    test_commits(scratch)
test_turns()
