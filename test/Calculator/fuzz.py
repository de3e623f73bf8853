"""Every operation on operands of any kind gives a result or a message, in time.

usage: fuzz.py BATCH COUNT SEED

Lines of random operations and operands go to BATCH, the program conformance-batch.
A batch that does not end with 0 in time, or that leaves a line without an
answer, is halved until the line at fault is found.
"""
import json
import os
import random
import re
import subprocess
import sys

BATCH = 300
SECONDS = 120  # for a batch, also with a sanitizer
OPERANDS = """
4|0|-3|_|()|(4,8)|(2,(3,4))|(4)|(0,1)|(1,0)|((),4)|x|?|?{i64 div=8}
9223372036854775807|-9223372036854775808|(4,8):(8,1)|(2,(3,4)):(1,(2,6))|4:1
1:0|3:0|(4,4):(0,0)|():()|(4,8):(-8,-1)|(?,4):(1,?)|(?,?):(?,1)
(2,2,2,2,2,2,2,2):(1,2,4,8,16,32,64,128)|(4611686018427387904,4):(0,0)
(9223372036854775807,2):(1,1)|(4,8):(9223372036854775807,1)
(4,8):(1@0,1@1)|1@0@1|1@-1|4:1@-1|4:1@1048576|(4,4):(1@99999,1@88888)
S<2,3,3>|S<0,0,0>|S<2,3,3> o 0 o (8,8):(8,1)|S<2,3,3> o 5 o (8,8):(8,1)
(4,8):(8,1) o (0,0) o (4,8):(1@0,1@1)|(4:1,_)|(_,2)|(4:1,(2,3):(1,2))
f16|f64|SM80_16x8x16_F32F16F16F32_TN|UniversalCopy<uint128_t>
SM75_U32x4_LDSM_N|make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1),(32,32,16))
make_tiled_mma(SM70_8x8x4_F32F16F16F32_NT,(2,2,2))|[4:1;_]|Layout_K_SW128_Atom<half_t>
make_tiled_copy(make_copy_atom(SM75_U32x4_LDSM_N,f16),(16,2):(2,1),(1,8))
make_copy_atom(UniversalCopy<uint128_t>,f16)|(64,64):(64,1)
""".replace("\n", "|").split("|")


def operations():
    """Pairs of a name and how many operands it takes."""
    text = subprocess.run(["cute-layout", "operations"], capture_output=True,
                          text=True, check=True).stdout
    forms = re.findall(r"^(\w+)\((.*?)\)", text, re.M)
    assert len(forms) > 100, text
    return [(name, len(operands.split(",")) if operands else 0)
            for name, operands in forms]


def cases(count, random_):
    """Three of four have as many operands as the operation takes."""
    operands = [text for text in OPERANDS if text]
    forms = operations()
    for i in range(count):
        name, n = random_.choice(forms)
        if not random_.randrange(4):
            n = random_.choice([0, 1, 1, 2, 2, 2, 3, 3, 4])
        yield {"id": i, "op": name,
               "args": [random_.choice(operands) for _ in range(n)]}


def fault(tool, batch):
    """What is wrong with the answers to a batch; None if nothing is."""
    lines = "".join(json.dumps(case) + "\n" for case in batch)
    try:
        done = subprocess.run([tool], input=lines, capture_output=True, text=True,
                              timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "takes longer than %d s" % SECONDS
    if done.returncode:
        return "exit code %d: %s" % (done.returncode, done.stderr[-1500:])
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    if [a.get("id") for a in answers] != [case["id"] for case in batch]:
        return "not one answer for each line"
    unknown = [a for a in answers if "unknown operation" in a.get("error", "")]
    if unknown:
        return "no such operation: %s" % unknown[0]
    empty = [a for a in answers if "result" not in a and not a.get("error")]
    return "neither a result nor a message: %s" % empty[0] if empty else None


def report(tool, batch):
    """Prints the lines at fault; returns how many there are."""
    what = fault(tool, batch)
    if not what:
        return 0
    if len(batch) == 1:
        print(json.dumps(batch[0]), what)
        return 1
    half = len(batch) // 2
    return report(tool, batch[:half]) + report(tool, batch[half:])


def main():
    tool, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    todo = list(cases(count, random.Random(seed)))
    failures = sum(report(tool, todo[i:i + BATCH]) for i in range(0, count, BATCH))
    print("%d lines, %d failures" % (count, failures))
    return failures != 0


if __name__ == "__main__":
    os.environ.setdefault("ASAN_OPTIONS", "detect_leaks=0")
    sys.exit(main())
