"""Which parameters of a kernel are worth a try for a size: a model of the device
puts them in order, the likely ones first, and what the table has is where to look
for better ones."""
import functools
import itertools
import math

import hardware
import kernel
from kernel import Wrong

#===-- The model ----------------------------------------------------------===#

# One multiprocessor of an H100 or H200 in a cycle of its clock: operations of
# mma.sync on 16-bit operands, and bytes of shared memory, of the L2 cache and of
# device memory. Only ratios matter. They began as what was measured of each by
# itself and were then fitted to the 1029 times of `./dev tune all` on an H200, so
# that a latency is that of memory under load.
PROCESSORS = 132
OPERATIONS, SHARED, CACHE, MEMORY = 2700, 128, 24, 18
LATENCY = 4000  # cycles from a request to global memory to its data
STEP = 120      # cycles of a step that nothing in its block overlaps with
LAUNCH = 4000   # cycles of a launch, and of a block's first and last steps


@functools.cache
def limits():
    """What the multiprocessor has room for: registers, threads, KiB, KiB that are
    taken of each block, and blocks."""
    row = hardware.tables()["archs"]["sm_90"]
    return (row["registers"], 32 * row["warps"], row["total_shared_kib"],
            row["reserved_kib"], row["blocks"])


def resident(work):
    """Blocks that a multiprocessor holds at a time."""
    registers, threads, shared_kib, reserved_kib, blocks = limits()
    return int(min(registers // (work["threads"] * work["registers"]),
                   threads // work["threads"],
                   shared_kib // (work["shared_kib"] + reserved_kib), blocks))


def slowest(*parts):
    """Somewhat more than the largest of overlapping times, most where they are near each other."""
    return sum(part ** 4 for part in parts) ** 0.25


def cycles(work):
    """About how long a kernel takes: a guess, for the sake of an order.

    Blocks are dealt out evenly, and the processor with the most of them is waited
    for. There they share the tensor cores and shared memory, which few warps do not
    keep busy, and the cache. A block by itself is no faster than its tiles arrive,
    `stages - 1` of them in a latency; and all are no faster than what they read
    and write comes from and goes to memory. At the end of each of its pieces a block
    may exchange bytes through shared memory, or with others through the cache."""
    count = math.ceil(work["blocks"] / PROCESSORS)
    at_a_time = min(count, resident(work))
    if not at_a_time:
        return math.inf
    warps = at_a_time * work["threads"] / 128  # of each of four schedulers
    busy = slowest(work["operations"] / (OPERATIONS * work["speed"]) * (1 + 0.15 / warps),
                   work["shared"] / SHARED * (1 + 1.1 / warps),
                   work["read"] / CACHE)
    step = slowest(busy + STEP, LATENCY / (work["stages"] - 1))
    pieces = work.get("pieces", 1)
    end = (work["written"] / MEMORY + work.get("exchanged", 0) / SHARED
           + work.get("passed", 0) / CACHE)
    together = count * (work["steps"] * busy + pieces * end) + LAUNCH
    alone = math.ceil(count / at_a_time) * (
        work["steps"] * step + pieces * (LAUNCH + end))
    memory = work["distinct"] / (MEMORY * PROCESSORS) + LAUNCH
    return slowest(max(together, alone), memory)


#===-- Candidates ---------------------------------------------------------===#

class Problem:
    """A kernel with what is fixed of its parameters, and all that goes with
    that."""

    def __init__(self, template, fixed):
        self.template, self.fixed = template, fixed
        self.search = template.spec["search"]
        self.sensible = template.conditions(self.search["require"])
        self.work = kernel.Expressions(self.search["work"])
        self.choices = self.open_choices("choices")
        self.variants = {n: values for n, values in self.search["variants"].items()
                         if n not in fixed}
        self.valid = self.all_valid([{}], self.choices)
        later = self.open_choices("then")
        if later:
            self.valid = self.all_valid([given for given, _ in self.valid], later)
        self.choices.update(later)

    def open_choices(self, key):
        """Those of the kernel, or the one that is fixed, by name."""
        return {n: [self.fixed[n]] if n in self.fixed else values
                for n, values in self.search.get(key, {}).items()}

    def all_valid(self, starts, choices):
        """(all parameters, all values) of what is valid of the starts with choices."""
        products = [dict(zip(choices, values))
                    for values in itertools.product(*choices.values())]
        found = (self.complete({**start, **chosen})
                 for start in starts for chosen in products)
        return [pair for pair in found if pair]

    def complete(self, chosen):
        """(all parameters, all values) of a choice; nothing if it is not valid."""
        values = self.template.complete({**chosen, **self.fixed})
        if not self.template.is_valid(values):
            return None
        return {n: values[n] for n in self.template.parameters}, values

    def guess(self, values, size):
        """The model's cycles at a size; infinite where it makes no sense."""
        values = {**values, **dict(zip(self.template.spec["size"], size))}
        if not all(self.sensible(values).values()):
            return math.inf
        return cycles(self.work(values))

    def ranked(self, pairs, size):
        """[(cycles, parameters)] of (parameters, values), the fastest first."""
        guesses = [(self.guess(values, size), given) for given, values in pairs]
        return sorted((g for g in guesses if g[0] < math.inf), key=lambda g: g[0])

    def neighbours(self, given):
        """What differs from parameters by a step in one or two of them, or is
        another variant."""
        steps = []
        for name, choices in self.choices.items():
            if given[name] in choices:
                at = choices.index(given[name])
                steps += [(name, c) for c in choices[max(at - 1, 0):at + 2]
                          if c != given[name]]
        steps += [(n, v) for n, choices in self.variants.items() for v in choices
                  if v != given[n]]
        for moves in itertools.chain(itertools.combinations(steps, 1),
                                     itertools.combinations(steps, 2)):
            if len(dict(moves)) == len(moves):
                yield {**given, **dict(moves)}

    def spread(self, ranked, count):
        """The best, but of no tile too many: each that has been taken makes the
        others of its tile count as five percent slower."""
        taken, tiles = [], {}
        left = list(ranked[:8 * count])
        tile = lambda given: tuple(given[n] for n in self.search["spread"])
        while left and len(taken) < count:
            best = min(left,
                       key=lambda g: g[0] * (1 + 0.05 * tiles.get(tile(g[1]), 0)))
            left.remove(best)
            taken.append(best[1])
            tiles[tile(best[1])] = tiles.get(tile(best[1]), 0) + 1
        return taken

    def candidates(self, size, count, only_near=False):
        """At most `count` parameters for a size. First the ones that are always tried and the
        table's; then a third, or only these, near the latter, and what the model takes to be fast,
        the first of it in all variants."""
        starts = list(self.search["always"])
        try:
            starts.append(kernel.choose(self.template, size, self.fixed))
        except Wrong:
            pass  # nothing is in the table yet
        found = []
        self.add(found, starts, count)
        start = self.complete(starts[-1]) or (found and self.complete(found[0]))
        if not start:
            return found
        near = [self.complete(g) for g in self.neighbours(start[0])]
        near = self.ranked([pair for pair in near if pair], size)
        self.add(found, [g for _, g in near],
                 count if only_near else min(len(found) + count // 3, count))
        if only_near:
            return found
        likely = self.spread(self.ranked(self.valid, size), count)
        some = max(count // 16, 1)
        self.add(found, likely[:some], count)
        self.add(found, [{**given, n: v} for given in likely[:some]
                         for n, values in self.variants.items() for v in values],
                 count)
        self.add(found, likely[some:], count)
        return found

    def add(self, found, more, count):
        """Adds valid and different ones, until there are `count`."""
        for chosen in more:
            pair = self.complete(chosen)
            if len(found) < count and pair and pair[0] not in found:
                found.append(pair[0])
