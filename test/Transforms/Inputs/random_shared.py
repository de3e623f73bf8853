"""Kernels at random that add up tiles by way of shared memory, and hand the sums from thread to thread there once or
more often: shared memory in many layouts, copies of many shapes, loops of several forms, buffers whose lives do not
overlap.
"""
BITS = {"f32": 32, "f16": 16, "bf16": 16, "i8": 8, "i32": 32, "f8E4M3FN": 8, "f64": 64, "i4": 4, "ui8": 8, "i16": 16}
FLOATS = {"f32", "f16", "bf16", "f8E4M3FN", "f64"}
ATOMS = {"async": "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", "sync": "UniversalCopy<uint128_t>",
         "direct": "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"}
RANGES = {"all": "0..%tiles", "steps": "0..%tiles step 2", "late": "1..%tiles", "twice": "0..%tiles"}


def indented(lines):
    return ["  " + line for line in lines]


class Sums:
    """Sums of the tiles of A, or differences from B's, (M,N,K) along K, to which each turn may add 1."""

    def __init__(self, g):
        self.threads = g.choice([32, 64, 128, 256])
        self.bm, self.bn = g.choice([8, 16, 32, 64]), g.choice([32, 64, 128])
        self.element = g.choice(list(BITS))
        self.sums = "f64" if self.element == "f64" else "f32" if self.element in FLOATS else "i32"
        self.result = g.choice(["f32", "f16"]) if self.sums == "f32" else self.sums
        self.load = g.choice(["async", "async", "sync", "direct"])
        self.layout = g.choice(["plain", "plain", "padded", "swizzled", "nested"])
        self.tensors = "AB"[:g.choice([1, 1, 2])]
        self.carries = g.choice([True, False])
        self.loop = g.choice(list(RANGES))
        self.begins_with_barrier = g.choice([True, False])
        self.waits_for_all = g.choice([True, False])
        self.is_along_n = BITS[self.element] < 8 or g.random() < .67
        turns = g.choice([0, 1, 1, 2, 3])
        self.turns = [g.choice(["f16", "f32"]) if self.sums == "f32" else self.sums for _ in range(turns)]
        self.layouts = [g.choice(["({m},{n}):({n},1)", "({m},{n}):(1,{m})", "({m},{n}):({wide},1)"]) for _ in range(turns)]
        self.adds = [g.random() < .6 for _ in range(turns)]
        self.waits = [g.random() < .3 for _ in range(turns)]
        self.m, self.k = g.randrange(1, 3 * self.bm + 2), g.choice([1, 2, 3, 4, 5, 7])
        unit = self.bm if self.load == "direct" else 1 if self.is_along_n else self.unit
        self.m = -(-self.m // unit) * unit
        self.values = g.choice([v for v in (1, 2, 4, 8, 16, 32) if 8 <= v * BITS[self.element] <= 128])
        self.copy = self.cover(g, self.unit, self.is_along_n)
        self.read = self.cover(g, self.values, self.is_along_n)
        self.by_turn = [self.cover(g, 1, True) for _ in range(turns)]

    @property
    def unit(self):
        """Elements of 16 bytes."""
        return 128 // BITS[self.element]

    def __str__(self):
        return " ".join(f"{key}={value}" for key, value in vars(self).items())

    def is_valid(self):
        """Whether threads cover the tile, and a block of sm_80 has the shared memory."""
        bits = len(self.tensors) * (BITS[self.element] + 1) + sum(BITS[kind] + 1 for kind in self.turns)
        return None not in (self.copy, self.read, *self.by_turn) and self.bm * self.bn * bits <= 160 * 8192

    def cover(self, g, length, is_along_n):
        """Threads and values that cover the tile, with so many values side by side; None if there are none."""
        found = []
        for rows in (1, 2, 4, 8, 16, 32, 64, 128, 256):
            for times in (1, 2, 3):
                columns = self.threads // rows
                m, n = (times, length) if is_along_n else (length, times)
                if columns and self.bm % (rows * m) == 0 and self.bn % (columns * n) == 0:
                    found.append((rows, columns, m, n))
        if not found:
            return None
        rows, columns, m, n = g.choice(found)
        threads = g.choice([f"({rows},{columns}):({columns},1)", f"({rows},{columns}):(1,{rows})"])
        values = f"({m},{n}):({n},1)" if is_along_n else f"({m},{n}):(1,{m})"
        return f"{threads}, {'(1,1):(0,0)' if m == n == 1 else values}"

    def shared_layout(self):
        m, n, bits = self.bm, self.bn, BITS[self.element]
        padding = self.unit if self.layout == "padded" else 0
        if not self.is_along_n:
            return f"({m},{n}):(1,{m + padding})"
        swizzle = {128: "3,{},3", 64: "2,{},3", 32: "1,{},3", 256: "3,{},4", 512: "3,{},5"}.get(n * bits // 8)
        if self.layout == "swizzled" and swizzle:
            base = {4: 5, 8: 4, 16: 3, 32: 2, 64: 1}[bits]
            return f"S<{swizzle.format(base)}> o 0 o ({m},{n}):({n},1)"
        if self.layout == "nested" and n % (2 * self.unit) == 0:
            return f"({m},({self.unit},{n // self.unit})):({self.unit},(1,{self.unit * m}))"
        return f"({m},{n}):({n + padding},1)"

    # ---- The kernel ----------------------------------------------------------

    def declare(self):
        lines = [f"%g2s = cute.make_tiled_copy(!load, {self.copy})", f"%s2r = cute.make_tiled_copy(!read, {self.read})"]
        for x in self.tensors:
            lines += [f"%s{x} = cute.alloc_smem<{self.element}, 128> ({self.shared_layout()})",
                      f"%s{x}_write = cute.partition_d(%g2s, %s{x}, %thread)", f"%s{x}_read = cute.partition_s(%s2r, %s{x}, %thread)"]
        return [*lines, "%r = cute.make_fragment_like(%sA_read)", f"%sums = cute.make_fragment_like<{self.sums}> (%r)",
                "cute.clear(%sums)", "%tiles = cute.size<[2]> (%A)", "%zero = cute.load_vector(%sums)"]

    def fetch(self, x):
        tile = f"({self.bm},{self.bn})"
        lines = [f"%{x}_k = cute.slice(%{x}, (_,_,%k))"]
        if self.load == "direct":
            return [*lines, f"%g{x} = cute.partition_s(%g2s, cute.local_tile(%{x}_k, {tile}, (%bm,0)), %thread)", f"cute.copy(%g2s, %g{x}, %s{x}_write)"]
        lines.append(f"%g{x}, %p{x} = cute.predicated_tile_s(%g2s, %{x}_k, {tile}, (%bm,0), %thread)")
        if self.load == "async":
            return [*lines, f"cute.copy(%g2s, %g{x}, %s{x}_write, %p{x})"]
        return [*lines, f"%f{x} = cute.make_fragment_like(%g{x})", f"cute.clear(%f{x})", f"cute.copy(%g2s, %g{x}, %f{x}, %p{x})",
                f"cute.copy(%g2s, %f{x}, %s{x}_write)"]

    def one_round(self):
        lines = ["gpu.barrier"] * self.begins_with_barrier
        for x in self.tensors:
            lines += self.fetch(x)
        if self.load != "sync":
            lines += ["cute.cp_async_wait_all"] if self.waits_for_all else ["cute.cp_async_commit", "cute.cp_async_wait<0>"]
        lines += ["gpu.barrier"] + ["%c = cute.load_vector(%sums)"] * (not self.carries)
        value, sign = "%c", "" if self.element in FLOATS else "u" if self.element == "ui8" else "s"
        for x, plus in zip(self.tensors, "+-"):
            loaded = "cute.load_vector(%r)" if self.element == self.sums else f"{self.sums}{sign}(cute.load_vector(%r))"
            lines += [f"cute.copy(%s2r, %s{x}_read, %r)", f"%x{x} = {loaded}", f"%c{x} = {value} {plus} %x{x}"]
            value = f"%c{x}"
        lines += [] if self.carries else [f"cute.store_vector({value}, %sums)"]
        lines += ["gpu.barrier"] * (not self.begins_with_barrier)
        return [*lines, f"yield {value}"] if self.carries else lines

    def rounds(self):
        """The sums become %all, and are in %sums."""
        found, is_twice = RANGES[self.loop], self.loop == "twice"
        begin = "%d" if is_twice else "%zero"
        head = f"for %k in {found} carry(%c = {begin}) {{" if self.carries else f"for %k in {found} {{"
        lines = [("%e = " if is_twice else "%all = ") * self.carries + head, *indented(self.one_round()), "}"]
        if is_twice:
            outer = "%all = for %q in 0..2 carry(%d = %zero) {" if self.carries else "for %q in 0..2 {"
            lines = [outer, *indented(lines), *["  yield %e"] * self.carries, "}"]
        lines += [] if self.carries else ["%all = cute.load_vector(%sums)"]
        return [*lines, *["gpu.barrier"] * self.begins_with_barrier, "cute.store_vector(%all, %sums)"]

    def body(self):
        lines, fragment, copy, element = [*self.declare(), *self.rounds()], "%sums", "%s2r", self.sums
        for i, kind in enumerate(self.turns):
            layout = self.layouts[i].format(m=self.bm, n=self.bn, wide=self.bn + 1)
            lines += [f"%h{i} = cute.make_fragment_like<{kind}> ({fragment})",
                      f"cute.{'convert' if kind != element else 'basic_copy'}({fragment}, %h{i})",
                      f"%turn{i} = cute.alloc_smem<{kind}, 128> ({layout})", f"%turn{i}_write = cute.partition_d({copy}, %turn{i}, %thread)",
                      f"cute.basic_copy(%h{i}, %turn{i}_write)", "gpu.barrier", f"%copy{i} = cute.make_tiled_copy(!one_{kind}, {self.by_turn[i]})",
                      f"%turn{i}_read = cute.partition_s(%copy{i}, %turn{i}, %thread)", f"%q{i} = cute.make_fragment_like(%turn{i}_read)",
                      f"cute.basic_copy(%turn{i}_read, %q{i})"]
            if self.adds[i]:
                lines += [f"%v{i} = cute.load_vector(%q{i})", f"%w{i} = %v{i} + {'1.0' if kind[0] == 'f' else '1'}", f"cute.store_vector(%w{i}, %q{i})"]
            lines += ["gpu.barrier"] * self.waits[i]
            fragment, copy, element = f"%q{i}", f"%copy{i}", kind
        tile, c = f"({self.bm},{self.bn})", "%C"
        return [*lines, f"%result = cute.make_fragment_like<{self.result}> ({fragment})",
                f"cute.{'convert' if element != self.result else 'basic_copy'}({fragment}, %result)",
                f"%gC = cute.partition_d({copy}, cute.local_tile({c}, {tile}, (%bm,0)), %thread)",
                f"%cC = cute.partition_d({copy}, cute.local_tile(cute.make_identity_tensor({c}), {tile}, (%bm,0)), %thread)",
                f"%pC = cute.make_predicate(%cC, {c})", f"cute.basic_copy_if(%pC, %result, %gC)", "gpu.return"]

    def text(self):
        rows = f"?{{div={self.bm}}}" if self.load == "direct" else "?" if self.is_along_n else f"?{{div={self.unit}}}"
        strides = f"{self.bn},1" if self.is_along_n else f"1,?{{i64 div={self.unit}}}"
        operand = f'!cute.tensor<{self.element}, gmem, align<16>, "({rows},{self.bn},?):({strides},?{{i64 div={self.unit}}})">'
        result = f'!cute.tensor<{self.result}, gmem, align<{BITS[self.result] // 8}>, "(?,{self.bn}):({self.bn},1)">'
        atoms = "".join(f'!one_{kind} = !cute.copy_atom<"UniversalCopy<uint{BITS[kind]}_t>", {kind}>\n' for kind in sorted(set(self.turns)))
        body = "\n".join("    " + line for line in self.body())
        parameters = ", ".join(f"%{x}: {operand}" for x in self.tensors)
        return f"""!load = !cute.copy_atom<"{ATOMS[self.load]}", {self.element}>
!read = !cute.copy_atom<"UniversalCopy<uint{BITS[self.element] * self.values}_t>", {self.element}>
{atoms}gpu.module @plain {{
  gpu.func @sums({parameters}, %C: {result}) kernel attributes {{
      known_block_size = array<i32: {self.threads}, 1, 1>, cute.grid = ["ceil_div(arg0.shape[0], {self.bm})"]}} {{
    %bm = cute.block_idx
    %thread = cute.thread_idx
{body}
  }}
}}
"""

    def parameters(self):
        """(Name, type, argument) of each, except the types."""
        m, n, k = self.m, self.bn, self.k
        layout = f"({m},{n},{k}):" + (f"({n},1,{m * n})" if self.is_along_n else f"(1,{m},{m * n})")
        found = [(x, None, f"{self.element}[{layout}]:integers({i + 1})") for i, x in enumerate(self.tensors)]
        return [*found, ("C", None, f"{self.result}[{m}x{n}]:{'zeros' if self.result[0] == 'i' else 'poison'}")]

    @property
    def outputs(self):
        return [len(self.tensors)]

    def check(self):
        x = " - ".join(f"{name}[m,n,k]" for name in self.tensors)
        found = {"all": f"sum[k]({x})", "steps": f"sum[k](({x}) * (1 - k % 2))", "late": f"sum[k](({x}) * min(k, 1))", "twice": f"(2 * sum[k]({x}))"}
        return f"{'ABC'[len(self.tensors)]}[m,n] = {found[self.loop]} + {sum(self.adds)}", "2e-3"


def choose(g):
    """A kernel at random whose tiles the threads cover."""
    while not (sums := Sums(g)).is_valid():
        pass
    return sums
