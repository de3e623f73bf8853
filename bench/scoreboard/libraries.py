"""Kernels that libraries compile when they are first called, softmax of rows and attention,
both of bf16: libraries.py softmax|attention FOLDER cute|quack|flash prints what importing
and compiling took.

``later`` are other lengths of rows, and other sizes of heads. Neither a GPU nor arrays are
needed: ours has functions below its calls, the others have fake tensors for this.
"""
import os
import pathlib
import subprocess
import sys
import types

import report

LENGTHS = (8192, 4096, 6144, 3072, 2048, 5120)
HEADS = ((128, False), (64, False), (96, False), (192, False), (128, True), (64, True))
SHAPE = (4, 4096, 16)  # batch, rows, heads


def cubin(code, folder, name):
    path = pathlib.Path(folder) / f"{name}.ptx"
    path.write_bytes(code.rstrip(b"\0"))
    subprocess.run(["ptxas", "-arch=sm_90a", path, "-o", path.with_suffix(".cubin")], check=True)


def softmax_of_cute(folder):
    from cute.kernels._rows import PARAMETERS
    from cute.kernels.softmax import softmax
    program = sys.modules[softmax.__module__].program
    given = {name: parameter["default"] for name, parameter in PARAMETERS.items()}

    def compile_one(i):
        made = program(given | {"type": "bf16", "kind": "softmax", "name": "softmax",
                                "elements": 32, "lengths": str(LENGTHS[i])})
        made.optimize("sm_90a")
        cubin(made.compile("sm_90a"), folder, f"softmax_{i}")
    return compile_one


def attention_of_cute(folder):
    from cute.kernels import _text, attention
    module = sys.modules[attention.__module__]

    def compile_one(i):
        d, is_causal = HEADS[i]
        batch, rows, heads = SHAPE
        q = types.SimpleNamespace(shape=(batch, heads, rows, d), dtype="torch.bfloat16")
        given = module.plain_parameters(q, q, q, module.Options(None, is_causal), True)
        code, _ = _text.compiled("attention_plain", "sm_90a",
                                 {name: str(value) for name, value in given.items()})
        cubin(code, folder, f"attention_{i}")
    return compile_one


def softmax_of_quack(_):
    from cutlass import BFloat16
    from quack.softmax import Softmax
    return lambda i: Softmax.compile(BFloat16, BFloat16, LENGTHS[i])


def attention_of_flash(_):
    import torch
    from flash_attn.cute import flash_attn_func
    from torch._subclasses.fake_tensor import FakeTensorMode

    def compile_one(i):
        d, is_causal = HEADS[i]
        with FakeTensorMode():
            q = torch.empty(*SHAPE, d, dtype=torch.bfloat16, device="cuda")
            flash_attn_func(q, q, q, causal=is_causal)
    return compile_one


def main(what, folder, library):
    os.environ.update(
        CUTE_DSL_ARCH="sm_90a", CUTE_DSL_KEEP="cubin", CUTE_DSL_DUMP_DIR=folder,
        QUACK_ARCH="sm_90", QUACK_CACHE_ENABLED="0", FLASH_ATTENTION_ARCH="sm_90",
        FLASH_ATTENTION_NUM_SMS="132")
    begin = report.seconds()
    compile_one = globals()[f"{what}_of_{library}"](folder)
    report.imported(begin)
    report.compiled(compile_one, folder)


main(*sys.argv[1:])
