"""Products at random whose A threads compute from weights, or whose tiles a table names; with batches that are the first
or the last mode, folds of the sums, a residual, factors of rows and columns, and several results through one buffer.
"""
from random_products import part_by_mma, power_of_two

BITS = {"i4": 4, "i8": 8, "f8E4M3FN": 8, "f16": 16}
SCHEDULES = ["", "", "", "stages = 2", "warpgroups = 1", "warpgroups = 2", "persist = 2", "pingpong = 1", "pingpong = 2",
             "overlap = 2", "operands = 2", "split = 2", "cluster_x = 2", "cluster_y = 2", "rows = 1"]
FOLDS = {"most": ("arith.maxnumf(%fold, %x)", "maxnum", "llvm.atomicrmw fmax"),
         "least": ("arith.minnumf(%fold, %x)", "minnum", "llvm.atomicrmw fmin"),
         "count": ("%fold + arith.select(%x > 1.0, f32(1.0), f32(0.0))", "add", "llvm.atomicrmw fadd")}


class Computed:
    """C = f(scale * W, X): the text of its kernel, and arguments for cute-run."""

    def __init__(self, g):
        self.weights = g.choice(["i4", "i8", "i8", "f8E4M3FN", "f16"])
        self.type = g.choice(["f16", "f16", "bf16"]) if self.weights != "f16" else "f16"
        self.is_computed = self.weights != "f16" or g.random() < .5
        self.bm, self.bn = g.choice([64, 128]), g.choice([64, 64, 128, 192, 256])
        self.bk = 64
        self.warps = g.choice(["(2,2,1):(1,2,0), (32,32,16)", "(4,1,1):(1,4,0), (64,16,16)"])
        self.scale = g.choice(["", "groups", "rows", "zeros"]) if self.is_computed else ""
        self.has_table = g.random() < .3
        self.batch = g.choice(["", "", "first", "last"])
        self.fold = g.choice(["", "", *FOLDS])
        self.folder = g.choice(["warp", "thread"])
        self.adds = [x for x in "RPQ" if g.random() < .25]  # a residual, factors of rows and of columns
        self.results = g.choice([1, 1, 2, 3])
        self.schedule = g.choice(SCHEDULES)
        self.m, self.n = g.randrange(1, 2 * self.bm + 9), 8 * g.randrange(1, self.bn // 8 + 9)
        self.k = 32 * g.choice([1, 1, 2, 2, 3, 4, 6, 8, 10, 14])

    def __str__(self):
        return " ".join(f"{key}={value}" for key, value in vars(self).items())

    @property
    def tile(self):
        return f"({self.bm},{self.bn})"

    # ---- Parameters ----------------------------------------------------------

    def matrix(self, name, element, rows, columns, gen, is_batch=True):
        """(Name, type, argument) of a matrix with rows of 16 bytes, perhaps of each of two in a batch."""
        unit = 128 // BITS.get(element, 16)
        shape, strides = ["?", f"?{{div={unit}}}"], [f"?{{i64 div={unit}}}", "1"]
        size, steps = [rows, columns], [columns, 1]
        if self.batch and is_batch:
            at = 0 if self.batch == "first" else 2
            shape.insert(at, "?")
            strides.insert(at, f"?{{i64 div={unit}}}")
            size.insert(at, 2)
            steps.insert(at, rows * columns)
        join = lambda items: ",".join(map(str, items))
        return (name, f'!cute.tensor<{element}, gmem, align<16>, "({join(shape)}):({join(strides)})">',
                f"{element}[({join(size)}):({join(steps)})]:{gen}")

    def parameters(self):
        element, k = ("i8", self.k // 2) if self.weights == "i4" else (self.weights, self.k)
        found = [self.matrix("W", element, self.m, k, "integers(1)"), self.matrix("X", self.type, self.n, self.k, "integers(2)")]
        names = "CDE"[:self.results]
        found += [self.matrix(name, self.type, self.m, self.n, "poison") for name in names]
        groups = max(1, -(-self.k // 64))
        if self.scale:
            found.append(("S", f'!cute.tensor<{self.type}, gmem, align<2>, "(?,?):(?{{i64}},1)">', f"{self.type}[{self.m}x{groups}]:integers(3)"))
        if self.has_table:
            found.append(("T", '!cute.tensor<i32, gmem, align<4>, "(?):(1)">', f"i32[{groups}]:fill({max(0, groups - 2)})"))
        if "R" in self.adds:
            found.append(self.matrix("R", self.type, self.m, self.n, "integers(4)"))
        for name, strides in (("P", "(1,0)"), ("Q", "(0,1)")):
            if name in self.adds:
                found.append((name, f'!cute.tensor<f32, gmem, align<4>, "(?,?):{strides}">', f"f32[({self.m},{self.n}):{strides}]:integers(5)"))
        if self.fold:
            found.append(("F", '!cute.tensor<f32, gmem, align<4>, "1:1">', "f32[1]:zeros"))
        return found

    @property
    def outputs(self):
        return [i for i, (name, *_) in enumerate(self.parameters()) if name in "CDEF"]

    def check(self):
        return None

    # ---- The kernel ----------------------------------------------------------

    def declare(self):
        names = [x for x, *_ in self.parameters() if self.batch and x in "WXCDER"]
        at = "(%bz,_,_)" if self.batch == "first" else "(_,_,%bz)"
        lines = [f"%{x}_b = cute.slice(%{x}, {at})" for x in names]
        element, bk = ("i8", 32) if self.weights == "i4" else (self.weights, 64)
        unit = 128 // BITS[element]
        across = bk // unit
        lines += [f'%mma = cute.make_tiled_mma(!cute.mma_atom<"SM80_16x8x16_F32{self.type.upper()}{self.type.upper()}F32_TN">, {self.warps})',
                  f"%sW = cute.alloc_smem<{element}, 128> (({self.bm},{bk}):({bk},1))", f"%sX = cute.alloc_smem<{self.type}, 128> (({self.bn},64):(64,1))",
                  f"%g2s_W = cute.make_tiled_copy(!load_W, ({128 // across},{across}):({across},1), (1,{unit}):(0,1))",
                  "%g2s_X = cute.make_tiled_copy(!load_X, (16,8):(8,1), (1,8):(0,1))",
                  "%sW_write = cute.partition_d(%g2s_W, %sW, %thread)", "%sX_write = cute.partition_d(%g2s_X, %sX, %thread)",
                  "%rX = cute.make_fragment_b(%mma, cute.partition_b(%mma, %sX, %thread))", "%s2r_X = cute.make_tiled_copy_b(!ldmatrix, %mma)",
                  "%sX_read = cute.partition_s(%s2r_X, %sX, %thread)", "%rX_write = cute.retile(%s2r_X, %rX)",
                  f"%rC = cute.make_fragment<f32> (cute.partition_shape_c(%mma, {self.tile}))", "cute.clear(%rC)"]
        if self.is_computed:
            weights = "cute.recast_tensor<i4> (%sW)" if self.weights == "i4" else "%sW"
            lines += [f"%tW = cute.partition_a(%mma, {weights}, %thread)", "%rW_raw = cute.make_fragment_like(%tW)",
                      f"%rW = cute.make_fragment_like<{self.type}> (%rW_raw)"]
        else:
            lines += ["%rW = cute.make_fragment_a(%mma, cute.partition_a(%mma, %sW, %thread))", "%s2r_W = cute.make_tiled_copy_a(!ldmatrix, %mma)",
                      "%sW_read = cute.partition_s(%s2r_W, %sW, %thread)", "%rW_write = cute.retile(%s2r_W, %rW)"]
        if self.scale:
            step = "0" if self.scale == "rows" else "1"
            lines += ["%M, %groups, %lds = cute.get_scalars<{only_dynamic}> (cute.get_layout(%S))",
                      '%S_shape = cute.make_shape(%M, %groups) : (i32, i32) -> !cute.shape<"(?,(64,?))">',
                      f'%S_stride = cute.make_stride(%lds) : (i64) -> !cute.stride<"(?{{i64}},(0,{step}))">',
                      "%S_all = cute.make_tensor(cute.get_iter(%S), cute.make_layout(%S_shape, %S_stride))",
                      f"%t_rows = cute.partition_a(%mma, cute.make_tensor(0, ({self.bm},64):(1,0)), %thread)",
                      f'%left = cute.make_int_tuple(%M - %bm * {self.bm}) : (i32) -> !cute.int_tuple<"?">', "%is_row = cute.make_predicate(%t_rows, %left)"]
        mode = 2 if self.batch == "first" else 1
        return [*lines, f"%tiles = cute.size<[{mode}]> (%X) ceildivu 64"]

    def rounds(self):
        suffix, wk = "_b" if self.batch else "", 32 if self.weights == "i4" else 64
        lines = ["%k = cute.load(%T, %i)" if self.has_table else ""]
        k = "%k" if self.has_table else "%i"
        lines += [f"%gW, %pW = cute.predicated_tile_s(%g2s_W, %W{suffix}, ({self.bm},{wk}), (%bm,{k}), %thread)",
                  f"%gX, %pX = cute.predicated_tile_s(%g2s_X, %X{suffix}, ({self.bn},64), (%bn,{k}), %thread)",
                  "cute.copy(%g2s_W, %gW, %sW_write, %pW)", "cute.copy(%g2s_X, %gX, %sX_write, %pX)"]
        if self.scale:
            lines += [f"%gS = cute.partition_a(%mma, cute.local_tile(%S_all, ({self.bm},64), (%bm,{k})), %thread)",
                      "%rS = cute.make_fragment_like(%gS)", "cute.clear(%rS)", "cute.basic_copy_if(%is_row, %gS, %rS)"]
        lines += ["cute.cp_async_wait_all", "gpu.barrier"]
        if self.is_computed:
            lines += ["cute.autovec_copy(%tW, %rW_raw)", "cute.convert(%rW_raw, %rW)" if self.weights != "f16" else "cute.basic_copy(%rW_raw, %rW)"]
            if self.scale:
                lines += [f"cute.store_vector(cute.load_vector(%rW) {'-' if self.scale == 'zeros' else '*'} cute.load_vector(%rS), %rW)"]
        else:
            lines += ["cute.copy(%s2r_W, %sW_read, %rW_write)"]
        lines += ["cute.copy(%s2r_X, %sX_read, %rX_write)", "cute.gemm(%mma, %rC, %rW, %rX, %rC)", "gpu.barrier"]
        return ["for %i in 0..%tiles {", *("  " + line for line in lines if line), "}"]

    def folds(self):
        if not self.fold:
            return []
        one, warp, atomic = FOLDS[self.fold]
        lines = ["%at_F = cute.to_llvm_ptr(cute.get_iter(%F)) : (!cute.ptr<f32, gmem, align<4>>) -> !llvm.ptr<1>",
                 f"%folded = for %j in 0..{self.bm * self.bn // 128} carry(%fold = 0.0 : f32) {{", "  %x = cute.load(%rC, %j)", f"  yield {one}", "}"]
        take = f"{atomic} %at_F, {{}} monotonic : !llvm.ptr<1>, f32"
        if self.folder == "thread":
            return [*lines, take.format("%folded")]
        return [*lines, f'%of_warp = cute.warp_reduce<"{warp}"> (%folded)', "%lane = cute.lane_idx", "if %lane == 0 {", "  " + take.format("%of_warp"), "}"]

    def stores(self):
        suffix, value = "_b" if self.batch else "", "%v"
        across = power_of_two(self.bn // 8, 32)
        lines = ["%v = cute.load_vector(%rC)"]
        for name in self.adds:
            if name == "R":
                lines += ["%r2g_R = cute.make_tiled_copy_c(!pair, %mma)",
                          f"%gR, %pR = cute.predicated_tile_s(%r2g_R, %R{suffix}, {self.tile}, (%bm,%bn), %thread)",
                          f"%rR = cute.make_fragment_like<{self.type}> (%rC)", "cute.clear(%rR)", "cute.copy(%r2g_R, %gR, cute.retile(%r2g_R, %rR), %pR)"]
            else:
                lines += [*part_by_mma(name, f"%{name}", self.tile), f"%r{name} = cute.make_fragment_like(%g{name})", f"cute.clear(%r{name})",
                          f"cute.basic_copy_if(%p{name}, %g{name}, %r{name})"]
            with_it = f"f32(cute.load_vector(%r{name}))" if name == "R" else f"cute.load_vector(%r{name})"
            lines.append(f"%v_{name} = {value} {'+' if name == 'R' else '*'} {with_it}")
            value = f"%v_{name}"
        lines += [f"%sC = cute.alloc_smem<{self.type}, 128> ({self.tile}:({self.bn},1))", "%r2s = cute.make_tiled_copy_c(!pair, %mma)",
                  "%sC_write = cute.partition_d(%r2s, %sC, %thread)", f"%s2g = cute.make_tiled_copy(!vector, ({128 // across},{across}):({across},1), (1,8):(0,1))",
                  "%sC_read = cute.partition_s(%s2g, %sC, %thread)"]
        for i, (x, formula) in enumerate(zip("CDE"[:self.results], (value, f"max({value}, 0.0)", f"{value} * 2.0"))):
            lines += ["gpu.barrier"] * (i > 0)
            lines += [f"%y{x} = {formula}" if formula != value else "", f"%r{x}_out = cute.make_fragment_like<{self.type}> (%rC)",
                      f"cute.store_vector({self.type}({f'%y{x}' if formula != value else value}), %r{x}_out)",
                      f"cute.copy(%r2s, cute.retile(%r2s, %r{x}_out), %sC_write)", "gpu.barrier",
                      f"%g{x}, %p{x} = cute.predicated_tile_d(%s2g, %{x}{suffix}, {self.tile}, (%bm,%bn), %thread)",
                      f"%out_{x} = cute.make_fragment_like(%sC_read)", f"cute.copy(%s2g, %sC_read, %out_{x})", f"cute.copy(%s2g, %out_{x}, %g{x}, %p{x})"]
        return [line for line in lines if line]

    def text(self):
        first = self.batch == "first"
        grid = [f'"ceil_div(arg2.shape[{int(first)}], {self.bm})"', f'"ceil_div(arg2.shape[{int(first) + 1}], {self.bn})"']
        grid += [f'"arg2.shape[{0 if first else 2}]"'] * bool(self.batch)
        ids = ["%bm = cute.block_idx", '%bn = cute.block_idx<"y">'] + ['%bz = cute.block_idx<"z">'] * bool(self.batch)
        body = "\n".join("    " + line for line in [*ids, "%thread = cute.thread_idx", *self.declare(), *self.rounds(), *self.folds(), *self.stores(), "gpu.return"])
        schedule = f"cute.schedule = {{{self.schedule}}}, " if self.schedule else ""
        load = "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>"
        return f"""!load_W = !cute.copy_atom<"{load}", {'i8' if self.weights == 'i4' else self.weights}>
!load_X = !cute.copy_atom<"{load}", {self.type}>
!ldmatrix = !cute.copy_atom<"SM75_U32x4_LDSM_N", {self.type}>
!pair = !cute.copy_atom<"UniversalCopy<uint32_t>", {self.type}>
!vector = !cute.copy_atom<"UniversalCopy<uint128_t>", {self.type}>
gpu.module @plain {{
  gpu.func @gemm({", ".join(f"%{name}: {kind}" for name, kind, _ in self.parameters())}) kernel attributes {{
      {schedule}known_block_size = array<i32: 128, 1, 1>, cute.grid = [{", ".join(grid)}]}} {{
{body}
  }}
}}
"""


def choose(g):
    """A product at random whose tiles fit."""
    while (product := Computed(g)).bm * product.bn > 128 * 192 and product.results > 2:
        pass
    return product
