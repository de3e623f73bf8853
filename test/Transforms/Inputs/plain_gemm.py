"""Writes plain products: tiles, types, majors and epilogues as asked for, or at random.

Rows of A, B and C are multiples of 16 bytes; C = f(A B^T), by two products with a gate
between them (gate), or by a sum for each tile along K that is added to the rest (levels).
With loops, parts of fragments are copied and multiplied one by one: the parts along K (k), all
parts (kmn), or the parts of the copied fragments (mnk).
"""
import random

TYPES = {  # element: (MMA, its extent along K, bytes, sums, result)
    "f16": ("SM80_16x8x16_F32F16F16F32_TN", 16, 2, "f32", "f16"),
    "bf16": ("SM80_16x8x16_F32BF16BF16F32_TN", 16, 2, "f32", "bf16"),
    "f8E4M3FN": ("SM89_16x8x32_F32E4M3E4M3F32_TN", 32, 1, "f32", "f16"),
    "i8": ("SM80_16x8x32_S32S8S8S32_TN", 32, 1, "i32", "i32"),
    "tf32": ("SM80_16x8x8_F32TF32TF32F32_TN", 8, 4, "f32", "f32"),
}


def loop(counters, body):
    """Loops over parts around a body: pairs of a counter and its bound."""
    for counter, bound in reversed(counters):
        body = f"""
      %end_{counter} = arith.constant {bound} : i32
      scf.for %{counter} = %c0 to %end_{counter} step %c1 : i32 {{{body}
      }}"""
    return body


def power_of_two(number, most):
    """The largest one that divides the number, at most so large."""
    return min(number & -number, most)


