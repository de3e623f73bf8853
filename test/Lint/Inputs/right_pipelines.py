"""Right ways to write step 12 of the tutorial, which no check of pipelines may refuse.

usage: right_pipelines.py CUTE_RUN EXAMPLES FOLDER

A row replaces parts of the kernel; each runs on the simulator against its formula.
"""
import pathlib
import subprocess
import sys

COPIES = """          cute.copy(%to_A, %gA_load[_,%k], %sA_load[_,%stage])
          cute.copy(%to_B, %gB_load[_,%k], %sB_load[_,%stage])
"""
COMMIT = "          cute.producer_commit(%pipeline, %state)\n"
ACQUIRE = "          cute.producer_acquire(%pipeline, %state)\n"
WAIT = "        cute.consumer_wait(%pipeline, %state)\n"
PRODUCT = """        cute.warpgroup_fence()
        cute.gemm(%mma, %rC, %dA[_,_,_,%stage], %dB[_,_,_,%stage], %rC, %is_later)
        cute.warpgroup_commit
"""
RELEASE = """        cute.warpgroup_wait<1> ()
        if %is_later {
          cute.consumer_release(%pipeline, %before)
        }
"""
LAST = "      cute.warpgroup_wait<0> (%rC)\n"
HEAD = "gpu.module @tutorial {\n"
ALIASES = """!filling = !cute.pipeline_state<"producer", stages<4>>
!draining = !cute.pipeline_state<"consumer", stages<4>>
"""
TYPE = ('!cute.pipeline<"tma", stages<4>, producers<1>, consumers<1>, "warpgroup", '
        'bytes<32768>, "">')
ROLES = """    } else {
      // As in step 11, in threads 128 to 255.
"""
STATES = "    %k_tiles = cute.size<[2]>(%gA)\n"


def function(role, op):
    """The module's head with a function that has one op of a pipeline."""
    return (f"!pipe = {TYPE}\n{HEAD}  func.func private @f(%p: !pipe, %s: !{role}) {{\n"
            f"    {op}\n    return\n  }}\n")


def second_consumer(wait):
    """Warpgroup 2 empties stages, too, without a product."""
    return ["array<i32: 256, 1, 1>", "array<i32: 384, 1, 1>", "tma<4, 1,", "tma<4, 2,",
            RELEASE, RELEASE.replace("<1>", "<0>").replace("if %is_later ", "").replace(
                "{\n", "").replace("        }\n", "").replace("%before", "%state"),
            ROLES, """    }
    %second = %warpgroup == 2
    if %second {
      %drain = cute.make_pipeline_state<"consumer"> (%pipeline)
      %end = for %k in 0..%k_tiles carry(%state = %drain) {
""" + wait + """        cute.consumer_release(%pipeline, %state)
        yield cute.pipeline_advance(%state)
      }
    }
    %main = %warpgroup == 1
    if %main {
"""]


