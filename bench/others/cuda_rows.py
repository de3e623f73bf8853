"""The kernels of *.cu: how each is launched and what it must give, with numpy."""
import math

import numpy as np

random = np.random.default_rng(33)


def normal(*shape, dtype=np.float32):
    return random.standard_normal(shape).astype(dtype)


def integers(low, high, *shape, dtype=np.int32):
    return random.integers(low, high, shape, endpoint=False).astype(dtype)


def zeros(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


def poison(*shape, dtype=np.float32):
    return np.frombuffer(b"\xff" * (math.prod(shape) * np.dtype(dtype).itemsize),
                         dtype).reshape(shape).copy()


class Row:
    """A launch: arrays and numbers as arguments, what some of them are afterwards, and
    the largest error, relative to the largest result, that each type may have."""

    def __init__(self, file, kernel, grid, block, arguments, expected, shared=0, tolerance=None,
                 options=(), manifest=None):
        self.file, self.kernel, self.grid, self.block = file, kernel, grid, block
        self.arguments, self.expected, self.shared = arguments, expected, shared
        self.tolerance, self.options, self.manifest = tolerance, options, manifest


def reductions():
    x = normal(1000)
    total = x.sum(dtype=float)
    yield Row("reduce", "sum_tree", 4, 128, [x, zeros(1), 1000], {1: [total]}, shared=512)
    d, q = normal(777, dtype=np.float64), integers(-2**40, 2**40, 500, dtype=np.int64)
    yield Row("reduce", "_Z12sum_templateIdLi256EEvPKT_PS0_i", 1, 256,
              [d, poison(1, dtype=np.float64), 777], {1: [d.sum()]}, tolerance=1e-12)
    yield Row("reduce", "_Z12sum_templateIxLi128EEvPKT_PS0_i", 1, 128,
              [q, poison(1, dtype=np.int64), 500], {1: [q.sum()]})
    rows = np.round(normal(9, 100), 1)
    yield Row("reduce", "argmax_rows", 9, 32, [rows, poison(9, dtype=np.int32), 100],
              {1: rows.argmax(1)})
    yield Row("reduce", "sum_last_block", 5, 128, [x, poison(5), poison(1), 1000], {2: [total]})
    i = integers(-50, 50, 4, 256)
    yield Row("reduce", "scan_two_buffers", 4, 256, [i, poison(4, 256, dtype=np.int32)],
              {1: i.cumsum(1)})
    i = integers(-50, 50, 9 * 128)
    yield Row("reduce", "scan_look_back", 9, 128,
              [i, poison(9 * 128, dtype=np.int32), zeros(9, dtype=np.uint64),
               zeros(1, dtype=np.uint32)], {1: i.cumsum()})
    i = integers(0, 90, 3, 512)
    yield Row("reduce", "cub_scan", 3, 128,
              [i, poison(3, 512, dtype=np.int32), poison(3, dtype=np.int32)],
              {1: i.cumsum(1) - i, 2: i.sum(1)})
    x = normal(6, 128)
    yield Row("reduce", "cub_reduce", 6, 128, [x, poison(6)], {1: x.sum(1, dtype=float)})
    keys = integers(0, 2**32, 256, dtype=np.uint32)
    keys[::5] = keys[1]
    order = np.argsort(keys, kind="stable")
    yield Row("reduce", "cub_radix_sort", 1, 64,
              [keys, poison(256, dtype=np.uint32), poison(256, dtype=np.int32)],
              {1: keys[order], 2: order})
    i = integers(-99, 99, 128)
    yield Row("reduce", "cub_merge_sort", 1, 32, [i, poison(128, dtype=np.int32)],
              {1: np.sort(i)})
    b = integers(0, 256, 1024, dtype=np.uint8)
    yield Row("reduce", "cub_histogram", 1, 128, [b, poison(256, dtype=np.uint32)],
              {1: np.bincount(b, minlength=256)})
    x = normal(512)
    yield Row("reduce", "bitonic_sort", 1, 256, [x, poison(512)], {1: np.sort(x)}, tolerance=0)


def groups():
    i = integers(-99, 99, 2, 64)
    tiles = i.reshape(-1, 8)
    yield Row("reduce", "groups_tiles", 2, 64,
              [i] + [poison(2, 64, dtype=np.int32) for _ in range(3)],
              {1: np.repeat(tiles.sum(1), 8).reshape(i.shape),
               2: tiles.cumsum(1).reshape(i.shape),
               3: np.repeat(i.reshape(-1, 32).max(1), 32).reshape(i.shape)})
    labels = integers(0, 5, 32)
    yield Row("reduce", "groups_labels", 1, 32,
              [labels] + [poison(32, dtype=np.int32) for _ in range(2)],
              {1: [(labels[:k] == labels[k]).sum() for k in range(32)],
               2: [(labels == label).sum() for label in labels]})
    i = integers(-9, 9, 300)
    kept = i[i > 0]
    yield Row("reduce", "groups_compact", 3, 128,
              [i, zeros(300, dtype=np.int32), zeros(1, dtype=np.int32), 300],
              {1: lambda out: np.array_equal(np.sort(out[:len(kept)]), np.sort(kept)),
               2: [len(kept)]})
    a = normal(500)
    steps = [a.astype(float)]
    for _ in range(3):
        steps.append(0.5 * (np.roll(steps[-1], 1) + np.roll(steps[-1], -1)))
    yield Row("reduce", "groups_grid", 4, 64, [a, poison(500), 500, 3],
              {0: steps[2], 1: steps[3]})


def atomics():
    b = integers(0, 256, 3000, dtype=np.uint8)
    yield Row("atomics", "histogram", 3, 128, [b, zeros(256, dtype=np.uint32), 3000],
              {1: np.bincount(b, minlength=256)})
    i = integers(-2**31, 2**31, 128)
    start = np.array([0, 0, 5, 5, -1, 0, 0, 7, 7], np.int32)
    wide = np.array([0, 2**62, 0, 0], np.uint64)
    inc, dec = 7, 7
    for _ in i:
        inc = 0 if inc >= 99 else inc + 1
        dec = 99 if dec == 0 or dec > 99 else dec - 1
    large = i.astype(object)
    shifted = [int(x) << 31 & 2**64 - 1 for x in large]
    yield Row("atomics", "atomics_integer", 2, 64, [i, start, wide],
              {1: [int(large.sum() + 2**31) % 2**32 - 2**31,
                   int(-large.sum() + 2**31) % 2**32 - 2**31, min(5, i.min()), max(5, i.max()),
                   np.bitwise_and.reduce(i), np.bitwise_or.reduce(i), np.bitwise_xor.reduce(i),
                   inc, dec],
               2: np.array([int(large.sum() * 1000000007) % 2**64,
                            int(large.min()) * 2**20 % 2**64, int(large.max()) * 2**20 % 2**64,
                            np.bitwise_xor.reduce(np.array(shifted, np.uint64))], np.uint64)})
    x = integers(-9, 9, 64).astype(np.float32)
    s = x.sum()
    yield Row("atomics", "atomics_float", 1, 64,
              [x, zeros(1), zeros(1, dtype=np.float64), zeros(1, dtype=np.float16),
               zeros(2, dtype=np.float16), zeros(2, dtype=np.uint16)],
              {1: [s], 2: [s], 3: [s], 4: [s, -s], 5: bf16([s, 2 * s])}, tolerance=0)
    x = np.abs(normal(256))
    best = int(x.max().view(np.uint32)) << 32 | int(x.argmax())
    yield Row("atomics", "atomics_swap", 2, 128, [x, zeros(1, dtype=np.uint64)],
              {1: np.array([best], np.uint64)})
    h = integers(0, 900, 64, dtype=np.uint16)
    yield Row("atomics", "atomics_16", 1, 64, [h, zeros(2, dtype=np.uint16)], {1: [h.sum(), 0]})
    yield Row("atomics", "atomics_lock", 7, 32, [zeros(1, dtype=np.int32) for _ in range(3)],
              {0: [0], 1: [21], 2: [7 * 31 * 16]})
    chain = [4]
    for _ in range(5):
        chain.append(chain[-1] * 3 + 1)
    yield Row("atomics", "atomics_flags", 6, 32,
              [zeros(6, dtype=np.int32), poison(6, dtype=np.int32)], {1: chain})
    yield votes()
    starts = np.concatenate([[0], integers(0, 70, 10).cumsum()]).astype(np.int32)
    columns, values = integers(0, 50, starts[-1]), normal(starts[-1])
    x = normal(50)
    y = [np.dot(values[a:b].astype(float), x[columns[a:b]]) for a, b in zip(starts, starts[1:])]
    yield Row("atomics", "sparse_rows", 3, 128, [starts, columns, values, x, poison(10), 10],
              {4: y})


def votes():
    i = integers(-99999, 99999, 32)
    odd = sum(1 << k for k in range(32) if i[k] & 1)
    words = zeros(32, 8, dtype=np.int32)
    for t in range(32):
        x, u = int(i[t]), int(i[t]) & 2**32 - 1
        brev = int(f"{u:032b}"[::-1], 2)
        words[t] = [all(k >> 30 == x >> 30 for k in i), 1, 17 in i, i.sum(), i.max(),
                    np.bitwise_xor.reduce(i),
                    bin(odd).count("1") + (u & -u).bit_length() + 32 - u.bit_length()
                    + brev % 7,
                    i[t // 16 * 16 + t * 7 % 32 % 16]]
    if len({k >> 30 for k in i}) > 1:
        words[:, 0] = 0
    return Row("atomics", "votes", 1, 32,
               [i, poison(32, dtype=np.uint32), poison(32, dtype=np.uint32),
                poison(32, 8, dtype=np.int32)],
               {1: [odd] * 32,
                2: [sum(1 << k for k in range(32) if i[k] & 7 == i[t] & 7) for t in range(32)],
                3: words})


def products():
    m, n, k = 37, 29, 50
    a, b = normal(m, k), normal(k, n)
    yield Row("gemm", "gemm_tiles", "2,3", "16,16", [a, b, poison(m, n), m, n, k],
              {2: a.astype(float) @ b})
    a, b = normal(24, 128), normal(24, 64)
    yield Row("gemm", "gemm_registers", "1,2", 256, [a, b, poison(128, 64), 64, 24],
              {2: a.T.astype(float) @ b})
    a, b = normal(64, 96, dtype=np.float16), normal(96, 96, dtype=np.float16)
    yield Row("gemm", "gemm_wmma_async", "3,2", 128, [a, b, poison(64, 96), 96, 96],
              {2: 0.5 * a.astype(float) @ b.T.astype(float)})
    a, b = normal(64, 128, dtype=np.float16), normal(128, 128, dtype=np.float16)
    yield Row("gemm", "gemm_mma_stages", "2,1", 128, [a, b, poison(64, 128), 128, 128],
              {2: a.astype(float) @ b.T.astype(float)}, shared=6 * 4096)
    a, b = integers(-128, 128, 16, 32, dtype=np.int8), integers(-128, 128, 8, 32, dtype=np.int8)
    yield Row("gemm", "mma_s8", 1, 32, [a, b, poison(16, 8, dtype=np.int32)],
              {2: a.astype(int) @ b.T.astype(int)})
    a = np.round(normal(16, 32) * 2) / 2
    b = np.round(normal(8, 32) * 2) / 2
    yield Row("gemm", "mma_fp8", 1, 32, [a, b, poison(16, 8)], {2: a @ b.T})
    a, b = normal(8, 20, dtype=np.float64), normal(20, 8, dtype=np.float64)
    yield Row("gemm", "wmma_f64", 1, 32, [a, b, poison(8, 8, dtype=np.float64), 20],
              {2: (a @ b).T}, tolerance=1e-14)
    yield sparse()
    n = 96
    q, keys, v = (normal(s, 32) for s in (64, n, n))
    s = q.astype(float) @ keys.T / math.sqrt(32)
    p = np.exp(s - s.max(1, keepdims=True))
    yield Row("gemm", "attention_online", 2, 32, [q, keys, v, poison(64, 32), n],
              {3: p / p.sum(1, keepdims=True) @ v})


def sparse():
    """A of 16 x 32 with two of each four elements; the places of lanes of pair 0."""
    held, dense = normal(16, 16, dtype=np.float16), zeros(16, 32)
    codes = zeros(16, 8, dtype=np.uint32)
    for r in range(16):
        for g in range(8):
            one, two = sorted(random.choice(4, 2, replace=False))
            dense[r, 4 * g + one], dense[r, 4 * g + two] = held[r, 2 * g:2 * g + 2]
            codes[r, g] = one | two << 2
    places = zeros(32, dtype=np.uint32)
    for lane in range(32):  # of lanes 0 and 1 of four: the row's halves
        if lane % 4 < 2:
            for j in range(4):
                r, half = lane // 4, lane % 2
                places[lane] |= codes[r, half * 4 + j] << np.uint32(4 * j)
                places[lane] |= codes[r + 8, half * 4 + j] << np.uint32(4 * j + 16)
    b = normal(8, 32, dtype=np.float16)
    return Row("gemm", "mma_sparse", 1, 32, [held, places, b, poison(16, 8)],
               {3: dense.astype(float) @ b.T.astype(float)})


def copies():
    x = normal(7, 64)
    yield Row("async", "barrier_roles", 1, 128, [x, poison(7, 64), 7], {1: 2 * x[:, ::-1]},
              tolerance=0)
    i = integers(-9999, 9999, 5, 128)
    yield Row("async", "pipeline_stages", 1, 128, [i, poison(5, 128, dtype=np.int32), 5],
              {1: [i[r, (np.arange(128) * 5 + r) % 128] for r in range(5)]})
    i = integers(-9999, 9999, 4, 64, 4)
    yield Row("async", "pipeline_thread", 1, 64, [i, poison(4, 64, 4, dtype=np.int32), 4],
              {1: i[:, :, ::-1]})
    x = normal(3, 256)
    yield Row("async", "groups_memcpy", 3, 256, [x, poison(3, 256)], {1: x[:, ::-1]},
              tolerance=0)
    i = integers(-9999, 9999, 2, 512)
    yield Row("async", "bulk_copies", 2, 128, [i, poison(2, 512, dtype=np.int32)],
              {1: 3 * i + 1})
    d = normal(2, 128, dtype=np.float64)
    yield Row("async", "barrier_memcpy", 2, 128, [d, poison(2, 128, dtype=np.float64)],
              {1: d[:, np.arange(128) ^ 5]}, tolerance=0)


def tensor_map(tensor, box):
    """A hidden parameter of a manifest: a map of a matrix of floats."""
    return {"hidden": True, "passed_as": [{
        "kind": "tensor_map", "bytes": 128, "align": 64, "tensor": tensor, "element": "f32",
        "dims": [f"{tensor}.shape[1]", f"{tensor}.shape[0]"],
        "strides": [f"{tensor}.shape[1] * 4"], "box": box, "element_strides": [1, 1],
        "interleave": "none", "swizzle": "none", "l2": "none", "oob": "zero"}]}


def hopper():
    i = integers(0, 2**16, 900, dtype=np.uint16)
    yield Row("hopper", "cluster_histogram", 4, 64, [i, poison(256, dtype=np.int32), 900],
              {1: np.bincount(i % 256, minlength=256)})
    x = normal(4, 2)
    parts = x.astype(float).reshape(2, 2, 1, 2).sum((1, 3), keepdims=True)
    yield Row("hopper", "cluster_ring", "2,4", 32, [x, poison(4, 2)],
              {1: np.broadcast_to(parts, (2, 2, 1, 2)).reshape(4, 2)})
    i = integers(0, 999, 2, 2, 64)
    yield Row("hopper", "cluster_store_async", 4, 64, [i, poison(2, 2, 64, dtype=np.int32)],
              {1: i[:, ::-1] + 1})
    m, n, k = 100, 72, 200
    a, b = normal(m, k, dtype=np.float16), normal(n, k, dtype=np.float16)
    yield Row("hopper", "gemm_tma_wgmma", "2,2", 160,
              [a, b, poison(m, n), zeros(4 * 256, dtype=np.uint8), m, n, k],
              {2: a.astype(float) @ b.T.astype(float)}, shared=32768)
    x, y = normal(40, 64), normal(40, 64)
    tensor = {"type": "tensor", "element": "f32", "align": 16, "shape": "(?,?)",
              "stride": "(?,1)", "passed_as": []}
    yield Row("hopper", "tma_parameter", "2,3", 32, [x, y], {1: y + 2 * x.astype(float)},
              manifest=[{"index": 0, **tensor}, {"index": 1, **tensor},
                        tensor_map("arg0", [32, 16]), tensor_map("arg1", [32, 16])])
    i = integers(0, 99, 64)
    yield Row("hopper", "dependent", 1, 64, [i, poison(64, dtype=np.int32)], {1: i + 1})


def bf16(values):
    """Floats as the 16 upper bits, rounded to nearest even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def fp8(values, mantissa, bias, largest):
    """Floats as 8 bits with saturation, rounded to nearest even."""
    codes = np.arange(128)
    exponent, fraction = codes >> mantissa, codes & (1 << mantissa) - 1
    values_of = np.where(exponent > 0, (1 + fraction / (1 << mantissa)) * 2.0 ** (exponent - bias),
                         fraction / (1 << mantissa) * 2.0 ** (1 - bias))
    values_of = values_of[values_of <= largest]
    found = []
    for x in values:
        distance = np.abs(values_of - min(abs(float(x)), largest))
        best = np.flatnonzero(distance == distance.min())
        code = next((c for c in best if c % 2 == 0), best[0])
        found.append((code | (128 if np.signbit(x) else 0), math.copysign(values_of[code], x)))
    return np.array([f[0] for f in found], np.uint8), np.array([f[1] for f in found])


def language():
    x = normal(300)
    padded = np.pad(x.astype(float), 2)
    yield Row("language", "filter_constant", 3, 128, [x, poison(300), 300],
              {1: sum(w * padded[d:d + 300] for d, w in enumerate([1, 4, 6, 4, 1])) / 16})
    b = integers(0, 256, 64, 16, dtype=np.uint8)
    tops = []
    for row in b:
        stack, total = [], 0
        for x in map(int, row):
            while stack and stack[-1] > x:
                total += stack.pop()
            stack.append(x)
        tops.append(total * 100 + len(stack))
    yield Row("language", "local_array", 1, 64, [b, poison(64, dtype=np.int32)], {1: tops})
    kinds = integers(0, 10, 64)
    steps = [lambda x: x + 11, lambda x: x * 5, lambda x: x ^ 0x55, lambda x: x >> 1,
             lambda x: -x, lambda x: int(math.fmod(x, 13)), lambda x: x | 64,
             lambda x: bin(x & 2**32 - 1).count("1"), lambda x: x * x - 3, lambda x: 7]
    out = []
    for t in range(64):
        x = t
        for i in range(8):
            x = (steps[kinds[(t + i * 3) % 64]](x) + 2**31) % 2**32 - 2**31
        out.append(x)
    yield Row("language", "switch_table", 1, 64, [kinds, poison(64, dtype=np.int32)], {1: out})
    numbers = [0, 1]
    while len(numbers) < 12:
        numbers.append(numbers[-1] + numbers[-2])
    yield Row("language", "recursion", 1, 32, [poison(32, dtype=np.int32)],
              {0: [numbers[t % 12] for t in range(32)]})
    x, kinds = normal(32), integers(0, 3, 32)
    yield Row("language", "function_pointers", 1, 32, [kinds, x, poison(32)],
              {2: np.choose(kinds, [2 * x, x * x, 1 / x])})
    yield Row("language", "virtual_functions", 1, 32, [x, poison(32)],
              {1: np.where(np.arange(32) % 3, x * x, 3 * x * x)})
    i = integers(0, 99, 32)
    yield Row("language", "print_numbers", 1, 32, [i, poison(32, dtype=np.int32)], {1: i + 1})
    yield Row("language", "heap", 1, 32, [i, poison(32, dtype=np.int32)], {1: 16 * i + 120})
    yield from small_floats()
    yield from mathematics()
    yield from others()


def small_floats():
    f16 = np.float16
    a, b = normal(64, 2, dtype=f16), normal(64, 2, dtype=f16)
    x, y = a.astype(float), b.astype(float)
    z = f16(x * y + f16(x - y)).astype(float)
    z = np.maximum(np.minimum(z, 4), -np.abs(x))
    z = f16(z + f16(np.exp2(f16(x * 0.25).astype(float))).astype(float)).astype(float)
    z = f16(z + f16(y / f16(np.abs(x) + 1).astype(float)).astype(float))
    swapped = (a > b)[:, :1]
    yield Row("language", "half_pairs", 1, 64, [a, b, poison(64, 2, dtype=f16)],
              {2: np.where(swapped, z[:, ::-1], z)}, tolerance=2e-3)
    a, b = bf16(normal(64, 2)), bf16(normal(64, 2))

    def wide(h):
        return (h.astype(np.uint32) << 16).view(np.float32).astype(float)

    def once(v):
        return wide(bf16(v))
    z = once(wide(a) * wide(b) + wide(a))
    z = once(once(z + np.maximum(wide(a), wide(b))) * np.array([0.5, 2]))
    z = np.stack([z[:, 0] - z[:, 1], z[:, 0] + z[:, 1]], 1)
    yield Row("language", "bf16_pairs", 1, 64, [a, b, poison(64, 2, dtype=np.uint16)],
              {2: bf16(z)})
    x = (normal(128) * 2.0 ** integers(-12, 12, 128)).astype(np.float32)
    x[:3] = 1e9, -0.0, 1e-9
    e4m3, one = fp8(x, 3, 7, 448)
    e5m2, two = fp8(x, 2, 15, 57344)
    yield Row("language", "fp8_values", 1, 128,
              [x, poison(128, dtype=np.uint8), poison(128, dtype=np.uint8), poison(128)],
              {1: e4m3, 2: e5m2, 3: np.float32(one + two)})


def mathematics():
    x = np.abs(normal(32)) + np.float32(0.01)
    x[::2] *= -1
    v, u = x.astype(float), np.abs(x.astype(float))
    ten, three = np.float32(x * np.float32(10)).astype(float), np.float32(x * np.float32(3))
    last = v / 3 + np.floor(v) + np.rint(np.float32(x * np.float32(7))) + np.trunc(three)
    hundred = np.float32(x * np.float32(100)).astype(float)
    yield Row("language", "math_float", 1, 32, [x, poison(32, 12)],
              {1: np.stack([np.sin(hundred), np.cos(v), np.exp(v), np.log(u), u ** 1.5,
                            np.tanh(v), [math.erf(e) for e in v], u ** -0.5,
                            np.arctan2(v, 0.5), np.cbrt(v), np.fmod(ten, 3), last], 1)},
              tolerance=1e-6)
    d = x.astype(float)
    yield Row("language", "math_double", 1, 32, [d, poison(32, 8, dtype=np.float64)],
              {1: np.stack([np.sin(d * 50), np.exp(d), np.log1p(u), np.sqrt(u), u ** 0.3,
                            [math.gamma(e + 1) for e in u], [math.erfc(e) for e in d],
                            1 / d + d * d + 1 + np.ceil(d)], 1)}, tolerance=1e-14)
    yield Row("language", "math_fast", 1, 32, [x, poison(32, 6)],
              {1: np.stack([np.exp(v), np.log(u), np.sin(v), np.cos(v),
                            v / 3 + np.clip(v, 0, 1), u ** -0.5], 1)}, tolerance=1e-6)


def others():
    a = integers(-2**62, 2**62, 64, dtype=np.int64)
    b = integers(-2**40, 2**40, 64, dtype=np.int64)
    a[::3] >>= 31
    b[b == 0] = 3
    yield Row("language", "integers", 1, 64, [a, b, poison(64, 8, dtype=np.int64)],
              {2: [integer_words(int(x), int(y)) for x, y in zip(a, b)]})
    words, floats = philox()
    yield Row("language", "random_philox", 1, 32,
              [poison(32, 4, dtype=np.uint32), poison(32)],
              {0: words, 1: lambda out: bool(np.isfinite(out).all() and np.abs(out).max() < 6
                                             and len(set(out)) == 32)})
    c = normal(64, 2)
    f = np.fft.fft(c[:, 0] + 1j * c[:, 1].astype(float))
    yield Row("language", "fourier", 1, 32, [c, poison(64, 2)],
              {1: np.stack([f.real, f.imag], 1)}, tolerance=1e-6)
    x = normal(5, 6, 9)
    box = np.zeros(48, np.uint8)
    box[:12] = np.array([7, 6, 5], np.int32).view(np.uint8)
    box[16:40] = np.array([1, 9, 54], np.int64).view(np.uint8)
    box[40:44] = np.array([0.5], np.float32).view(np.uint8)
    box[44] = 1
    yield Row("language", "struct_parameter", "2,2,3", "4,4,2", [f"({','.join(map(str, box.view(np.int32)))})", x, poison(5, 6, 7)],
              {2: 0.5 * x[:, :, 6::-1]})
    w, h = 19, 12
    i = integers(0, 2, h, w, dtype=np.int8)
    count = sum(np.roll(i, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) - i
    yield Row("language", "life", 2, 64, [i, poison(h, w, dtype=np.int8), w, h],
              {1: (count == 3) | ((count == 2) & (i == 1))})
    yield Row("language", "surface_write", 1, 32, [0, 4], {})
    yield Row("language", "texture_read", 1, 32, [0, poison(32)], {})


def integer_words(x, y):
    def signed(v, bits=64):
        return (v + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)

    u, w, m = x & 2**64 - 1, y & 2**64 - 1, 2**32 - 1
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    low, other = u & m, w & m
    joined = (low | other << 32).to_bytes(8, "little")
    permuted = int.from_bytes(bytes(joined[k] for k in (1, 3, 5, 7)), "little")
    sums = int.from_bytes(bytes((p + q) & 255 for p, q in zip(
        low.to_bytes(4, "little"), other.to_bytes(4, "little"))), "little")
    s = low & 31
    funnel = ((other << 32 | low) << s >> 32) & m
    dots = 5 + sum(signed(p, 8) * signed(q, 8) for p, q in zip(
        low.to_bytes(4, "little"), other.to_bytes(4, "little")))
    counts = 64 - u.bit_length() + bin(w).count("1") + (u & -u).bit_length()
    return [quotient, x - quotient * y, signed(x * y >> 64), signed(x * y >> 13),
            signed(u // (other | 1)), (permuted + sums) & m, (funnel + dots) & m,
            signed(counts + signed(x << (w & 63)))]


def philox():
    """Philox 4x32-10, whose counter's upper half is the number of the sequence."""
    def rounds(counter, key):
        for _ in range(10):
            p, q = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
            counter = [q >> 32 ^ counter[1] ^ key[0], q & 2**32 - 1,
                       p >> 32 ^ counter[3] ^ key[1], p & 2**32 - 1]
            key = [key[0] + 0x9E3779B9 & 2**32 - 1, key[1] + 0xBB67AE85 & 2**32 - 1]
        return counter
    return np.array([rounds([0, 0, t, 0], [1234, 0]) for t in range(32)], np.uint32), None


def rows():
    for group in (reductions, groups, atomics, products, copies, hopper, language):
        yield from group()
