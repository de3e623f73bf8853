"""What a program of the scoreboard prints: lines of JSON."""
import json
import pathlib
import resource
import statistics
import time

TIMES = 5


def seconds():
    """Wall time, and processor time of the process and of its children, as ptxas."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter(), time.process_time() + children.ru_utime + children.ru_stime


def since(begin):
    return [round(now - then, 4) for now, then in zip(seconds(), begin)]


def imported(begin):
    print(json.dumps({"import": since(begin)}), flush=True)


def compiled(compile_one, folder):
    """Compiles kernels that differ; the first apart. A cubin must be in the folder."""
    taken = []
    for i in range(1 + TIMES):
        begin = seconds()
        compile_one(i)
        taken.append(since(begin))
    if not list(pathlib.Path(folder).rglob("*.cubin")):
        raise SystemExit("no cubin was written")
    later = [statistics.median(column) for column in zip(*taken[1:])]
    print(json.dumps({"first": taken[0], "later": later}), flush=True)


def mistake(gemm):
    """Runs a product whose barrier is missing where that can be done without a GPU."""
    import numpy
    from cutlass.cute.runtime import from_dlpack

    arrays = [numpy.ones((256, 256), numpy.float16) for _ in range(3)]
    try:
        gemm(*(from_dlpack(array, assumed_align=16) for array in arrays), False)
    except Exception as found:
        print(json.dumps({"mistake": str(found)}))
    else:
        print(json.dumps({"mistake": ""}))
