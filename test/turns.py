"""Cases and tests that are many and alike, and dear: a run of the tests takes some of them,
each day others, so that all have had their turn after some days. `./dev check all` takes
all."""
import os
import time


def today():
    """The number of the day, or None if all have their turn."""
    if os.environ.get("CUTE_ALL_CASES"):
        return None
    return int(time.time() // 86400)


def take_turn(cases, days):
    """Those of the cases whose day it is: each one's comes once in so many days."""
    cases, day = list(cases), today()
    return cases if day is None else cases[day % days::days]


def is_turn(number, days):
    """Whether it is the day of that number, from 1, of so many. Where cases of such a test
    take turns, too, the two numbers of days have no common factor."""
    day = today()
    return day is None or day % days == number - 1