class Plain:
    """One product: the text of its kernel, and arguments for cute-run."""

    def __init__(self, element="f16", majors="kk", tile=(128, 128, 64), epilogue="convert", store="shared", batches=0, schedule="", loops=""):
        self.element, self.majors, self.tile = element, majors, tile
        self.epilogue, self.store, self.batches, self.schedule = epilogue, store, batches, schedule
        self.loops = loops
        self.mma, along_k, self.bytes, self.sums, self.result = TYPES[element]
        columns = 1 if tile[1] % 32 else 2  # of warps
        self.parts = (tile[0] * columns // 64, tile[1] // columns // 8, tile[2] // along_k)
        self.warps = f"({4 // columns},{columns},1):(1,{4 // columns},0)"
        self.cover = f"({64 // columns},{16 * columns},{along_k})"

    def __str__(self):
        return f"{self.element} {self.majors} {self.tile} {self.epilogue} {self.store} {self.batches} {self.loops} {{{self.schedule}}}"

    @property
    def gated(self):
        return self.epilogue == "gate"

    def accumulators(self):
        return ["1", "2"] if self.gated else ["1"]

    def operand(self, name, rows, major):
        """Declarations of an operand's tile and its copies; `rows` is BM or BN."""
        per = 16 // self.bytes
        depth = self.tile[2]
        if major == "k":
            across = min(depth // per, 128)
            threads, values = f"({128 // across},{across}):({across},1)", f"(1,{per}):(0,1)"
            layout = f"({rows},{depth}):({depth},1)"
        else:
            across = power_of_two(rows // per, 128)
            threads, values = f"({across},{128 // across}):(1,{across})", f"({per},1):(1,0)"
            layout = f"({rows},{depth}):(1,{rows})"
        side = "a" if name == "A" else "b"
        ldmatrix = "ldmatrix" if major == "k" else "ldmatrix_t"
        return f"""
    %s{name} = cute.alloc_smem<{self.element}, 128> ({layout})
    %t{name} = cute.partition_{side}(%mma, %s{name}, %thread)
    %r{name} = cute.make_fragment_{side}(%mma, %t{name})
    %g2s_{name} = cute.make_tiled_copy(!async, {threads}, {values})
    %s{name}_write = cute.partition_d(%g2s_{name}, %s{name}, %thread)
    %s2r_{name} = cute.make_tiled_copy_{side}(!{ldmatrix}, %mma)
    %s{name}_read = cute.partition_s(%s2r_{name}, %s{name}, %thread)
    %r{name}_write = cute.retile(%s2r_{name}, %r{name})"""

    def clear(self, i):
        """Sums become zeros, perhaps one by one."""
        if not self.loops:
            return f"\n    cute.clear(%r{i})"
        zero = "0.0 : f32" if self.sums == "f32" else "0 : i32"
        return f"\n    %zero_{i} = arith.constant {zero}" + loop([(f"i{i}", self.tile[0] * self.tile[1] // 128)], f"""
      %at = cute.make_coord(%i{i}) : (i32) -> !cute.coord<"?">
      cute.store(%zero_{i}, %r{i}, %at)""")

    def load(self, name, rows, block):
        return f"""
      %g{name}, %p{name} = cute.predicated_tile_s(%g2s_{name}, %{name}, ({rows},{self.tile[2]}), (%{block},%k), %thread)
      cute.copy(%g2s_{name}, %g{name}, %s{name}_write, %p{name})"""

    def products(self, names):
        """Fragments are filled, and multiplied."""
        _, _, blocks = self.parts
        rounds = {"m": self.parts[0], "n": self.parts[1], "b": blocks}
        gemms = [(i, "rA", "rB" if i == "1" else "rB2") for i in self.accumulators()]
        if not self.loops:
            reads = "".join(f"\n      cute.copy(%s2r_{n}, %s{n}_read, %r{n}_write)" for n, *_ in names)
            return reads + "".join(f"\n      cute.gemm(%mma, %r{i}, %{a}, %{b}, %r{i})" for i, a, b in gemms)
        reads = "".join(f"""
      %from_{n} = cute.slice(%s{n}_read, (_,_,%b))
      %to_{n} = cute.slice(%r{n}_write, (_,_,%b))
      cute.copy(%s2r_{n}, %from_{n}, %to_{n})""" for n, *_ in names)
        m, n = ("_", "_") if self.loops == "k" else ("%m", "%n")
        multiply = "".join(f"""
      %sum_{i} = cute.slice(%r{i}, (_,{m},{n}))
      %part_{a}_{i} = cute.slice(%{a}, (_,{m},%b))
      %part_{b} = cute.slice(%{b}, (_,{n},%b))
      cute.gemm(%mma, %sum_{i}, %part_{a}_{i}, %part_{b}, %sum_{i})""" for i, a, b in gemms)
        if self.loops == "k":
            return loop([("b", blocks)], reads + multiply)
        if self.loops == "kmn":
            return loop([("b", blocks)], reads + loop([("m", rounds["m"]), ("n", rounds["n"])], multiply))
        return loop([("c", blocks)], reads.replace("%b)", "%c)")) + loop([(i, rounds[i]) for i in self.loops.replace("k", "b")], multiply)

    def results(self):
        """From the sums %r1, and perhaps %r2, to the fragment %rD."""
        n = self.tile[0] * self.tile[1] // 128
        make = f"    %rD = cute.make_fragment_like<{self.result}> (%r1)\n"
        if self.sums == self.result:
            return make + "    cute.basic_copy(%r1, %rD)"
        if self.epilogue in ("convert", "levels") and self.loops:
            whole = "%r1" if self.epilogue == "convert" else "%all"
            return make + loop([("m", self.parts[0])], f"""
      %sums = cute.slice({whole}, (_,%m,_))
      %rounded = cute.slice(%rD, (_,%m,_))
      cute.convert(%sums, %rounded)""")
        if self.epilogue in ("convert", "levels"):
            return make + f"    cute.convert({'%r1' if self.epilogue == 'convert' else '%all'}, %rD)"
        vector, small = f"vector<{n}xf32>", f"vector<{n}x{self.result}>"
        lines = [f"%x = cute.load_vector(%r1)", f"%zero = arith.constant dense<0.0> : {vector}"]
        if self.epilogue == "relu":
            lines.append(f"%z = arith.maximumf %x, %zero : {vector}")
        elif self.epilogue == "gate":
            lines += ["%y = cute.load_vector(%r2)", f"%w = arith.maximumf %x, %zero : {vector}",
                      f"%z = arith.mulf %w, %y : {vector}"]
        else:
            lines += ["%r2g_R = cute.make_tiled_copy_c(!pair, %mma)",
                      f"%gR, %pR = cute.predicated_tile_s(%r2g_R, %R, ({self.tile[0]},{self.tile[1]}), (%bm,%bn), %thread)",
                      f"%rR = cute.make_fragment_like<{self.result}> (%r1)", "cute.clear(%rR)",
                      "%rR_write = cute.retile(%r2g_R, %rR)", "cute.copy(%r2g_R, %gR, %rR_write, %pR)",
                      "%yR = cute.load_vector(%rR)", f"%y = arith.extf %yR : {small} to {vector}",
                      f"%z = arith.addf %x, %y : {vector}"]
        lines += [f"%h = arith.truncf %z : {vector} to {small}", "cute.store_vector(%h, %rD)"]
        return make + "\n".join("    " + line for line in lines)

    def stores(self):
        tile = f"({self.tile[0]},{self.tile[1]})"
        if self.store == "direct":
            return f"""
    %r2g = cute.make_tiled_copy_c(!pair, %mma)
    %gC, %pC = cute.predicated_tile_d(%r2g, %C, {tile}, (%bm,%bn), %thread)
    %rD_read = cute.retile(%r2g, %rD)
    cute.copy(%r2g, %rD_read, %gC, %pC)"""
        size = 4 if self.result in ("f32", "i32") else 2
        across = power_of_two(self.tile[1] * size // 16, 32)
        return f"""
    %sC = cute.alloc_smem<{self.result}, 128> ({tile}:({self.tile[1]},1))
    %r2s = cute.make_tiled_copy_c(!pair, %mma)
    %sC_write = cute.partition_d(%r2s, %sC, %thread)
    %rD_read = cute.retile(%r2s, %rD)
    cute.copy(%r2s, %rD_read, %sC_write)
    gpu.barrier
    %s2g = cute.make_tiled_copy(!vector, ({128 // across},{across}):({across},1), (1,{16 // size}):(0,1))
    %sC_read = cute.partition_s(%s2g, %sC, %thread)
    %gC, %pC = cute.predicated_tile_d(%s2g, %C, {tile}, (%bm,%bn), %thread)
    %r = cute.make_fragment_like(%sC_read)
    cute.copy(%s2g, %sC_read, %r)
    cute.copy(%s2g, %r, %gC, %pC)"""

    def text(self):
        per, size = 16 // self.bytes, 4 if self.result in ("f32", "i32") else 2
        matrix = {"k": f'"(?,?{{div={per}}}):(?{{i64 div={per}}},1)"', "m": f'"(?{{div={per}}},?):(1,?{{i64 div={per}}})"'}
        bm, bn, _ = self.tile
        names = [("A", bm, self.majors[0], "bm"), ("B", bn, self.majors[1], "bn")]
        if self.gated:
            names.append(("B2", bn, self.majors[1], "bn"))
        parameters = "".join(f"%{n}: !cute.tensor<{self.element}, gmem, align<16>, {matrix[m]}>, " for n, _, m, _ in names)
        more = ", %R: !result" if self.epilogue == "residual" else ""
        shape = f"({bm},{bn})"
        sums = self.accumulators()
        fragments = "".join(f"\n    %r{i} = cute.make_fragment<{self.sums}> (%shape){self.clear(i)}" for i in sums)
        more_sums, promote = "", ""
        if self.epilogue == "levels":
            vector = f"vector<{bm * bn // 128}xf32>"
            more_sums = "\n    %all = cute.make_fragment_like(%r1)\n    cute.clear(%all)"
            promote = f"""
      %new = cute.load_vector(%r1)
      %old = cute.load_vector(%all)
      %sum = arith.addf %old, %new : {vector}
      cute.store_vector(%sum, %all)
      cute.clear(%r1)"""
        return f"""!result = !cute.tensor<{self.result}, gmem, align<16>, "(?,?{{div={16 // size}}}):(?{{i64 div={16 // size}}},1)">
!async = !cute.copy_atom<"SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", {self.element}>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", {self.element}>
{'!ldmatrix_t = !cute.copy_atom<"SM75_U16x8_LDSM_T", ' + self.element + '>' if self.bytes == 2 else ''}
!pair = !cute.copy_atom<"UniversalCopy<uint{16 * size}_t>", {self.result}>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", {self.result}>
gpu.module @plain {{
  gpu.func @gemm({parameters}%C: !result{more}) kernel attributes {{
      known_block_size = array<i32: 128, 1, 1>,
      cute.schedule = {{{self.schedule}}},
      cute.grid = ["ceil_div(arg{len(names)}.shape[0], {bm})", "ceil_div(arg{len(names)}.shape[1], {bn})"]}} {{
    %bm = cute.block_idx
    %bn = cute.block_idx<"y">
    %thread = cute.thread_idx
    %mma = cute.make_tiled_mma(!cute.mma_atom<"{self.mma}">, {self.warps}, {self.cover})
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %shape = cute.partition_shape_c(%mma, {shape}){fragments}{more_sums}{"".join(self.operand(n, r, m) for n, r, m, _ in names)}
    %extent = cute.size<[1]> (%A)
    %K = cute.get_scalars(%extent)
    %depth = arith.constant {self.tile[2]} : i32
    %tiles = arith.ceildivui %K, %depth : i32
    scf.for %k = %c0 to %tiles step %c1 : i32 {{{"".join(self.load(n, r, b) for n, r, _, b in names)}
      cute.cp_async_wait_all
      gpu.barrier{self.products(names)}{promote}
      gpu.barrier
    }}
{self.results()}{self.stores()}
    gpu.return
  }}
}}
"""

    def arguments(self, m, n, k):
        """Tensors of integers, whose sums are exact, and a place for C."""
        def tensor(rows, columns, major, seed):
            if major == "k":
                return f"{self.element}[{rows}x{columns}]:integers({seed})"
            return f"{self.element}[({rows},{columns}):(1,{rows})]:integers({seed})"
        tensors = [tensor(m, k, self.majors[0], 1), tensor(n, k, self.majors[1], 2)]
        if self.gated:
            tensors.append(tensor(n, k, self.majors[1], 3))
        tensors.append(f"{self.result}[{m}x{n}]:poison")
        if self.epilogue == "residual":
            tensors.append(f"{self.result}[{m}x{n}]:integers(4)")
        return tensors

    @property
    def output(self):
        return 3 if self.gated else 2


def choose(generator, tensor=False):
    """A product at random, and extents M, N, K for it that are no multiples of its tile.

    For tensor memory the sums of a tile are no more than two warpgroups have room for.
    """
    element = generator.choice(list(TYPES))
    majors = generator.choice(["kk", "mk", "km", "mm"]) if element in ("f16", "bf16") else "kk"
    of_bytes = TYPES[element][2]
    columns = generator.choice([64, 128, 256, 16 * generator.randrange(1, 17)])
    tile = (generator.choice([64, 128]), columns, generator.choice([64, 128]) // of_bytes)
    if columns % 32:
        tile = (*tile[:2], 128 // of_bytes)
    if majors != "kk":
        tile = (*tile[:2], 64)
    epilogues = ["convert", "relu", "residual", "gate", "levels"] if TYPES[element][3] == "f32" and element != "tf32" else ["convert"]
    schedule = generator.choice(["", "", "pingpong = 1", "pingpong = 2", "split = 2", f"split = {generator.randrange(3, 9)}",
                                 "persist = 2", "warpgroups = 1", "stages = 2, rows = 3",
                                 *([] if tensor else ["cluster_x = 2", "cluster_y = 2", "cluster_x = 4, rows = 3, pingpong = 2", "cluster_x = 2, cluster_y = 2"])])
    epilogue = generator.choice(epilogues)
    if tensor and epilogue == "gate" and tile[0] * tile[1] > 128 * 128:
        epilogue = "residual"
    plain = Plain(element, majors, tile, epilogue, generator.choice(["shared", "direct"]), schedule=schedule)
    if schedule == "warpgroups = 1" and tile[0] * tile[1] * len(plain.accumulators()) > 128 * 128:
        plain.schedule = ""  # too many sums for one
    plain.loops = generator.choice(["", "", "k", "kmn", "mnk", "nmk"])
    unit = 16 // of_bytes
    extents = [generator.randrange(1, 40) * unit for _ in range(3)]
    if majors[0] == "k":
        extents[0] -= generator.randrange(unit)
    extents[1] = -(-extents[1] // 8) * 8
    return plain, extents
