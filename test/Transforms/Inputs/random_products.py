"""Plain products at random that combine what examples have one at a time: padded or swizzled shared memory, loads
without cp.async or predicates, loops that begin late, go in steps or come twice, a scaled operand, batches, a second
output; and, beside a loop by cp.async, uses of threads, blocks and memory that passes must respect.
"""
import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Kind:
    """A product of mma.sync: the atom, its extent along K, bits of an element, types of sums and results."""
    atom: str
    along_k: int
    bits: int
    sums: str
    results: tuple
    arch: int = 80


KINDS = {
    "f16": Kind("SM80_16x8x16_F32F16F16F32_TN", 16, 16, "f32", ("f16", "f32", "bf16")),
    "f16 sums": Kind("SM80_16x8x16_F16F16F16F16_TN", 16, 16, "f16", ("f16",)),
    "bf16": Kind("SM80_16x8x16_F32BF16BF16F32_TN", 16, 16, "f32", ("bf16", "f32")),
    "tf32": Kind("SM80_16x8x8_F32TF32TF32F32_TN", 8, 32, "f32", ("f32", "f16")),
    "i8": Kind("SM80_16x8x32_S32S8S8S32_TN", 32, 8, "i32", ("i32",)),
    "ui8": Kind("SM80_16x8x32_S32U8U8S32_TN", 32, 8, "i32", ("i32",)),
    "f8E5M2": Kind("SM89_16x8x32_F32E5M2E5M2F32_TN", 32, 8, "f32", ("f16", "f32"), 89),
    "f8E4M3FN": Kind("SM89_16x8x32_F32E4M3E4M3F32_TN", 32, 8, "f32", ("f16", "bf16"), 89),
    "i4": Kind("SM80_16x8x64_S32S4S4S32_TN", 64, 4, "i32", ("i32",)),
}
BITS = {"f16": 16, "bf16": 16, "f32": 32, "i32": 32}
ATOMS = {"async": "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", "sync": "UniversalCopy<uint128_t>",
         "direct": "SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>"}
RANGES = {"all": "0..%tiles", "late": "1..%tiles", "steps": "0..%tiles step 2", "part": "%k0..%k1"}
SCHEDULES = ["", "", "", "stages = 2", "warpgroups = 1", "warpgroups = 2", "persist = 2", "pingpong = 1", "pingpong = 2",
             "overlap = 2", "split = 2", "cluster_x = 2", "cluster_y = 2", "rows = 1"]
BESIDE = ["dump", "sum", "guard", "scratch", "table", "carry", "where", "begin", "atomic", "some blocks", "warp sum",
          "some tiles", "counter", "own loop"]
MANY = 65536  # elements of a tensor beside the product


def power_of_two(number, most):
    """The largest one that divides the number, at most so large."""
    return min(number & -number, most)


def indented(lines):
    return ["  " + line for line in lines]


def part_by_mma(name, tensor, tile):
    """A thread's part of a tile as it has sums, and which of it lies in the tensor."""
    return [f"%g{name} = cute.partition_c(%mma, cute.local_tile({tensor}, {tile}, (%bm,%bn)), %thread)",
            f"%c{name} = cute.partition_c(%mma, cute.local_tile(cute.make_identity_tensor({tensor}), {tile}, (%bm,%bn)), %thread)",
            f"%p{name} = cute.make_predicate(%c{name}, {tensor})"]


