"""Cases that are many and alike, and dear: a run of the tests takes some of them, each day
others, so that all have had their turn after some days. `./dev check all` takes all."""
import os
import time


def take_turn(cases, days):
    """Those of the cases whose day it is: each one's comes once in so many days."""
    cases = list(cases)
    if os.environ.get("CUTE_ALL_CASES"):
        return cases
    return cases[int(time.time() // 86400) % days::days]
