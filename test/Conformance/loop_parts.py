"""What the kernels of random_loops.py are made of: tiles that are copied to shared
memory, and what is computed with them, as text and as what must come out."""
from loop_values import CODES, I32, value_at

ROOM = 1 << 18  # bytes of a tensor


class Again(Exception):
    """What was drawn does not fit."""


def power(rng, most):
    return 1 << rng.randrange(most.bit_length())


def strided(extents, strides):
    return f'({",".join(map(str, extents))}):({",".join(map(str, strides))})'


class Tile:
    """A tile in shared memory, of a tensor with one for each of some indices."""

    def __init__(self, loop, n, element=None, shape=None):
        self.loop, self.n, rng = loop, n, loop.rng
        self.element = element or rng.choice(list(CODES))
        self.size = CODES[self.element][0]
        self.major = rng.randrange(2)
        self.accesses = rng.choice([1, 1, 2, 4])  # of a thread, side by side
        self.vector = rng.choice([b for b in (4, 8, 16) if b >= self.size]) // self.size
        self.draw_threads(rng, shape)
        self.draw_layouts(rng)
        self.draw_index(rng)
        self.draw_predicate(rng)

    def draw_threads(self, rng, shape):
        along = power(rng, self.loop.threads)
        self.grid = [self.loop.threads // along] * 2
        self.grid[self.major] = along
        unit = list(self.grid)
        unit[self.major] *= self.vector * self.accesses
        self.shape = shape or [u * rng.choice([1, 1, 2, 3]) for u in unit]
        if any(s % u for s, u in zip(self.shape, unit)):
            raise Again
        if self.shape[0] * self.shape[1] > 48 * self.loop.threads:
            raise Again

    def draw_layouts(self, rng):
        def strides(pad):
            result = [0, 0]
            result[self.major] = 1
            result[1 - self.major] = self.shape[self.major] + pad * self.vector
            return result

        self.gmem = strides(rng.choice([0, 0, 1, 2]))
        self.pitch = self.gmem[1 - self.major] * self.shape[1 - self.major]
        self.pitch += rng.choice([0, 0, self.vector])
        self.kind = rng.choice(["plain", "plain", "pad", "swizzle"])
        self.smem = strides(1 if self.kind == "pad" else 0)
        base = max(self.vector.bit_length() - 1, 5 - self.size.bit_length())
        bits = rng.choice([1, 2, 3])
        self.swizzle = (bits, base, bits + rng.choice([0, 0, 1]))
        self.is_dynamic = rng.random() < 0.5

    def draw_index(self, rng):
        loop = self.loop
        self.how = rng.choice(["k", "k", "k", "reversed", "half", "zero"])
        self.outer = rng.choice([0, 1, 3]) if loop.around == "loop" else 0
        self.count = 1 + max([self.index(o, k) for o, k in loop.rounds()] + [0])
        if self.count * self.pitch * self.size > ROOM:
            raise Again

    def index(self, o, k):
        q = k - self.loop.lower
        span = self.loop.trips * self.loop.step
        return self.outer * o + {"k": q, "reversed": span - q, "half": q // 2,
                                 "zero": 0}[self.how]

    def draw_predicate(self, rng):
        self.fills = rng.random() < 0.7
        self.predicate = rng.choice([None, None, "inside", "outside"])
        self.bound = self.shape + [self.count]
        if rng.random() < 0.6:
            self.bound = [rng.randint(0, b) for b in self.bound]
        if self.predicate == "outside":
            self.bound[2] = self.count
        if rng.random() < 0.5:
            v = self.vector
            self.bound[self.major] = -(-self.bound[self.major] // v) * v
        self.is_if = self.predicate and rng.random() < 0.3

    # The kernel

    def before(self):
        n, loop, rng = self.n, self.loop, self.loop.rng
        bits = self.vector * self.size * 8
        name = "GLOBAL" if bits == 128 and rng.random() < 0.5 else "ALWAYS"
        atom = "SM80_CP_ASYNC_CACHE%s%s<uint%d_t>" % (
            name, "_ZFILL" if self.fills else "", bits)
        text = f"{self.smem_layout()}"
        values, vstride = [1, 1], [0, 0]
        values[self.major] = self.vector * self.accesses
        vstride[self.major] = 1
        order = [1, self.grid[0]] if rng.random() < 0.5 else [self.grid[1], 1]
        text += f"""    %s{n} = cute.alloc_smem<{self.element}, 128> (%sl{n})
    %async{n} = cute.static : !cute.copy_atom<"{atom}", {self.element}>
    %gt{n} = cute.static : !cute.layout<"{strided(self.grid, order)}">
    %gv{n} = cute.static : !cute.layout<"{strided(values, vstride)}">
    %g2s{n} = cute.make_tiled_copy(%async{n}, %gt{n}, %gv{n})
    %g{n} = cute.partition_s(%g2s{n}, %T{n}, %ti32)
    %w{n} = cute.partition_d(%g2s{n}, %s{n}, %ti32)
    %extents{n} = cute.static : !cute.shape<"({self.shape[0]},{self.shape[1]},{self.count})">
    %id{n} = cute.make_identity_tensor(%extents{n})
    %x{n} = cute.partition_s(%g2s{n}, %id{n}, %ti32)
    %bound{n} = cute.make_shape(%b{n}r, %b{n}c, %b{n}k) : (i32, i32, i32) -> !cute.shape<"(?,?,?)">
"""
        self.add_parameters()
        if self.predicate == "outside":
            text += f"""    %xat{n} = cute.static : !cute.coord<"((0,_),_,_,0)">
    %xk{n} = cute.slice(%x{n}, %xat{n})
    %p{n} = cute.make_predicate(%xk{n}, %bound{n})
"""
        return text

    def smem_layout(self):
        layout = strided(self.shape, self.smem)
        if self.kind != "swizzle":
            return f'    %sl{self.n} = cute.static : !cute.layout<"{layout}">\n'
        swizzle = "S<%d,%d,%d>" % self.swizzle
        return (f'    %sl{self.n} = cute.static : !cute.composed_layout<"{swizzle} '
                f'o 0 o {layout}">\n')

    def add_parameters(self):
        n, loop = self.n, self.loop
        extents, steps = [str(s) for s in self.shape], [str(s) for s in self.gmem]
        c_types, values = ["void *"], [f"inputs[{n}]"]
        if self.is_dynamic:
            extents.append("?")
            steps.append("?{i64 div=%d}" % self.vector if self.vector > 1 else "?{i64}")
            c_types += ["int", "long"]
            values += [self.count, self.pitch]
        else:
            extents.append(str(self.count))
            steps.append(str(self.pitch))
        loop.parameter(f"T{n}", f"!cute.tensor<{self.element}, gmem, align<16>, "
                       f'"{strided(extents, steps)}">', c_types, values)
        for name, value in zip("rck", self.bound):
            loop.integer(f"b{n}{name}", value)

    def index_text(self):
        n, loop = self.n, self.loop
        text = f"""      %lower{n} = arith.constant {loop.lower} : i32
      %q{n} = arith.subi %j, %lower{n} : i32
      %span{n} = arith.constant {loop.trips * loop.step} : i32
      %two{n} = arith.constant 2 : i32
"""
        text += {"k": f"      %h{n} = arith.addi %q{n}, %c0i : i32\n",
                 "reversed": f"      %h{n} = arith.subi %span{n}, %q{n} : i32\n",
                 "half": f"      %h{n} = arith.divui %q{n}, %two{n} : i32\n",
                 "zero": f"      %h{n} = arith.addi %c0i, %c0i : i32\n"}[self.how]
        return text + f"""      %outer{n} = arith.constant {self.outer} : i32
      %from{n} = arith.muli %o, %outer{n} : i32
      %idx{n} = arith.addi %h{n}, %from{n} : i32
"""

    def fetch(self):
        n = self.n
        text = self.index_text() + f"""      %at{n} = cute.make_coord(%idx{n}) : (i32) -> !cute.coord<"(_,_,_,?)">
      %gk{n} = cute.slice(%g{n}, %at{n})
"""
        if self.predicate == "inside":
            text += f"""      %xat{n} = cute.make_coord(%idx{n}) : (i32) -> !cute.coord<"((0,_),_,_,?)">
      %xk{n} = cute.slice(%x{n}, %xat{n})
      %p{n} = cute.make_predicate(%xk{n}, %bound{n})
"""
        if self.is_if:
            return text + f"      cute.copy_if(%g2s{n}, %p{n}, %gk{n}, %w{n})\n"
        p = f", %p{n}" if self.predicate else ""
        return text + f"      cute.copy(%g2s{n}, %gk{n}, %w{n}{p})\n"

    def bytes(self):
        """At most what a stage takes: rows may be padded, and a swizzle's blocks."""
        extents = list(self.shape)
        extents[self.major] += self.vector
        return extents[0] * extents[1] * self.size + 1024

    # What it does

    def is_copied(self, r, c, index):
        first = [r, c]
        first[self.major] -= first[self.major] % self.vector
        return not self.predicate or all(
            x < b for x, b in zip(first + [index], self.bound))

    def contents(self):
        """(round of the loop around, index, the tile by rows), round by round."""
        rows, columns = self.shape
        tile = [[None] * columns for _ in range(rows)]
        for o, k in self.loop.rounds():
            index = self.index(o, k)
            for r in range(rows):
                for c in range(columns):
                    at = r * self.gmem[0] + c * self.gmem[1] + index * self.pitch
                    if self.is_copied(r, c, index):
                        tile[r][c] = value_at(self.n, at)
                    elif self.fills:
                        tile[r][c] = 0
            yield o, k, [list(row) for row in tile]


class Sum:
    """Each element of a tile is added to three times the sum so far."""

    def __init__(self, loop, number):
        self.loop, rng = loop, loop.rng
        while True:
            try:
                self.tile = loop.add_tile()
                break
            except Again:
                pass
        self.n, shape = self.tile.n, self.tile.shape
        across = power(rng, loop.threads)
        self.grid = [across, loop.threads // across]
        while any(s % g for s, g in zip(shape, self.grid)):
            across = power(rng, loop.threads)
            self.grid = [across, loop.threads // across]
        self.order = [1, self.grid[0]] if rng.random() < 0.5 else [self.grid[1], 1]
        self.values = shape[0] * shape[1] // loop.threads
        needs_convert = self.tile.element in ("f8E4M3FN", "tf32")
        self.how = rng.choice(["copy", "auto"] if needs_convert
                              else ["copy", "auto", "load"])
        self.is_carried = rng.random() < 0.4
        self.is_weighted = rng.random() < 0.5
        self.reduces = rng.random() < 0.2
        self.is_inside = self.how != "load" and rng.random() < 0.2
        kinds = [None] * 6 + ["smem"] + ([] if self.is_inside or self.how == "load"
                                         else ["fragment"])
        self.last = rng.choice(kinds) if not loop.around else None

    def bytes(self):
        return 0

    def out(self, name):
        rows, columns = self.tile.shape
        return (f"{name}{self.n}", f"!cute.tensor<i32, gmem, align<16>, "
                f'"({rows},{columns}):({columns},1)">', "int", rows * columns)

    def part(self, tensor, copy="words"):
        """What the thread has of a tensor."""
        if self.how == "copy":
            return f"cute.partition_s(%{copy}{self.n}, {tensor}, %ti32)"
        return f"cute.local_partition({tensor}, %pt{self.n}, %ti32)"

    def before(self):
        n = self.n
        text = f"""    %pt{n} = cute.static : !cute.layout<"{strided(self.grid, self.order)}">
    %pv{n} = cute.static : !cute.layout<"(1,1):(0,0)">
    %word{n} = cute.static : !cute.copy_atom<"UniversalCopy<uint32_t>", i32>
    %one{n} = cute.static : !cute.copy_atom<"UniversalCopy<uint{self.tile.size * 8}_t>", {self.tile.element}>
    %copy{n} = cute.make_tiled_copy(%one{n}, %pt{n}, %pv{n})
    %words{n} = cute.make_tiled_copy(%word{n}, %pt{n}, %pv{n})
    %rd{n} = {self.part(f"%s{n}", "copy")}
    %od{n} = {self.part(f"%out{n}")}
    %acc{n} = cute.make_fragment_like<i32> (%rd{n})
    cute.clear(%acc{n})
    %start{n} = arith.constant dense<0> : vector<{self.values}xi32>
"""
        return text + ("" if self.is_inside else self.fragment())

    def fragment(self):
        return f"    %r{self.n} = cute.make_fragment_like(%rd{self.n})\n"

    def before_loop(self):
        return ""

    def read(self):
        n = self.n
        text = self.fragment() if self.is_inside else ""
        return text + {"copy": f"      cute.copy(%copy{n}, %rd{n}, %r{n})\n",
                       "auto": f"      cute.autovec_copy(%rd{n}, %r{n})\n",
                       "load": f"      %v{n} = cute.load_vector(%rd{n})\n"}[self.how]

    def integers(self, name, fragment):
        """A fragment, or %v as it was loaded, as integers."""
        n, element, count = self.n, self.tile.element, self.values
        wide = f"vector<{count}xi32>"
        text, load = "", f"      %v{name}{n} = cute.load_vector({fragment})\n"
        if element in ("f8E4M3FN", "tf32"):
            text = f"""      %f{name}{n} = cute.make_fragment_like<f32> ({fragment})
      cute.convert({fragment}, %f{name}{n})
      %v{name}{n} = cute.load_vector(%f{name}{n})
"""
            element = "f32"
        elif fragment:
            text = load
        kind = f"vector<{count}x{element}>"
        if element == "i32":
            return text + f"      %i{name}{n} = arith.addi %v{name}{n}, %start{n} : {wide}\n"
        op = "extsi" if element == "i8" else "fptosi"
        return text + f"      %i{name}{n} = arith.{op} %v{name}{n} : {kind} to {wide}\n"

    def compute(self):
        n, wide = self.n, f"vector<{self.values}xi32>"
        text = self.integers("", None if self.how == "load" else f"%r{n}")
        old = f"%carried{n}" if self.is_carried else f"%old{n}"
        if not self.is_carried:
            text += f"      %old{n} = cute.load_vector(%acc{n})\n"
        weight = "%j" if self.is_weighted else "%one"
        text += f"""      %three{n} = arith.constant dense<3> : {wide}
      %times{n} = arith.muli {old}, %three{n} : {wide}
      %weight{n} = vector.broadcast {weight} : i32 to {wide}
      %weighted{n} = arith.muli %i{n}, %weight{n} : {wide}
      %new{n} = arith.addi %times{n}, %weighted{n} : {wide}
"""
        if self.reduces:
            text += f"      %all{n} = vector.reduction <add>, %i{n} : {wide} into i32\n"
        if not self.is_carried:
            text += f"      cute.store_vector(%new{n}, %acc{n})\n"
        return text

    def carried(self):
        wide = f"vector<{self.values}xi32>"
        return [(f"carried{self.n}", wide, f"%start{self.n}", f"%new{self.n}")] \
            if self.is_carried else []

    def store_carried(self):
        return f"    cute.store_vector(%carried{self.n}End, %acc{self.n})\n" \
            if self.is_carried else ""

    def after(self):
        n = self.n
        text = f"    cute.autovec_copy(%acc{n}, %od{n})\n"
        if not self.last:
            return text
        if self.last == "smem":
            text += f"""    gpu.barrier
    %again{n} = cute.make_fragment_like(%rd{n})
    cute.autovec_copy(%rd{n}, %again{n})
"""
        text += self.integers("Last", f"%again{n}" if self.last == "smem" else f"%r{n}")
        return text + f"""    %ld{n} = {self.part(f"%last{n}")}
    cute.store_vector(%iLast{n}, %ld{n})
"""

    def add_outputs(self):
        rows, columns = self.tile.shape
        sums = [[0] * columns for _ in range(rows)]
        latest, around = None, None
        for o, k, tile in self.tile.contents():
            if self.is_carried and around != o:
                sums = [[0] * columns for _ in range(rows)]
            around, latest = o, tile
            for r in range(rows):
                for c in range(columns):
                    if tile[r][c] is None or sums[r][c] is None:
                        sums[r][c] = None
                    else:
                        weight = k if self.is_weighted else 1
                        sums[r][c] = I32(3 * sums[r][c] + tile[r][c] * weight)
        if self.is_carried and self.loop.repeats and not self.loop.trips:
            sums = [[0] * columns for _ in range(rows)]
        self.loop.output(*self.out("out"), [x for row in sums for x in row])
        if self.last:
            latest = latest or [[None] * columns] * rows
            self.loop.output(*self.out("last"), [x for row in latest for x in row])
