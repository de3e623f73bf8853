"""Kernels in Triton, how each is launched, and what it must give, with numpy."""
import numpy as np
import triton
import triton.language as tl
from cuda_rows import Row, integers, normal, poison, zeros
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.language.extra import libdevice

TYPES = {"float32": "*fp32", "float16": "*fp16", "float64": "*fp64", "int32": "*i32",
         "int8": "*i8", "uint8": "*fp8e4nv", "int64": "*i64", "uint16": "*bf16"}


@triton.jit
def add(a, b, c, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c + i, tl.load(a + i, i < n) + tl.load(b + i, i < n), i < n)


@triton.jit
def softmax(a, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    row = tl.load(a + tl.program_id(0) * n + i, i < n, other=-float("inf"))
    e = tl.exp(row - tl.max(row, 0))
    tl.store(out + tl.program_id(0) * n + i, e / tl.sum(e, 0), i < n)


@triton.jit
def layer_norm(a, w, b, out, mean, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(a + row * n + i, i < n, other=0.0)
    m = tl.sum(x, 0) / n
    d = tl.where(i < n, x - m, 0.0)
    r = tl.rsqrt(tl.sum(d * d, 0) / n + 1e-5)
    tl.store(mean + row, m)
    tl.store(out + row * n + i, d * r * tl.load(w + i, i < n) + tl.load(b + i, i < n), i < n)


@triton.jit
def matmul(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    p = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        x = tl.load(a + i[:, None] * k + (start + p)[None, :],
                    (i[:, None] < m) & (start + p < k)[None, :], other=0.0)
        y = tl.load(b + (start + p)[:, None] * n + j[None, :],
                    (start + p < k)[:, None] & (j[None, :] < n), other=0.0)
        sums = tl.dot(x, y, sums)
    tl.store(c + i[:, None] * n + j[None, :], sums.to(c.dtype.element_ty),
             (i[:, None] < m) & (j[None, :] < n))


@triton.jit
def matmul_s8(a, b, c, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j, p = tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.int32)
    for start in range(0, k, BK):
        x = tl.load(a + i[:, None] * k + (start + p)[None, :])
        y = tl.load(b + j[None, :] * k + (start + p)[:, None])
        sums += tl.dot(x, y)
    tl.store(c + i[:, None] * BN + j[None, :], sums)


@triton.jit
def matmul_descriptors(a, b, c, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """C(m,n) = A(m,k) B(n,k) by TMA, whose descriptors the kernel makes."""
    x = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    y = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    z = tl.make_tensor_descriptor(c, [m, n], [n, 1], [BM, BN])
    i, j = tl.program_id(0) * BM, tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), tl.float32)
    for start in range(0, k, BK):
        sums = tl.dot(x.load([i, start]), y.load([j, start]).T, sums)
    z.store([i, j], sums.to(tl.float16))


@triton.jit
def matmul_persistent(a, b, c, m, n, k, programs, BM: tl.constexpr, BN: tl.constexpr,
                      BK: tl.constexpr):
    columns = tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, BM) * columns, programs):
        i = tile // columns * BM + tl.arange(0, BM)
        j = tile % columns * BN + tl.arange(0, BN)
        p = tl.arange(0, BK)
        sums = tl.zeros((BM, BN), tl.float32)
        for start in tl.range(0, k, BK, num_stages=3):
            x = tl.load(a + i[:, None] * k + (start + p)[None, :])
            y = tl.load(b + (start + p)[:, None] * n + j[None, :])
            sums = tl.dot(x, y, sums)
        tl.store(c + i[:, None] * n + j[None, :], sums)


