"""Writes kernels of the library, one of each kind, into a folder, where examples.py proves them.

  library.py FOLDER
"""
import importlib
import pathlib
import sys

ROW = {"alone": False, "type": "bf16", "elements": 32, "lengths": "2048", "block": 256,
       "shared": 0, "most": 16, "overlaps": True, "gamma": "auto"}
GEMM = {"name": "gemm", "type": "f16", "out": "f16", "a_major": "k", "b_major": "k", "c_major": "n",
        "batched": False, "partial": False, "bm": 128, "bn": 128, "bk": 64, "stages": 3,
        "warps_m": 2, "warps_n": 2, "warps_k": 1, "group": 8, "split": 1, "stream": 0, "arch": "sm_80"}
PROGRAMS = {
    "gradient_of_attention": ("_gradient_rows", {"type": "bf16", "d": 64}),
    "argmax": ("topk", {**ROW, "name": "argmax", "kind": "argmax"}),
    "cross_entropy": ("cross_entropy", {**ROW, "name": "cross_entropy", "reduction": "sum"}),
    "cumsum": ("cumsum", {**ROW, "name": "cumsum"}),
    "gemm": ("gemm_sm80", GEMM),
    "layernorm": ("norm", {**ROW, "name": "layernorm", "kind": "layer"}),
    "layernorm_gradient": ("norm_gradient", {**ROW, "name": "layernorm_gradient", "kind": "layer"}),
    "rmsnorm": ("norm", {**ROW, "name": "rmsnorm", "kind": "rms"}),
    "softmax": ("softmax", {**ROW, "name": "softmax", "kind": "softmax"}),
    "log_softmax_gradient": ("softmax_gradient",
                             {**ROW, "name": "log_softmax_gradient", "kind": "log_softmax"}),
}


def main():
    folder = pathlib.Path(sys.argv[1])
    for name, (module, values) in PROGRAMS.items():
        program = importlib.import_module(f"cute.kernels.{module}").program(values)
        (folder / f"{name}.mlir").write_text(str(program), encoding="utf-8")


main()