class Product:
    """One product: the text of its kernel, arguments for cute-run, and what it computes."""

    def __init__(self, g):
        self.element = g.choice(list(KINDS))
        self.beside, self.schedule = [], ""
        self.threads = g.choice([128, 128, 256, 64])
        self.warps_n = g.choice([w for w in (1, 2, 4) if w <= self.threads // 32])
        self.bm = max(16 * self.warps_m * g.choice([1, 1, 2, 2, 4]), g.choice([16, 64, 64, 64]))
        self.bn = min(16 * self.warps_n * g.choice([1, 2, 3, 4, 5]), 256)
        self.bk = max(g.choice([64, 128]) * 8 // self.kind.bits, self.kind.along_k)
        self.shared = [g.choice(["plain", "plain", "padded", "swizzled"]) for _ in "AB"]
        self.load = g.choice(["async", "async", "async", "sync", "direct"])
        self.loop = g.choice(["all", "all", "all", "late", "steps", "part", "twice", "none"])
        self.batch = g.choice([0, 0, 0, 2])
        self.has_second = g.random() < .25
        if g.random() < .4:
            self.choose_beside(g)
        self.result = g.choice(self.kind.results)
        self.majors = [g.choice("km") if self.kind.bits == 16 else "k" for _ in "AB"]
        self.is_scaled = self.element in ("f16", "bf16", "f16 sums") and not self.beside and g.random() < .2
        self.is_square = self.majors[0] == self.majors[1] and not self.beside and self.load != "direct" and g.random() < .1
        self.is_turned = g.random() < .2  # x counts tiles of N
        self.steps = [s for s in ("alpha", "bias", "columns", "relu") if self.kind.sums == "f32" and g.random() < .3]
        self.store = g.choice(["shared", "shared", "direct", "element", "transposed"])
        self.choose_extents(g)

    def choose_beside(self, g):
        """A loop by cp.async, with other things in and around it."""
        self.beside = g.sample(BESIDE, g.choice([1, 1, 2]))
        if "own loop" in self.beside:
            self.beside = ["own loop"]
        self.schedule = g.choice(SCHEDULES)
        if self.element == "i4" or (self.element == "f16 sums" and "sum" in self.beside):  # which f16 does not have exactly
            self.element = "f16"
        self.threads, self.warps_n = 128, g.choice([1, 1, 2])
        self.bm, self.bn = g.choice([64, 64, 128, 128, 256]), 16 * self.warps_n * g.choice([1, 2, 3, 4, 6, 8])
        self.bk = max(g.choice([64, 128]) * 8 // self.kind.bits, self.kind.along_k)
        self.shared, self.load = ["plain", "plain"], "async"
        self.loop = g.choice(["all", "all", "late", "steps", "part"])
        self.batch, self.has_second = 0, False

    def choose_extents(self, g):
        unit = self.unit
        self.m, self.n, self.k = (g.randrange(1, 2 * size // unit + 6) * unit for size in (self.bm, self.bn, 2 * self.bk))
        if g.random() < .15:
            self.k = g.choice([unit, self.bk, 4 * self.bk])
        if self.load == "direct":  # whole tiles
            self.m, self.n, self.k = (max(size, x // size * size) for size, x in
                                      ((self.bm, self.m), (self.bn, self.n), (self.bk, self.k)))
        elif self.majors[0] == "k" and g.random() < .5:
            self.m = max(1, self.m - g.randrange(unit))
        if self.store in ("shared", "direct"):
            self.n = -(-self.n // 8) * 8
        elif self.store == "element" and self.majors[1] == "k" and self.load != "direct" and g.random() < .6:
            self.n = max(1, self.n - g.randrange(unit))
        if self.is_square:
            self.m = self.n

    @property
    def kind(self):
        return KINDS[self.element]

    @property
    def unit(self):
        """Elements of 16 bytes."""
        return 128 // self.kind.bits

    @property
    def warps_m(self):
        return self.threads // 32 // self.warps_n

    @property
    def tile(self):
        return f"({self.bm},{self.bn})"

    @property
    def suffix(self):
        """What names of tensors have after them, once the batch is taken."""
        return "_b" if self.batch else ""

    @property
    def type(self):
        return self.element.split()[0]

    def __str__(self):
        return " ".join(f"{key}={value}" for key, value in vars(self).items())

    def is_valid(self):
        """Whether threads cover the tiles, and a block of sm_80 has the shared memory."""
        bits = (self.bm + self.bn) * (self.bk + self.unit) * self.kind.bits
        if bits + (self.store == "shared") * self.bm * self.bn * BITS[self.result] > 160 * 8192:
            return False
        for i, rows in enumerate((self.bm, self.bn)):
            a, b = map(int, re.findall(r"\d+", self.copy_layouts(i, rows))[:2])
            along_m, along_k = (1, self.unit) if self.majors[i] == "k" else (self.unit, 1)
            if rows % (a * along_m) or self.bk % (b * along_k):
                return False
        if self.store == "shared" and self.bm % (self.threads // self.across()):
            return False
        most = 128 if self.beside else 256
        return self.bm * self.bn // self.threads <= most and self.bm <= 256

    # ---- Types and layouts ---------------------------------------------------

    def across(self):
        """Threads along a row of the result, 16 bytes each."""
        return power_of_two(self.bn * BITS[self.result] // 128, 32)

    def copy_layouts(self, i, rows):
        """Threads and values of the copy of operand i to shared memory."""
        if self.majors[i] == "k":
            across = power_of_two(self.bk // self.unit, self.threads)
            while self.threads // across > rows and across * 2 <= self.bk // self.unit:
                across *= 2
            return f"({self.threads // across},{across}):({across},1), (1,{self.unit}):(0,1)"
        across = power_of_two(rows // self.unit, self.threads)
        return f"({across},{self.threads // across}):(1,{across}), ({self.unit},1):(1,0)"

    def shared_layout(self, i, rows):
        depth, how = self.bk, self.shared[i]
        if self.majors[i] == "m":
            layout = f"({rows},{depth}):(1,{rows + 8 * (how == 'padded')})"
            bits = {64: 3, 32: 2}.get(rows)
        else:
            layout = f"({rows},{depth}):({depth + self.unit * (how == 'padded')},1)"
            bits = {128: 3, 64: 2}.get(depth * self.kind.bits // 8)
        base = {16: 3, 32: 2, 8: 4, 4: 5}[self.kind.bits]
        return f"S<{bits},{base},3> o 0 o {layout}" if how == "swizzled" and bits else layout

    def operand_type(self, i):
        rows, strides = "?", (f"?{{i64 div={self.unit}}}", "1")
        columns = f"?{{div={self.unit}}}"
        if self.majors[i] == "m":
            rows, columns, strides = columns, "?", strides[::-1]
        if self.load == "direct":
            extent = self.bn if i else self.bm
            rows, columns = f"?{{div={extent & -extent}}}", f"?{{div={self.bk}}}"
        batch = (",?", f",?{{i64 div={self.unit}}}") if self.batch else ("", "")
        return f'!cute.tensor<{self.type}, gmem, align<16>, "({rows},{columns}{batch[0]}):({",".join(strides)}{batch[1]})">'

    def result_type(self):
        size = BITS[self.result]
        columns, strides, align, batch = "?", "?{i64},1", size // 8, ",?{i64}"
        if self.store in ("shared", "direct"):
            columns = f"?{{div={128 // size if self.store == 'shared' else 8}}}"
            strides, align, batch = "?{i64 div=8},1", 16, ",?{i64 div=8}"
        elif self.store == "transposed":
            strides = "1,?{i64}"
        more = (",?", batch) if self.batch else ("", "")
        return f'!cute.tensor<{self.result}, gmem, align<{align}>, "(?,{columns}{more[0]}):({strides}{more[1]})">'

    def parameters(self):
        """(Name, type, argument) of each."""
        sums, align = self.kind.sums, BITS[self.kind.sums] // 8
        empty = lambda e: "zeros" if e[0] == "i" else "poison"
        found = [("A", self.operand_type(0), self.tensor(self.type, self.m, self.k, self.majors[0], "integers(1)"))]
        if not self.is_square:
            found.append(("B", self.operand_type(1), self.tensor(self.type, self.n, self.k, self.majors[1], "integers(2)")))
        major = "m" if self.store == "transposed" else "k"
        found.append(("C", self.result_type(), self.tensor(self.result, self.m, self.n, major, empty(self.result))))
        if self.has_second:
            batch = (",?", ",?{i64}") if self.batch else ("", "")
            found.append(("D", f'!cute.tensor<{sums}, gmem, align<{align}>, "(?,?{batch[0]}):(?{{i64}},1{batch[1]})">',
                          self.tensor(sums, self.m, self.n, "k", empty(sums))))
        for step, name, strides, value in (("bias", "R", "(0,1)", 3), ("columns", "Q", "(1,0)", -2)):
            if step in self.steps:
                found.append((name, f'!cute.tensor<f32, gmem, align<4>, "(?,?):{strides}">',
                              f"f32[({self.m},{self.n}):{strides}]:fill({value})"))
        if "alpha" in self.steps:
            found.append(("alpha", "f32", "0.5"))
        if self.loop == "part":
            found += [("k0", "i32", "0" if self.k <= self.bk else "1"), ("k1", "i32", str(-(-self.k // self.bk)))]
        many = lambda e, gen: (f'!cute.tensor<{e}, gmem, align<4>, "{MANY}:1">', f"{e}[{MANY}]:{gen}")
        for use, name, element, gen in (("dump", "V", sums, "zeros"), ("sum", "U", sums, "zeros"), ("atomic", "W", sums, "zeros"),
                                         ("table", "E", sums, "integers(9)"), ("where", "F", sums, "zeros"), ("counter", "J", "i32", "zeros")):
            if use in self.beside:
                found.append((name, *many(element, gen)))
        if "begin" in self.beside:
            found.append(("I", f'!cute.tensor<{sums}, gmem, align<{align}>, "(?,?):(?{{i64}},1)">',
                          f"{sums}[{self.m}x{self.n}]:integers(8)"))
        return found

    def tensor(self, element, rows, columns, major, gen):
        shape, strides = f"{rows},{columns}", f"{columns},1" if major == "k" else f"1,{rows}"
        if self.batch:
            shape, strides = f"{shape},{self.batch}", f"{strides},{rows * columns}"
        return f"{element}[({shape}):({strides})]:{gen}"

    @property
    def outputs(self):
        """The numbers of arguments that the kernel writes."""
        return [i for i, (name, *_) in enumerate(self.parameters()) if name in "CDVUWFJ"]

    # ---- The kernel ----------------------------------------------------------

    def declare(self):
        """Tiles, fragments and copies of the operands, and sums."""
        lines = [f"%{x}_b = cute.slice(%{x}, (_,_,%bz))" for x, *_ in self.parameters() if self.batch and x in "ABCD"]
        lines.append(f'%mma = cute.make_tiled_mma(!cute.mma_atom<"{self.kind.atom}">, ({self.warps_m},{self.warps_n},1):'
                     f"(1,{self.warps_m},0), ({16 * self.warps_m},{16 * self.warps_n},{self.kind.along_k}))")
        for i, (x, rows) in enumerate((("A", self.bm), ("B", self.bn))):
            side, matrices = x.lower(), "!ldmatrix" if self.majors[i] == "k" else "!ldmatrix_t"
            lines += [f"%s{x} = cute.alloc_smem<{self.type}, 128> ({self.shared_layout(i, rows)})",
                      f"%t{x} = cute.partition_{side}(%mma, %s{x}, %thread)",
                      f"%r{x} = cute.make_fragment_{side}(%mma, %t{x})",
                      f"%g2s_{x} = cute.make_tiled_copy(!load, {self.copy_layouts(i, rows)})",
                      f"%s{x}_write = cute.partition_d(%g2s_{x}, %s{x}, %thread)",
                      f"%s2r_{x} = cute.make_tiled_copy_{side}({matrices}, %mma)",
                      f"%s{x}_read = cute.partition_s(%s2r_{x}, %s{x}, %thread)",
                      f"%r{x}_write = cute.retile(%s2r_{x}, %r{x})"]
        return lines + [f"%shape = cute.partition_shape_c(%mma, {self.tile})",
                        f"%rC = cute.make_fragment<{self.kind.sums}> (%shape)", "cute.clear(%rC)",
                        f"%tiles = cute.size<[1]> (%A) ceildivu {self.bk}"]

    def fetch(self, x, number):
        """Copies tile `number` along K to shared memory."""
        block, rows = ("bm", self.bm) if x == "A" else ("bn", self.bn)
        tensor = f"%{'A' if self.is_square else x}{self.suffix}"
        if self.load == "direct":
            return [f"%t{x}_k = cute.local_tile({tensor}, ({rows},{self.bk}), (%{block},{number}))",
                    f"%g{x} = cute.partition_s(%g2s_{x}, %t{x}_k, %thread)", f"cute.copy(%g2s_{x}, %g{x}, %s{x}_write)"]
        lines = [f"%g{x}, %p{x} = cute.predicated_tile_s(%g2s_{x}, {tensor}, ({rows},{self.bk}), (%{block},{number}), %thread)"]
        if self.load == "async":
            return [*lines, f"cute.copy(%g2s_{x}, %g{x}, %s{x}_write, %p{x})"]
        return [*lines, f"%f{x} = cute.make_fragment_like(%g{x})", f"cute.clear(%f{x})",
                f"cute.copy(%g2s_{x}, %g{x}, %f{x}, %p{x})", f"cute.copy(%g2s_{x}, %f{x}, %s{x}_write)"]

    def one_round(self, number):
        lines = self.fetch("A", number) + self.fetch("B", number)
        lines += [] if self.load == "sync" else ["cute.cp_async_wait_all"]
        lines += ["gpu.barrier", "cute.copy(%s2r_A, %sA_read, %rA_write)", "cute.copy(%s2r_B, %sB_read, %rB_write)"]
        if self.is_scaled:
            lines += ["%vA = cute.load_vector(%rA)", "%wA = %vA * 2.0", "cute.store_vector(%wA, %rA)"]
        return lines + ["cute.gemm(%mma, %rC, %rA, %rB, %rC)", "gpu.barrier"]

    def rounds(self):
        """The loops over K, and what is beside them: before, in the loop and after."""
        before, inside, after, head = [], [], [], "for %k in"
        zero, one = ("0.0", "1.0") if self.kind.sums[0] == "f" else ("0", "1")
        add = ["%old = cute.load_vector(%rC)", "%new = %old + {}", "cute.store_vector(%new, %rC)"]
        for use in self.beside:
            if use == "dump":
                after += ["%at_V = (%bn * 64 + %bm) * 128 + %thread", "%one_sum = %rC[0]", f"if %at_V <s {MANY} {{", "  %V[%at_V] = %one_sum", "}"]
            elif use == "sum":
                after += ["%all = cute.load_vector(%rC)", f'%total = cute.reduce_vector<"add", "{self.bm * self.bn // 128}", "0"> (%all, {zero})',
                          "%at_sum = %bn * 64 + %bm", '%was_sum = cute.atomic_rmw<"add"> (%total, %U, %at_sum)']
            elif use == "scratch":
                before += [f"%scratch = cute.alloc_smem<{self.kind.sums}, 16> (128:1)"]
                after += ["%mine = %rC[0]", "%scratch[%thread] = %mine", "gpu.barrier", "%other = %thread xor 1",
                          "%theirs = %scratch[%other]", "%rC[0] = %theirs", "gpu.barrier"]
            elif use == "table":
                before += [f"%seen = cute.make_fragment<{self.kind.sums}> (1:1)", "cute.clear(%seen)"]
                inside += ["%entry = %E[%k & 7]", "%so_far = %seen[0]", "%seen[0] = %so_far + %entry"]
                after += ["%seen_all = %seen[0]", "%first = %rC[0]", "%rC[0] = %first + %seen_all"]
            elif use == "carry":
                head = "%count = for %k in"
                after += [line.format("%count") for line in add]
            elif use == "where":
                value = f"{self.kind.sums}s(%bm * 3 + %bn + %blocks)" if self.kind.sums != "i32" else "%bm * 3 + %bn + %blocks"
                before += ["%blocks = cute.grid_dim"]
                after += ["%at_F = %bn * 64 + %bm", f"if %thread == 0 and %at_F <s {MANY} {{", f"  %here = {value}", "  %F[%at_F] = %here", "}"]
            elif use == "begin":
                before += [*part_by_mma("I", "%I", self.tile), "cute.basic_copy_if(%pI, %gI, %rC)"]
            elif use == "atomic":
                after += ["if %thread == 0 {", f"  %one = {one} : {self.kind.sums}", '  cute.atomic_rmw<"add"> (%one, %W, 0)', "}"]
            elif use == "warp sum":
                after += ["%part = %rC[0]", f"%sum_of_warp = gpu.subgroup_reduce add %part : ({self.kind.sums}) -> {self.kind.sums}", "%rC[0] = %sum_of_warp"]
            elif use == "some tiles":
                after += ["%is_second = %bm == 1", "%x = cute.load_vector(%rC)", "%y = if %is_second { yield %x + %x } else { yield %x }", "cute.store_vector(%y, %rC)"]
            elif use == "counter":
                inside += ["%J[%thread & 15] = %k"]
        return [*before, *self.loops(head, inside, zero, one), *after]

    def loops(self, head, inside, zero, one):
        if self.loop == "none":
            return ["%k_0 = 0 : i32", *self.one_round("%k_0")]
        carry, end = "", []
        if "carry" in self.beside:
            carry, end = f" carry(%n = {zero} : {self.kind.sums})", [f"yield %n + {one}"]
        ranges = [RANGES.get(self.loop, "0..%half")] + ["%half..%tiles"] * (self.loop == "twice")
        lines = ["%half = %tiles >>u 1"] if self.loop == "twice" else []
        for found in ranges:
            lines += [f"{head} {found}{carry} {{", *indented([*inside, *self.one_round("%k"), *end]), "}"]
        return lines

    def results(self):
        """From the sums %rC to the fragment %rD."""
        lines = []
        if self.has_second:
            lines += [*part_by_mma("D", f"%D{self.suffix}", self.tile), "cute.basic_copy_if(%pD, %rC, %gD)"]
        lines.append(f"%rD = cute.make_fragment_like<{self.result}> (%rC)")
        if not self.steps:
            return [*lines, "cute.basic_copy(%rC, %rD)" if self.result == self.kind.sums else "cute.convert(%rC, %rD)"]
        lines.append("%v = cute.load_vector(%rC)")
        value = "%v"
        for step in self.steps:
            if step in ("bias", "columns"):
                name = "R" if step == "bias" else "Q"
                lines += [*part_by_mma(name, f"%{name}", self.tile), f"%r{name} = cute.make_fragment_like(%g{name})", f"cute.clear(%r{name})",
                          f"cute.basic_copy_if(%p{name}, %g{name}, %r{name})"]
                formula = f"{value} + cute.load_vector(%r{name})"
            else:
                formula = f"{value} * %alpha" if step == "alpha" else f"max({value}, 0.0)"
            value = f"%v_{step}"
            lines.append(f"{value} = {formula}")
        if self.result != "f32":
            lines.append(f"%small = {self.result}({value})")
            value = "%small"
        return [*lines, f"cute.store_vector({value}, %rD)"]

    def stores(self):
        tensor, size = f"%C{self.suffix}", BITS[self.result]
        if self.store in ("element", "transposed"):
            return [*part_by_mma("C", tensor, self.tile), "cute.basic_copy_if(%pC, %rD, %gC)"]
        if self.store == "direct":
            return ["%r2g = cute.make_tiled_copy_c(!pair, %mma)",
                    f"%gC, %pC = cute.predicated_tile_d(%r2g, {tensor}, {self.tile}, (%bm,%bn), %thread)",
                    "%rD_read = cute.retile(%r2g, %rD)", "cute.copy(%r2g, %rD_read, %gC, %pC)"]
        across = self.across()
        return [f"%sC = cute.alloc_smem<{self.result}, 128> ({self.tile}:({self.bn},1))", "%r2s = cute.make_tiled_copy_c(!pair, %mma)",
                "%sC_write = cute.partition_d(%r2s, %sC, %thread)", "%rD_read = cute.retile(%r2s, %rD)",
                "cute.copy(%r2s, %rD_read, %sC_write)", "gpu.barrier",
                f"%s2g = cute.make_tiled_copy(!vector, ({self.threads // across},{across}):({across},1), (1,{128 // size}):(0,1))",
                "%sC_read = cute.partition_s(%s2g, %sC, %thread)",
                f"%gC, %pC = cute.predicated_tile_d(%s2g, {tensor}, {self.tile}, (%bm,%bn), %thread)",
                "%r = cute.make_fragment_like(%sC_read)", "cute.copy(%s2g, %sC_read, %r)", "cute.copy(%s2g, %r, %gC, %pC)"]

    def body(self):
        stores = self.stores()
        if "guard" in self.beside:  # half of the threads store
            stores[-1:] = ["if %thread <s 64 {", "  " + stores[-1], "}"]
        lines = [*self.declare(), *self.rounds(), *self.results(), *stores]
        if "some blocks" in self.beside:
            lines = ["if %bm <s 1 {", *indented(lines), "}"]
        ids = ["%bm", "%bn"]
        if self.is_turned:
            ids.reverse()
        dims = ["", '<"y">', '<"z">']
        lines_of_ids = [f"{x} = cute.block_idx{dim}" for x, dim in zip([*ids, *(["%bz"] if self.batch else [])], dims)]
        if "own loop" in self.beside:  # over tiles of M, by as many blocks as there are
            dim = dims[ids.index("%bm")]
            lines_of_ids = [line.replace("%bm =", "%first =") for line in lines_of_ids]
            lines = [f"%step = cute.grid_dim{dim}", f"%rows = cute.size<[0]> (%C) ceildivu {self.bm}",
                     "for %bm in %first..%rows step %step {", *indented(lines), "}"]
        return [*lines_of_ids, "%thread = cute.thread_idx", *lines, "gpu.return"]

    def text(self):
        names = [name for name, *_ in self.parameters()]
        c = f"arg{names.index('C')}"
        grid = [f"ceil_div({c}.shape[0], {self.bm})", f"ceil_div({c}.shape[1], {self.bn})"]
        if self.is_turned:
            grid.reverse()
        grid = [f'"{x}"' for x in grid + [f"{c}.shape[2]"] * bool(self.batch)]
        transposed = f'!ldmatrix_t = !cute.copy_atom<"SM75_U16x8_LDSM_T", {self.type}>\n' if self.kind.bits == 16 else ""
        schedule = f"cute.schedule = {{{self.schedule}}}, " if self.schedule else ""
        body = "\n".join("    " + line for line in self.body())
        return f"""!load = !cute.copy_atom<"{ATOMS[self.load]}", {self.type}>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", {self.type}>
{transposed}!pair = !cute.copy_atom<"UniversalCopy<uint{2 * BITS[self.result]}_t>", {self.result}>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", {self.result}>
gpu.module @plain {{
  gpu.func @gemm({", ".join(f"%{name}: {kind}" for name, kind, _ in self.parameters())}) kernel attributes {{
      {schedule}known_block_size = array<i32: {self.threads}, 1, 1>, cute.grid = [{", ".join(grid)}]}} {{
{body}
  }}
}}
"""

    def check(self):
        """The formula of C, as --check of cute-run has it, with a tolerance; None with something beside the product."""
        if self.beside:
            return None
        letter = {name: chr(ord("A") + i) for i, (name, *_) in enumerate(self.parameters())}
        batch, tile = ",b" if self.batch else "", f"floor(k / {self.bk})"
        late = f" * min({tile}, 1)"
        which = {"late": late, "steps": f" * (1 - {tile} % 2)", "none": f" * (1 - min({tile}, 1))",
                 "part": late if self.k > self.bk else ""}.get(self.loop, "")
        formula = f"sum[k](A[m,k{batch}] * {letter['A' if self.is_square else 'B']}[n,k{batch}]{which})"
        formula = f"(2 * {formula})" if self.is_scaled else formula
        for step in self.steps:
            formula = {"alpha": f"(0.5 * {formula})", "relu": f"max({formula}, 0)", "bias": f"({formula} + {letter.get('R')}[m,n])",
                       "columns": f"({formula} + {letter.get('Q')}[m,n])"}[step]
        return f"{letter['C']}[m,n{batch}] = {formula}", "8e-3" if self.result == "bf16" else "2e-3"


def choose(g):
    """A product at random whose tiles the threads cover."""
    while not (product := Product(g)).is_valid():
        pass
    return product