ROWS = {
    "as it is": [],
    "copies in a branch that is always taken":
        [COPIES, "if %k >=s 0 {\n" + COPIES + "}\n"],
    "copies in both branches":
        [COPIES, "if (%k & 1) == 1 {\n" + COPIES + "} else {\n" + COPIES + "}\n"],
    "copies and commit in both branches":
        [COPIES + COMMIT, "if (%k & 1) == 1 {\n" + COPIES + COMMIT + "} else {\n" + COPIES
         + COMMIT + "}\n"],
    "commit of a selected state":
        [COMMIT, "%yes = arith.constant true\n%same = arith.select %yes, %state, %state : "
         "!filling\ncute.producer_commit(%pipeline, %same)\n"],
    "a pipeline that a choice gives":
        [STATES, STATES + "%chosen = if %thread == 0 { yield %pipeline } else { yield "
         "%pipeline }\n", ACQUIRE, ACQUIRE.replace("pipeline,", "chosen,"),
         "producer_barrier(%pipeline", "producer_barrier(%chosen"],
    "acquire in a function":
        [ACQUIRE, "func.call @f(%pipeline, %state) : (!pipe, !filling) -> ()\n", HEAD,
         function("filling", "cute.producer_acquire(%p, %s)")],
    "commit in a function":
        [COMMIT, "func.call @f(%pipeline, %state) : (!pipe, !filling) -> ()\n", HEAD,
         function("filling", "cute.producer_commit(%p, %s)")],
    "consumers that a loop chooses":
        [ROLES, "    }\n    %once = %warpgroup + 0\n    for %i in 0..%once {\n"],
    "a wait for products where there are some":
        [LAST, "if %k_tiles >s 0 {\n" + LAST + "}\n"],
    "products and their wait by one condition":
        [PRODUCT + RELEASE, "%is = %k >=s 0\nif %is {\n" + PRODUCT + "}\nif %is {\n"
         "cute.warpgroup_wait<0> (%rC)\n}\ncute.consumer_release(%pipeline, %state)\n",
         LAST, ""],
    "a wait in each of some rounds":
        [LAST, "for %i in 0..%k_tiles {\n" + LAST + "}\n"],
    "a wait for products in a function":
        [LAST, "func.call @f() : () -> ()\ncute.warpgroup_fence()\n", HEAD, HEAD +
         "func.func private @f() {\ncute.warpgroup_wait<0> ()\nreturn\n}\n"],
    "a wait that completes nothing": [RELEASE, "cute.warpgroup_wait<3> ()\n" + RELEASE],
    "two consumers": second_consumer(WAIT),
    "two consumers, one in a function":
        second_consumer("func.call @f(%pipeline, %state) : (!pipe, !draining) -> ()\n") +
        [HEAD, function("draining", "cute.consumer_wait(%p, %s)").replace(
            "consumers<1>", "consumers<2>")],
    "two consumers, one by a choice":
        second_consumer("%p = if %k == 0 { yield %pipeline } else { yield %pipeline }\n" +
                        WAIT.replace("%pipeline", "%p")),
    "two consumers, one of a selected state":
        second_consumer("%yes = arith.constant true\n%same = arith.select %yes, %state, "
                        "%state : !draining\n" + WAIT.replace("%state", "%same")),
    "two consumers, one that is told":
        second_consumer("cute.named_barrier_sync(2, 256)\n") +
        [WAIT, WAIT + "cute.named_barrier_sync(2, 256)\n"],
    "two that wait, one that releases":
        second_consumer(WAIT + "cute.named_barrier_sync(2, 256)\n") +
        ["tma<4, 2,", "tma<4, 1,", PRODUCT, "cute.named_barrier_sync(2, 256)\n" + PRODUCT,
         "        cute.consumer_release(%pipeline, %state)\n        yield cute.pipeline_adv",
         "        yield cute.pipeline_adv"],
}


def main():
    cute_run, examples, folder = sys.argv[1:]
    path = pathlib.Path(folder) / "kernel.mlir"
    path.parent.mkdir(parents=True, exist_ok=True)
    example = ALIASES + pathlib.Path(examples, "tutorial/12_pipeline_sm90.mlir").read_text()
    right = 0
    for name, changes in ROWS.items():
        text = example
        for old, new in zip(changes[::2], changes[1::2]):
            assert old in text, f"{name}: the kernel has no\n{old}"
            text = text.replace(old, new, 1)
        path.write_text(text)
        run = subprocess.run(
            [cute_run, path, "--device=sim", "--arch=sm_90a", "f16[128x192]:normal(1)",
             "f16[128x192]:normal(2)", "f16[128x128]:poison", "--check",
             "C[m,n] = A[m,k] * B[n,k]"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)
        right += run.returncode == 0
        if run.returncode:
            print(f"{name}: {run.stdout}")
    print(f"{right} of {len(ROWS)} are taken")


if __name__ == "__main__":
    main()