@triton.jit
def split_k(a, b, c, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i, j = tl.arange(0, BM), tl.arange(0, BN)
    p = tl.program_id(0) * BK + tl.arange(0, BK)
    x = tl.load(a + i[:, None] * k + p[None, :])
    y = tl.load(b + p[:, None] * n + j[None, :])
    tl.atomic_add(c + i[:, None] * n + j[None, :], tl.dot(x, y, input_precision="ieee"))


@triton.jit
def attention(q, k, v, o, n, scale, CAUSAL: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
              D: tl.constexpr):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    x = tl.load(q + i[:, None] * D + d[None, :], i[:, None] < n, other=0.0)
    largest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, D), tl.float32)
    for start in range(0, n, BN):
        j = start + tl.arange(0, BN)
        y = tl.load(k + j[None, :] * D + d[:, None], j[None, :] < n, other=0.0)
        s = tl.dot(x, y) * scale
        s = tl.where(j[None, :] < n, s, -float("inf"))
        if CAUSAL:
            s = tl.where(i[:, None] >= j[None, :], s, -float("inf"))
        top = tl.maximum(largest, tl.max(s, 1))
        p = tl.exp(s - top[:, None])
        old = tl.exp(largest - top)
        z = tl.load(v + j[:, None] * D + d[None, :], j[:, None] < n, other=0.0)
        sums = tl.dot(p.to(tl.float16), z, sums * old[:, None])
        total = total * old + tl.sum(p, 1)
        largest = top
    tl.store(o + i[:, None] * D + d[None, :], sums / total[:, None], i[:, None] < n)


@triton.jit
def plus(x, y):
    return x + y


