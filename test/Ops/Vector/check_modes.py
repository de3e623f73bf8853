"""Checks ops that choose and combine elements of vectors, at every element.

usage: check_modes.py [SEED]

Random shapes, coordinates, profiles and layouts: the lowered ops are run on
integers here and compared with what the dialect's reference says of each.
"""
import itertools
import math
import random
import re
import subprocess
import sys

random.seed(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
WRAP = 1 << 31


def random_shape(depth=0):
    if depth == 2 or random.random() < 0.5:
        return random.choice([1, 2, 2, 3, 4, 5])
    return tuple(random_shape(depth + 1) for _ in range(random.randint(1, 3)))


def text(tree):
    if isinstance(tree, tuple):
        return "(" + ",".join(map(text, tree)) + ")"
    return str(tree)


def size(shape):
    return math.prod(map(size, shape)) if isinstance(shape, tuple) else shape


def coords(shape):
    """All coordinates of a shape, the leftmost leaf fastest."""
    if not isinstance(shape, tuple):
        return list(range(shape))
    lists = [coords(mode) for mode in reversed(shape)]
    return [tuple(reversed(c)) for c in itertools.product(*lists)]


def random_profile(shape):
    """`_` and integers, weakly congruent to the shape."""
    if isinstance(shape, tuple) and random.random() < 0.7:
        return tuple(map(random_profile, shape))
    return random.choice(["_", random.randrange(size(shape))])


def flat(tree):
    return sum(map(flat, tree), []) if isinstance(tree, tuple) else [tree]


def fixed(profile, shape, coord):
    """The parts of a coordinate under integers, and those under `_`."""
    if isinstance(profile, tuple):
        parts = [fixed(*x) for x in zip(profile, shape, coord)]
        return sum((p[0] for p in parts), []), sum((p[1] for p in parts), [])
    index = coords(shape).index(coord)
    return ([], flat(coord)) if profile == "_" else ([index], [])


def integers(profile):
    return [x for x in flat(profile) if x != "_"]


def slice_case():
    shape = random_shape()
    coord = random_profile(shape)
    vector = [random.randrange(1000) for _ in range(size(shape))]
    wanted = [v for c, v in zip(coords(shape), vector)
              if fixed(coord, shape, c)[0] == integers(coord)]
    return (f'slice_vector<"{text(shape)}", "{text(coord)}"> (%v)', vector,
            wanted)


def narrowed(shape):
    """A shape that broadcasts to this one."""
    if random.random() < 0.3:
        return 1
    if not isinstance(shape, tuple):
        return shape
    rank = random.randint(1, len(shape))
    return tuple(map(narrowed, shape[:rank]))


def project(narrow, shape, coord):
    if narrow == 1 and shape != 1:
        return 0
    if not isinstance(narrow, tuple):
        return coord
    return tuple(project(*x) for x in zip(narrow, shape, coord))


def broadcast_case():
    shape = random_shape()
    narrow = narrowed(shape)
    vector = [random.randrange(1000) for _ in range(size(narrow))]
    value = dict(zip(coords(narrow), vector))
    wanted = [value[project(narrow, shape, c)] for c in coords(shape)]
    return (f'broadcast_vector<"{text(narrow)}", "{text(shape)}"> (%v)', vector,
            wanted)


def gather_case():
    shape = tuple(random.randint(1, 4) for _ in range(random.randint(1, 3)))
    stride = tuple(random.randint(0, 5) for _ in shape)
    index = [sum(x * d for x, d in zip(c, stride)) for c in coords(shape)]
    vector = [random.randrange(1000)
              for _ in range(max(index) + random.randint(1, 3))]
    return (f'gather_vector<"{text(shape)}:{text(stride)}"> (%v)', vector,
            [vector[i] for i in index])


def reduce_case():
    shape = random_shape()
    profile = random_profile(shape)
    vector = [random.randrange(1, 50) for _ in range(size(shape))]
    kind, combine = random.choice([("add", lambda a, b: a + b), ("max", max),
                                   ("mul", lambda a, b: a * b)])
    groups = {}
    for c, v in zip(coords(shape), vector):
        groups.setdefault(tuple(fixed(profile, shape, c)[1]), []).append(v)
    init = random.randrange(20)
    wanted = []
    for values in groups.values():
        total = init
        for value in values:
            total = combine(total, value)
        wanted.append((total + WRAP) % (2 * WRAP) - WRAP)
    call = f'reduce_vector<"{kind}", "{text(shape)}", "{text(profile)}">'
    return f"{call} (%v, %z)", vector, wanted, init


def run(body, vector, init):
    """The value that a lowered function returns."""
    values = {"arg0": vector, "arg1": init}
    binary = {"arith.addi": lambda a, b: a + b, "arith.maxsi": max,
              "arith.muli": lambda a, b: a * b}

    def wrapped(x):
        return (x + WRAP) % (2 * WRAP) - WRAP

    for line in body:
        words = re.findall(r"[\w.%]+", line)
        if words[0] == "return":
            return values[words[1].strip("%")]
        operands = [values[n] for n in re.findall(r"%(\w+)",
                                                  line.split("=")[1])]
        op = words[1]
        if op == "vector.shuffle":
            mask = re.search(r"\[([\d, ]*)\]", line).group(1)
            result = [operands[0][int(i)] for i in mask.split(",")]
        elif op == "vector.extract":
            result = operands[0][int(re.search(r"\[(\d+)\]", line).group(1))]
        elif op == "vector.broadcast":
            n = int(re.search(r"to vector<(\d+)x", line).group(1))
            result = [operands[0]] * n
        elif isinstance(operands[0], list):
            result = [wrapped(binary[op](a, b)) for a, b in zip(*operands)]
        else:
            result = wrapped(binary[op](*operands))
        values[words[0].strip("%")] = result
    raise ValueError(body)


def main():
    cases = []
    makers = [slice_case, broadcast_case, gather_case, reduce_case]
    while len(cases) < 400:
        case = makers[len(cases) % 4]()
        if max(len(case[1]), len(case[2])) <= 1024:
            cases.append(case)
    source = ""
    for i, (op, vector, wanted, *_) in enumerate(cases):
        scalar = op.startswith(("slice", "reduce")) and "_" not in \
            op.split("<", 1)[1].split('"')[-2]
        result = "i32" if scalar else f"vector<{len(wanted)}xi32>"
        source += (f"func.func @f{i}(%v: vector<{len(vector)}xi32>, %z: i32) "
                   f"-> {result} {{\n  %r = cute.{op}\n"
                   f"  return %r : {result}\n}}\n")
    lowered = subprocess.run(["cute-opt", "-", "--cute-to-base"], input=source,
                             capture_output=True, text=True)
    if lowered.returncode:
        sys.exit(lowered.stderr)
    bodies = re.findall(r"func.func @f\d+.*\{\n([^}]*)\}", lowered.stdout)
    assert len(bodies) == len(cases)
    for (op, vector, wanted, *init), body in zip(cases, bodies):
        lines = [line.strip() for line in body.strip().splitlines()]
        found = run(lines, vector, init[0] if init else 0)
        found = found if isinstance(found, list) else [found]
        if found != wanted:
            sys.exit(f"{op} of {vector} is {found}, not {wanted}")
    print(f"{len(cases)} ops, all elements as they should be")


if __name__ == "__main__":
    main()
