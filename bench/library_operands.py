"""Operands of the library's functions at random, and what the rows of its bench share."""
import datetime
import random
import statistics
import subprocess

import torch

F16, BF16, F32 = torch.float16, torch.bfloat16, torch.float32
S8, S32, F8 = torch.int8, torch.int32, torch.float8_e4m3fn
NAMES = {F16: "f16", BF16: "bf16", F32: "f32", S8: "s8", F8: "f8"}
TOLERANCE = {F16: 2e-3, BF16: 1e-2, F32: 2e-6}


def device():
    """The day, the device, and what was installed, as a page of figures names them."""
    driver = subprocess.run(["nvidia-smi", "--query-gpu=driver_version,clocks.max.sm", "--format=csv,noheader"],
                            text=True, check=True, stdout=subprocess.PIPE).stdout.splitlines()[0]
    return (f"{datetime.date.today()}, {torch.cuda.get_device_name()}, driver and highest clock {driver}, torch "
            f"{torch.__version__}, CUDA {torch.version.cuda}, cuDNN {torch.backends.cudnn.version()}")


def matrix(rows, columns, kind, order="any"):
    """Random elements with mode `order` contiguous, in memory that extends behind
    them: rows, columns, or either."""
    if order == "any":
        order = random.choice(("rows", "columns"))
    if order == "columns":
        return matrix(columns, rows, kind, "rows").t()
    pitch = columns + random.choice((0, 0, 8, 16, random.randrange(40)))
    whole = torch.randn(rows, pitch, device="cuda")
    whole = (whole * 20).clamp(-127, 127).round() if kind == S8 else whole
    return whole.to(kind)[:, :columns]


def guarded(shape, kind):
    """(a place for a result, a function that says whether what is around it is as before).

    There are 16 rows of guards, so that the place begins at a multiple of 16 bytes."""
    rows, columns = shape
    pitch = columns + random.choice((0, 8, 16))
    whole = torch.full((rows + 32, pitch), 77, device="cuda", dtype=kind)
    out = whole[16:-16, :columns]

    def is_whole():
        return bool((whole[:16] == 77).all() and (whole[-16:] == 77).all()
                    and (whole[16:-16, columns:] == 77).all())
    return out, is_whole


def error_of(got, expected):
    if not got.numel():
        return 0.0
    scale = expected.double().abs().max().item() or 1.0
    return (got.double() - expected.double()).abs().max().item() / scale


def extent(most, step=1):
    """Small, large, odd, or a multiple of what tiles are made of."""
    return max(1, random.choice((random.randrange(1, 20), random.randrange(1, most),
                                 64 * random.randrange(1, most // 64 + 1))) // step * step)


def medians(functions, rounds=10):
    """Microseconds of each with a cold L2 cache, in turns, each other time in reverse: on an
    H200 every other launch seemed to take 0.6 us more, always of the same function in one order."""
    flush = torch.empty(256 << 20, dtype=torch.int8, device="cuda")
    turns = list(zip(functions, [[] for _ in functions]))
    for function in functions:
        function()
    for number in range(rounds):
        for function, found in turns[::-1] if number % 2 else turns:
            flush.zero_()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            function()
            end.record()
            found.append((begin, end))
    torch.cuda.synchronize()
    return [statistics.median(b.elapsed_time(e) * 1e3 for b, e in found) for _, found in turns]