@triton.jit
def carry(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def scans(a, sums, reverse, state, BLOCK: tl.constexpr):
    """Sums from both ends, and the recurrence h = h / 2 + x."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(a + i)
    tl.store(sums + i, tl.cumsum(x, 0))
    tl.store(reverse + i, tl.associative_scan(x, 0, plus, reverse=True))
    half, h = tl.associative_scan((tl.full((BLOCK,), 0.5, tl.float32), x), 0, carry)
    tl.store(state + i, h)


@triton.jit
def searches(a, top, bottom, places, M: tl.constexpr, N: tl.constexpr):
    i, j = tl.arange(0, M), tl.arange(0, N)
    x = tl.load(a + i[:, None] * N + j[None, :])
    tl.store(places + i, tl.argmax(x, 1))
    tl.store(top + i, tl.max(x, 1))
    tl.store(bottom + j, tl.min(x, 0))


@triton.jit
def sort(a, out, N: tl.constexpr):
    i = tl.arange(0, N)
    row = tl.program_id(0) * N
    tl.store(out + row + i, tl.sort(tl.load(a + row + i)))


@triton.jit
def histogram(a, out, n, BLOCK: tl.constexpr, BINS: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    h = tl.histogram(tl.load(a + i, i < n, other=0), BINS, mask=i < n)
    tl.atomic_add(out + tl.arange(0, BINS), h)


@triton.jit
def random(out, seed, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.rand(seed, i))


@triton.jit
def gather(table, rows, out, width, BLOCK: tl.constexpr):
    """An embedding: rows of a table by numbers."""
    j = tl.arange(0, BLOCK)
    row = tl.load(rows + tl.program_id(0))
    x = tl.load(table + row.to(tl.int64) * width + j, j < width, other=0.0)
    tl.store(out + tl.program_id(0) * width + j, x, j < width)


@triton.jit
def cross_entropy(logits, labels, loss, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    largest, total = -float("inf"), 0.0
    for start in range(0, n, BLOCK):
        j = start + tl.arange(0, BLOCK)
        x = tl.load(logits + row * n + j, j < n, other=-float("inf")).to(tl.float32)
        top = tl.maximum(largest, tl.max(x, 0))
        total = total * tl.exp(largest - top) + tl.sum(tl.exp(x - top), 0)
        largest = top
    label = tl.load(labels + row)
    own = tl.load(logits + row * n + label).to(tl.float32)
    tl.store(loss + row, tl.log(total) + largest - own)


@triton.jit
def rotary(x, cosines, sines, out, half, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    j = tl.arange(0, BLOCK)
    u = tl.load(x + row * 2 * half + j, j < half)
    v = tl.load(x + row * 2 * half + half + j, j < half)
    c, s = tl.load(cosines + row * half + j, j < half), tl.load(sines + row * half + j, j < half)
    tl.store(out + row * 2 * half + j, u * c - v * s, j < half)
    tl.store(out + row * 2 * half + half + j, v * c + u * s, j < half)


@triton.jit
def collatz(a, out, BLOCK: tl.constexpr):
    """A loop until all elements have ended."""
    i = tl.arange(0, BLOCK)
    x, steps = tl.load(a + i), tl.zeros((BLOCK,), tl.int32)
    while tl.max((x != 1).to(tl.int32), 0) == 1:
        steps += (x != 1).to(tl.int32)
        x = tl.where(x == 1, 1, tl.where(x % 2 == 0, x // 2, 3 * x + 1))
    tl.store(out + i, steps)


@triton.jit
def mathematics(a, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(a + i)
    y = tl.erf(x) + tl.sigmoid(x) + tl.sin(x) * tl.cos(x) + tl.sqrt(tl.abs(x)) + tl.exp2(x)
    y += libdevice.tanh(x) + libdevice.log1p(tl.abs(x)) + libdevice.pow(tl.abs(x), 1.25)
    tl.store(out + i, y + tl.floor(x) + tl.fdiv(x, 3.0) + tl.clamp(x, -0.5, 0.5))


@triton.jit
def lock(mutex, count, values, BLOCK: tl.constexpr):
    """Blocks add to a tensor one after another."""
    while tl.atomic_cas(mutex, 0, 1) == 1:
        pass
    i = tl.arange(0, BLOCK)
    tl.store(values + i, tl.load(values + i) + i + tl.program_id(0))
    tl.debug_barrier()
    tl.atomic_add(count, 1)
    tl.atomic_xchg(mutex, 0)


@triton.jit
def pairs(a, out, BLOCK: tl.constexpr):
    """Transposes, joins and splits."""
    i = tl.arange(0, BLOCK)
    x = tl.load(a + i[:, None] * BLOCK + i[None, :])
    even, odd = tl.split(tl.reshape(tl.trans(x), (BLOCK, BLOCK // 2, 2)))
    z = tl.reshape(tl.join(odd, even), (BLOCK, BLOCK))
    tl.store(out + i[:, None] * BLOCK + i[None, :], tl.flip(z, 1))


def launch(function, grid, arguments, expected, constants, warps=4, floats=(), tolerance=None,
           stages=3):
    """A row of a Triton function; `floats` names arguments that are given as floats."""
    row = Row("triton", function.__name__, grid, warps * 32, arguments, expected,
              tolerance=tolerance)
    names = function.arg_names
    signature = {}
    for i, name in enumerate(names):
        value = arguments[i] if i < len(arguments) else None
        if name in constants:
            signature[name] = "constexpr"
        elif isinstance(value, np.ndarray):
            signature[name] = TYPES[value.dtype.name]
        else:
            signature[name] = "fp32" if name in floats else "i32"
    divisible = {(i,): [["tt.divisibility", 16]] for i, name in enumerate(names)
                 if name not in constants and i < len(arguments)
                 and (isinstance(arguments[i], np.ndarray)
                      or (name not in floats and arguments[i] % 16 == 0))}
    row.source = ASTSource(function, signature, constants, divisible)
    row.compile_options = {"num_warps": warps, "num_stages": stages}
    return row


def compile(row, folder):
    """The PTX of a row; the parameters that Triton adds are pointers to memory."""
    made = triton.compile(row.source, target=GPUTarget("cuda", 90, 32),
                          options=row.compile_options)
    ptx = folder / f"triton_{row.kernel}.ptx"
    ptx.write_text(made.asm["ptx"], encoding="utf-8")
    row.kernel, row.shared = made.metadata.name, made.metadata.shared
    blocks = int(np.prod([int(x) for x in str(row.grid).split(",")]))
    scratch = made.metadata.global_scratch_size * blocks
    row.arguments = [*row.arguments, zeros(scratch, dtype=np.uint8) if scratch else 0, 0]
    return ptx


def rows():
    f16 = np.float16
    a, b = normal(1000), normal(1000)
    yield launch(add, 4, [a, b, poison(1000), 1000], {2: a + b}, {"BLOCK": 256})
    a = normal(7, 500)
    e = np.exp(a.astype(float) - a.max(1, keepdims=True))
    yield launch(softmax, 7, [a, poison(7, 500), 500], {1: e / e.sum(1, keepdims=True)},
                 {"BLOCK": 512})
    a, w, b = normal(5, 200), normal(200), normal(200)
    d = a.astype(float)
    d -= d.mean(1, keepdims=True)
    yield launch(layer_norm, 5, [a, w, b, poison(5, 200), poison(5), 200],
                 {3: d / np.sqrt((d * d).mean(1, keepdims=True) + 1e-5) * w + b,
                  4: a.mean(1, dtype=float)}, {"BLOCK": 256})
    yield from products()
    yield from attentions()
    a = normal(3, 256)
    state = np.zeros((3, 256))
    for t in range(256):
        state[:, t] = state[:, t - 1] * (0.5 if t else 0) + a[:, t]
    yield launch(scans, 3, [a] + [poison(3, 256) for _ in range(3)],
                 {1: a.cumsum(1, dtype=float), 2: a[:, ::-1].cumsum(1, dtype=float)[:, ::-1],
                  3: state}, {"BLOCK": 256})
    a = normal(32, 64)
    yield launch(searches, 1, [a, poison(32), poison(64), poison(32, dtype=np.int32)],
                 {1: a.max(1), 2: a.min(0), 3: a.argmax(1)}, {"M": 32, "N": 64}, tolerance=0)
    a = integers(-999, 999, 2, 256)
    yield launch(sort, 2, [a, poison(2, 256, dtype=np.int32)], {1: np.sort(a, 1)}, {"N": 256})
    a = integers(0, 64, 900)
    yield launch(histogram, 4, [a, zeros(64, dtype=np.int32), 900],
                 {1: np.bincount(a, minlength=64)}, {"BLOCK": 256, "BINS": 64})
    yield launch(random, 1, [poison(512), 7],
                 {0: lambda x: bool((x >= 0).all() and (x < 1).all() and abs(x.mean() - 0.5) < 0.1
                                    and len(set(x)) > 500)}, {"BLOCK": 512})
    table, numbers = normal(40, 72, dtype=f16), integers(0, 40, 9)
    yield launch(gather, 9, [table, numbers, poison(9, 72, dtype=f16), 72], {2: table[numbers]},
                 {"BLOCK": 128}, tolerance=0)
    a, labels = normal(6, 1000, dtype=f16), integers(0, 1000, 6)
    x = a.astype(float)
    yield launch(cross_entropy, 6, [a, labels, poison(6), 1000],
                 {2: np.log(np.exp(x).sum(1)) - x[np.arange(6), labels]}, {"BLOCK": 512})
    x, angles = normal(8, 64), normal(8, 32)
    c, s = np.cos(angles), np.sin(angles)
    u, v = x[:, :32].astype(float), x[:, 32:].astype(float)
    yield launch(rotary, 8, [x, c, s, poison(8, 64), 32],
                 {3: np.concatenate([u * c - v * s, v * c + u * s], 1)}, {"BLOCK": 32}, warps=1)
    a = integers(1, 200, 128)
    steps = []
    for x in map(int, a):
        steps.append(0)
        while x != 1:
            x, steps[-1] = x // 2 if x % 2 == 0 else 3 * x + 1, steps[-1] + 1
    yield launch(collatz, 1, [a, poison(128, dtype=np.int32)], {1: steps}, {"BLOCK": 128})
    yield functions()
    values = np.arange(128) * 6 + 15
    yield launch(lock, 6, [zeros(1, dtype=np.int32), zeros(1, dtype=np.int32),
                           zeros(128, dtype=np.int32)], {0: [0], 1: [6], 2: values},
                 {"BLOCK": 128})
    a = normal(32, 32)
    z = a.T.reshape(32, 16, 2)[:, :, ::-1].reshape(32, 32)[:, ::-1]
    yield launch(pairs, 1, [a, poison(32, 32)], {1: z}, {"BLOCK": 32}, tolerance=0)


def products():
    f16 = np.float16
    m, n, k = 100, 90, 72
    a, b = normal(m, k, dtype=f16), normal(k, n, dtype=f16)
    tiles = {"BM": 64, "BN": 64, "BK": 32}
    exact = a.astype(float) @ b.astype(float)
    yield launch(matmul, "2,2", [a, b, poison(m, n, dtype=f16), m, n, k], {2: exact}, tiles)
    x, y = normal(m, k), normal(k, n)
    row = launch(matmul, "2,2", [x, y, poison(m, n), m, n, k], {2: x.astype(float) @ y},
                 tiles, warps=8, tolerance=2e-3)
    row.kernel = "matmul_tf32"
    yield row
    p, q = integers(-99, 99, 32, 128, dtype=np.int8), integers(-99, 99, 64, 128, dtype=np.int8)
    yield launch(matmul_s8, 1, [p, q, poison(32, 64, dtype=np.int32), 128],
                 {2: p.astype(int) @ q.T.astype(int)}, {"BM": 32, "BN": 64, "BK": 64})
    m, n, k = 96, 80, 160
    a, b = normal(m, k, dtype=f16), normal(n, k, dtype=f16)
    yield launch(matmul_descriptors, "2,2", [a, b, poison(m, n, dtype=f16), m, n, k],
                 {2: a.astype(float) @ b.T.astype(float)}, {"BM": 64, "BN": 64, "BK": 64})
    m, n, k = 128, 192, 128
    a, b = normal(m, k, dtype=f16), normal(k, n, dtype=f16)
    yield launch(matmul_persistent, 2, [a, b, poison(m, n), m, n, k, 2],
                 {2: a.astype(float) @ b.astype(float)}, tiles)
    x, y = normal(32, 128), normal(128, 32)
    yield launch(split_k, 4, [x, y, zeros(32, 32), 32, 128], {2: x.astype(float) @ y},
                 {"BM": 32, "BN": 32, "BK": 32})


def attentions():
    n, d = 100, 64
    q, k, v = (normal(n, d, dtype=np.float16) for _ in range(3))
    s = q.astype(float) @ k.T.astype(float) * 0.125
    for causal in (False, True):
        scores = np.where(np.tri(n, dtype=bool), s, -np.inf) if causal else s
        p = np.exp(scores - scores.max(1, keepdims=True))
        row = launch(attention, 2, [q, k, v, poison(n, d), n, 0.125],
                     {3: p / p.sum(1, keepdims=True) @ v.astype(float)},
                     {"CAUSAL": causal, "BM": 64, "BN": 32, "D": d}, floats=("scale",),
                     tolerance=1e-3)
        row.kernel = "attention_causal" if causal else "attention"
        yield row


def functions():
    from math import erf
    a = normal(256)
    x = a.astype(float)
    u = np.abs(x)
    y = np.array([erf(e) for e in x]) + 1 / (1 + np.exp(-x)) + np.sin(x) * np.cos(x) + np.sqrt(u)
    y += np.exp2(x) + np.tanh(x) + np.log1p(u) + u ** 1.25
    y += np.floor(x) + x / 3 + np.clip(x, -0.5, 0.5)
    return launch(mathematics, 1, [a, poison(256)], {1: y}, {"BLOCK": 256})
