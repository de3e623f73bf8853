"""Compares a plain convolution with float64, and what passes make of it with its bits, for
images and filters at random.

usage: plain_conv.py CUTE-RUN KERNEL PREFIX COUNT SEED [STEP]
"""
import operator
import random
import subprocess
import sys

from plain_grouped import load


def choose(generator, step):
    """(images, rows, columns, channels), (filters, rows, columns), pad, dilation and step."""
    image = (generator.choice([1, 2, 3]), generator.randrange(1, 20), generator.randrange(1, 36), 8 * generator.choice([1, 2, 9]))
    pad, dilation = generator.choice([0, 1, 1, 2]), generator.choice([1, 1, 2])
    most = [(extent + 2 * pad - 1) // dilation + 1 for extent in image[1:3]]
    filters = (8 * generator.choice([1, 2, 17]), *(generator.randrange(1, 1 + min(3, m)) for m in most))
    return image, filters, pad, dilation, step


def result_of(image, filters, pad, dilation, step):
    """The extents of the result."""
    p, q = ((extent + 2 * pad - dilation * (taps - 1) - 1) // step + 1 for extent, taps in zip(image[1:3], filters[1:]))
    return image[0], p, q, filters[0]


def run(tool, kernel, case, prefix, options):
    """The bytes of the result; files have the tensors."""
    image, filters, pad, dilation, _ = case
    shapes = ["x".join(map(str, shape)) for shape in (image, (*filters, image[3]), result_of(*case))]
    tensors = [f"f16[{shape}]:{generator}" for shape, generator in zip(shapes, ("normal(1)", "normal(2)", "poison"))]
    outputs = [f"--output={i}={prefix}.{i}.npy" for i in range(3)]
    done = subprocess.run([tool, "--device=sim", "--arch=sm_90a", *options, kernel, *tensors, str(pad), str(dilation), *outputs],
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{case} {options}: {done.stdout}{done.stderr}")
    return load(f"{prefix}.2.npy")[0]


def is_wrong(prefix, generator, image, filters, pad, dilation, step):
    """Whether one of 300 elements at random is further from float64 than rounding allows."""
    a, b, d = [load(f"{prefix}.{i}.npy")[1] for i in range(3)]
    _, h, w, c = image
    _, rows, columns = filters
    extents = result_of(image, filters, pad, dilation, step)
    for _ in range(300):
        n, p, q, k = (generator.randrange(extent) for extent in extents)
        exact = 0
        for r in range(rows):
            for s in range(columns):
                y, x = step * p + dilation * r - pad, step * q + dilation * s - pad
                if 0 <= y < h and 0 <= x < w:
                    at, tap = ((n * h + y) * w + x) * c, ((k * rows + r) * columns + s) * c
                    exact += sum(map(operator.mul, a[at:at + c], b[tap:tap + c]))
        if not abs(d[((n * extents[1] + p) * extents[2] + q) * extents[3] + k] - exact) <= 1e-3 * (1 + abs(exact)):
            return True
    return False


def main():
    tool, kernel, prefix, count, seed, *step = sys.argv[1:]
    generator = random.Random(int(seed))
    differ = wrong = 0
    for _ in range(int(count)):
        case = choose(generator, int(step[0]) if step else 1)
        plain = run(tool, kernel, case, prefix, [])
        wrong += is_wrong(prefix, generator, *case)
        order = ["--passes=cute-optimize", f"--schedule={generator.randrange(99)}", f"--grid={generator.randrange(1, 6)}"]
        if run(tool, kernel, case, prefix, order) != plain:
            differ += 1
            print(f"{case} {order}: other bits")
    print(f"{wrong} of {count} wrong, {differ} differ")


if __name__ == "__main__":
    main()
