"""Copies by random layouts, vectorized, on the device that is simulated.

  vectorize_random.py COUNT SEED

writes kernels that each copy a tensor, in global memory or by way of registers,
with or without a predicate, perhaps with a dynamic extent, has cutec vectorize and
lower them, and runs them: every element must be where the layouts say, and no other
may change.
"""
import ctypes
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "Conformance"))
from simulated import Driver, Kernels, Memory  # noqa: E402

ROOM = 1 << 16  # bytes
WIDTH = {"i8": 8, "f16": 16, "f32": 32}
DIVISORS = (1, 2, 4, 8)


def strides(rng, extents):
    """Compact strides in some order, at times with padding."""
    order = list(range(len(extents)))
    rng.shuffle(order)
    result, step = [0] * len(extents), 1
    for i in order:
        result[i] = step
        step *= extents[i]
        if rng.random() < 0.3:
            step += rng.choice((1, 2, 4, 8))
    return result


def tree(numbers):
    return "(" + ",".join(str(n) for n in numbers) + ")"


def tensor(case, space, side):
    extents, steps = [1] + case["extents"], [0] + case[side]
    if case["dynamic"]:
        d = case["dynamic"]
        extents[-1] = "?{div=%d}" % d if d > 1 else "?"
    return (f'!cute.tensor<{case["type"]}, {space}, align<{case["align"]}>, '
            f'"{tree(extents)}:{tree(steps)}">')


def generate(rng, number):
    extents = [rng.choice((2, 3, 4, 8)) for _ in range(rng.randint(1, 3))]
    case = {"number": number, "type": rng.choice(list(WIDTH)), "extents": extents,
            "from": strides(rng, extents), "to": strides(rng, extents),
            "registers": rng.random() < 0.5, "divisors": None, "align": 16}
    if rng.random() < 0.3:
        case["to"] = case["from"]
    if rng.random() < 0.2:
        case["align"] = 4
    if len(extents) == 2 and rng.random() < 0.7:
        case["divisors"] = [rng.choice(DIVISORS), rng.choice(DIVISORS)]
        case["bounds"] = [rng.randint(0, math.ceil(n / d)) * d
                          for n, d in zip(extents, case["divisors"])]
    case["dynamic"] = 0
    if not case["divisors"] and not case["registers"] and rng.random() < 0.4:
        case["dynamic"] = math.gcd(extents[-1], rng.choice(DIVISORS))
    return case


def kernel(case):
    leaves = tree(case["extents"])
    lines = [f'  gpu.func @f{case["number"]}(%s: {tensor(case, "gmem", "from")}, '
             f'%d: {tensor(case, "gmem", "to")}, %m: i32, %n: i32) kernel {{',
             f'    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint'
             f'{WIDTH[case["type"]]}_t>", {case["type"]}>']
    predicate = ""
    if case["divisors"]:
        bound = ",".join("?" + (f"{{div={d}}}" if d > 1 else "")
                         for d in case["divisors"])
        lines += [f'    %tile = cute.static : !cute.shape<"{leaves}">',
                  "    %c = cute.make_identity_tensor(%tile)",
                  "    %b = cute.make_shape(%m, %n) : (i32, i32) -> "
                  f'!cute.shape<"({bound})">',
                  "    %p = cute.make_predicate(%c, %b)"]
        predicate = ", %p"
    if case["registers"]:
        lines += ["    %r = cute.make_fragment_like(%s)",
                  f"    cute.copy(%a, %s, %r{predicate})",
                  f"    cute.copy(%a, %r, %d{predicate})"]
    else:
        lines.append(f"    cute.copy(%a, %s, %d{predicate})")
    return "\n".join(lines + ["    gpu.return", "  }"])


def moves(case):
    """(from, to) of the elements that are copied."""
    for i in range(math.prod(case["extents"])):
        coord, rest = [], i
        for n in case["extents"]:
            coord.append(rest % n)
            rest //= n
        if case["divisors"] and any(
                x >= b for x, b in zip(coord, case["bounds"])):
            continue
        yield tuple(sum(x * d for x, d in zip(coord, case[side]))
                    for side in ("from", "to"))


def run(kernels, case, source, target):
    """Copies; whether another byte than those that should be has changed."""
    size = WIDTH[case["type"]] // 8
    wanted = bytearray((i * 7 + 1) & 255 for i in range(256)) * (ROOM // 256)
    target.view[:] = wanted
    for a, b in moves(case):
        wanted[b * size:(b + 1) * size] = source.view[a * size:(a + 1) * size]
    extent = [ctypes.c_int32(case["extents"][-1])] if case["dynamic"] else []
    kernels.launch(f"f{case['number']}", 1, source.at(0), *extent, target.at(0), *extent,
                   *map(ctypes.c_int32, case.get("bounds", (0, 0))))
    return target.view != wanted


def main():
    count, seed = map(int, sys.argv[1:])
    rng, log, failures = random.Random(seed), [], 0
    cases = [generate(rng, i) for i in range(count)]
    driver = Driver("cutec")
    source, target = Memory(driver, ROOM), Memory(driver, ROOM)
    source.view[:] = bytes(i * 2654435761 % (1 << 32) >> 13 & 255 for i in range(ROOM))
    kernels = Kernels(driver, "cutec", [kernel(case) + "\n" for case in cases],
                      passes="cute-vectorize", log=log)
    for case in cases:
        if run(kernels, case, source, target):
            print(f"f{case['number']} is wrong")
            failures += 1
    print(f"{len(cases)} copies, {failures} failures")
    for word in ("accesses", "keeps", "predicate may differ"):
        print(word, log[0].count(word))


main()
