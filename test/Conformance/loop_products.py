"""Products of tiles, for random_loops.py."""
from loop_parts import Again, power, strided

# name: threads, M, N, K, type of A and B, type of C
ATOMS = {
    "UniversalFMA<float,float,float,float>": (1, 1, 1, 1, "f32", "f32"),
    "UniversalFMA<double,double,double,double>": (1, 1, 1, 1, "f64", "f64"),
    "SM80_16x8x16_F32F16F16F32_TN": (32, 16, 8, 16, "f16", "f32"),
    "SM89_16x8x32_F32E4M3E4M3F32_TN": (32, 16, 8, 32, "f8E4M3FN", "f32"),
    "SM80_8x8x4_F64F64F64F64_TN": (32, 8, 8, 4, "f64", "f64"),
}
C_TYPES = {"f32": "float", "f64": "double"}


def grids(threads, rows, columns):
    """How many of so many threads may stand along rows and columns, evenly."""
    return [(g, threads // g) for g in (1, 2, 4, 8, 16, 32, 64, 128)
            if threads % g == 0 and rows % g == 0 and columns % (threads // g) == 0]


class Product:
    """C = A B + C, with what C was before at times negated."""

    def __init__(self, loop, number):
        self.loop = loop
        before = len(loop.tiles)
        while True:
            try:
                self.draw(loop, loop.rng)
                break
            except Again:
                del loop.tiles[before:]

    def draw(self, loop, rng):
        self.atom = rng.choice(list(ATOMS))
        lanes, m, n, k, narrow, self.wide = ATOMS[self.atom]
        if loop.threads % lanes:
            raise Again
        count = loop.threads // lanes
        across = power(rng, count)
        self.atoms = [across, count // across]
        self.order = rng.random() < 0.5
        self.matrix = narrow == "f16" and rng.random() < 0.6  # ldmatrix
        self.block = [m * across, n * self.atoms[1] * (2 if self.matrix else 1), k]
        repeats = [rng.choice([1, 1, 2]), rng.choice([1, 1, 2]),
                   rng.choice([1, 2, 3, 4] if k > 1 else [4, 8])]
        rows, columns, depth = [b * r for b, r in zip(self.block, repeats)]
        if rows * columns * depth > 1 << 15 or rows * columns > 64 * loop.threads:
            raise Again
        self.form = rng.choice(["one", "one", "one", "fresh", "same", "other", "next"])
        self.a = loop.add_tile(narrow, [rows, depth])
        self.bs = [loop.add_tile(narrow, [columns, depth])]
        if self.form in ("same", "other", "next"):
            if len(loop.tiles) > 3:
                raise Again
            self.bs.append(loop.add_tile(narrow, [columns, depth]))
        self.rows, self.columns, self.depth = rows, columns, depth
        self.n = self.a.n
        self.hows = [rng.choice(["tiled"] * 8 + ["auto"]) for _ in range(3)]
        self.is_inside = rng.random() < 0.1
        self.is_shared = rng.random() < 0.4  # the result goes by shared memory
        self.negates = rng.choice([None, None, "first", "then", "last"])
        self.is_shared &= bool(grids(loop.threads, rows, columns))
        for tile in [self.a] + self.bs:
            if self.matrix and tile.kind == "pad" and tile.vector < 8:
                raise Again

    def bytes(self):
        return self.rows * self.columns * (8 if self.wide == "f64" else 4) \
            if self.is_shared else 0

    def operands(self):
        return zip("abb", [self.a] + self.bs, self.hows)

    # The kernel

    def before(self):
        n = self.n
        order = [1, self.atoms[0]] if self.order else [self.atoms[1], 1]
        perm = f"    %perm{n} = cute.static : !cute.shape<\"({self.block[0]},{self.block[1]},{self.block[2]})\">\n"
        text = perm + f"""    %mmaAtom{n} = cute.static : !cute.mma_atom<"{self.atom}">
    %mmas{n} = cute.static : !cute.layout<"({self.atoms[0]},{self.atoms[1]},1):({order[0]},{order[1]},0)">
    %mma{n} = cute.make_tiled_mma(%mmaAtom{n}, %mmas{n}, %perm{n})
    %pc{n} = cute.partition_c(%mma{n}, %out{n}, %ti32)
    %rc{n} = cute.make_fragment_c(%mma{n}, %pc{n})
    cute.clear(%rc{n})
    %pd{n} = cute.partition_c(%mma{n}, %more{n}, %ti32)
    %rd{n} = cute.make_fragment_c(%mma{n}, %pd{n})
    cute.clear(%rd{n})
"""
        for side, tile, how in self.operands():
            i = tile.n
            text += f"    %part{i} = cute.partition_{side}(%mma{n}, %s{i}, %ti32)\n"
            if how == "tiled":
                text += f"""    %ra{i} = cute.static : !cute.copy_atom<"{self.copy_atom(tile)}", {tile.element}>
    %rcopy{i} = cute.make_tiled_copy_{side}(%ra{i}, %mma{n})
    %from{i}s = cute.partition_s(%rcopy{i}, %s{i}, %ti32)
"""
            if not self.is_inside:
                text += self.fragment(side, tile, how)
        return text

    def copy_atom(self, tile):
        if not self.matrix:
            return f"UniversalCopy<uint{tile.size * 8}_t>"
        return "SM75_U32x4_LDSM_N" if tile.major else "SM75_U16x8_LDSM_T"

    def fragment(self, side, tile, how):
        i = tile.n
        text = f"    %frag{i} = cute.make_fragment_{side}(%mma{self.n}, %part{i})\n"
        if how == "tiled":
            text += f"    %to{i} = cute.retile(%rcopy{i}, %frag{i})\n"
        return text

    def before_loop(self):
        return ""

    def negate(self, fragment, name):
        n, count = self.n, self.rows * self.columns // self.loop.threads
        kind = f"vector<{count}x{self.wide}>"
        return f"""      %c{name}{n} = cute.load_vector({fragment})
      %n{name}{n} = arith.negf %c{name}{n} : {kind}
      cute.store_vector(%n{name}{n}, {fragment})
"""

    def read(self):
        text = self.negate(f"%rc{self.n}", "first") if self.negates == "first" else ""
        for side, tile, how in self.operands():
            i = tile.n
            if self.is_inside:
                text += self.fragment(side, tile, how)
            text += f"      cute.copy(%rcopy{i}, %from{i}s, %to{i})\n" \
                if how == "tiled" else f"      cute.autovec_copy(%part{i}, %frag{i})\n"
        return text

    def compute(self):
        n, a, b = self.n, f"%frag{self.a.n}", f"%frag{self.bs[0].n}"
        c, d, mma = f"%rc{n}", f"%rd{n}", f"%mma{n}"
        text = self.negate(c, "then") if self.negates == "then" else ""
        if self.form == "fresh":
            text += f"""      cute.gemm({mma}, {d}, {a}, {b}, {c})
      %moved{n} = cute.load_vector({d})
      cute.store_vector(%moved{n}, {c})
"""
        else:
            text += f"      cute.gemm({mma}, {c}, {a}, {b}, {c})\n"
        if len(self.bs) > 1:
            second = f"%frag{self.bs[1].n}"
            to, plus = {"same": (c, c), "other": (d, d), "next": (d, c)}[self.form]
            text += f"      cute.gemm({mma}, {to}, {a}, {second}, {plus})\n"
        return text + (self.negate(c, "last") if self.negates == "last" else "")

    def carried(self):
        return []

    def store_carried(self):
        return ""

    def after(self):
        n = self.n
        more = f"    cute.autovec_copy(%rd{n}, %pd{n})\n"
        if not self.is_shared:
            return f"    cute.autovec_copy(%rc{n}, %pc{n})\n" + more
        return more + f"""    %cLayout{n} = cute.static : !cute.layout<"({self.rows},{self.columns}):({self.columns},1)">
    %sc{n} = cute.alloc_smem<{self.wide}, 128> (%cLayout{n})
    %tc{n} = cute.partition_c(%mma{n}, %sc{n}, %ti32)
    cute.autovec_copy(%rc{n}, %tc{n})
    gpu.barrier
    %cThreads{n} = cute.static : !cute.layout<"{self.readers()}">
    %readC{n} = cute.local_partition(%sc{n}, %cThreads{n}, %ti32)
    %writeC{n} = cute.local_partition(%out{n}, %cThreads{n}, %ti32)
    cute.autovec_copy(%readC{n}, %writeC{n})
"""

    def readers(self):
        """Threads that divide the result evenly."""
        threads, rng = self.loop.threads, self.loop.rng
        grid = rng.choice(grids(threads, self.rows, self.columns))
        return strided(grid, rng.choice([[1, grid[0]], [grid[1], 1]]))

    # What it does

    def product(self, a, b, c, negate):
        """a b + c of every element, None where one is not known."""
        result = []
        for r in range(self.rows):
            for j in range(self.columns):
                total = c[r * self.columns + j]
                pairs = list(zip(a[r], b[j]))
                if total is None or any(x is None or y is None for x, y in pairs):
                    result.append(None)
                else:
                    result.append((-total if negate else total)
                                  + sum(x * y for x, y in pairs))
        return result

    def add_outputs(self):
        c = [0] * (self.rows * self.columns)
        d = list(c)
        for tiles in zip(self.a.contents(), *[b.contents() for b in self.bs]):
            a, *bs = [tile for _, _, tile in tiles]
            c = self.product(a, bs[0], c, self.negates in ("first", "then"))
            if self.form == "fresh":
                d = c
            elif self.form == "same":
                c = self.product(a, bs[1], c, False)
            elif self.form == "other":
                d = self.product(a, bs[1], d, False)
            elif self.form == "next":
                d = self.product(a, bs[1], c, False)
            if self.negates == "last":
                c = [None if x is None else -x for x in c]
        kind = f"!cute.tensor<{self.wide}, gmem, align<16>, " \
            f'"({self.rows},{self.columns}):({self.columns},1)">'
        for name, values in (("out", c), ("more", d)):
            self.loop.output(f"{name}{self.n}", kind, C_TYPES[self.wide],
                             self.rows * self.columns, values)
