"""Counts the instructions that cutec takes for kernels of growing size, by valgrind,
and draws them: time that grows in proportion to the code is a straight line.

usage: linear.py CUTEC [PICTURE.svg]
"""
import os
import re
import subprocess
import sys
import tempfile

SIZES = (16, 32, 64, 128, 256)
COLORS = ("#1b6ca8", "#b5482a", "#3d8a3d", "#7a4fa3")

VECTOR = """
gpu.module @m {{
  gpu.func @k(%a: !cute.tensor<f32, gmem, align<16>, "{n}:1">) kernel {{
    %v = cute.load_vector(%a)
    %w = math.{function} %v : vector<{n}xf32>
    cute.store_vector(%w, %a)
    gpu.return
  }}
}}
"""
COPY = """
!t = !cute.tensor<f32, gmem, align<4>, "(?,?):({strides})">
gpu.module @m {{
  gpu.func @k(%a: !t, %b: !t) kernel {{
    %thread = cute.thread_idx
    %ids = cute.make_identity_tensor(%a)
    %rows = cute.static : !cute.layout<"(128,1):(1,0)">
    %ga = cute.local_tile(%a, (128,{n}), (0,0))
    %gb = cute.local_tile(%b, (128,{n}), (0,0))
    %gi = cute.local_tile(%ids, (128,{n}), (0,0))
    %ta = cute.local_partition(%ga, %rows, %thread)
    %tb = cute.local_partition(%gb, %rows, %thread)
    %ti = cute.local_partition(%gi, %rows, %thread)
    %shape = cute.get_shape(%a)
    %p = cute.make_predicate(%ti, %shape)
    %v = cute.load_vector(%ta, %p)
    cute.store_vector(%v, %tb, %p)
    gpu.return
  }}
}}
"""
# The name of a line, and the text of its kernels.
SERIES = (("erf of a vector", VECTOR, {"function": "erf"}),
          ("copy of predicated elements", COPY, {"strides": "?{i64},1"}))


def instructions(cutec, text):
    """Millions of instructions from a kernel's text to PTX."""
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "kernel.mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        log = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no",
             "--cachegrind-out-file=/dev/null", cutec, source, "--arch=sm_80",
             "--no-manifest", "-o", os.path.join(folder, "kernel.ptx")],
            check=True, capture_output=True, text=True).stderr
    count = re.search(r"I *refs: *([0-9,]+)", log).group(1)
    return int(count.replace(",", "")) / 1e6


def svg(rows):
    """A picture of (name, [(elements, millions)]), elements along x."""
    width, height, left, low = 640, 360, 60, 320
    most = max(y for _, points in rows for _, y in points)
    top = -(-most // 100) * 100
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']

    def at(x, y):
        return (left + x / max(SIZES) * (width - left - 20),
                low - y / top * (low - 20))

    for i in range(6):
        y = at(0, top * i / 5)[1]
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y:.1f}" y2="{y:.1f}" '
                   'stroke="#ddd"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">'
                   f'{top * i / 5:.0f}</text>')
    for size in SIZES:
        out.append(f'<text x="{at(size, 0)[0]:.1f}" y="{low + 18}" '
                   f'text-anchor="middle">{size}</text>')
    for i, (name, points) in enumerate(rows):
        line = " ".join("%.1f,%.1f" % at(*point) for point in points)
        out.append(f'<polyline points="{line}" fill="none" stroke="{COLORS[i]}" '
                   'stroke-width="2"/>')
        for point in points:
            out.append('<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>'
                       % (*at(*point), COLORS[i]))
        out.append(f'<text x="{left + 16}" y="{34 + 18 * i}" fill="{COLORS[i]}">'
                   f'{name}</text>')
    out.append(f'<text x="{width / 2:.0f}" y="{height - 6}" text-anchor="middle">'
               'elements; millions of instructions from text to PTX</text>')
    return "\n".join(out + ["</svg>", ""])


def main():
    rows = []
    for name, text, parameters in SERIES:
        points = [(n, instructions(sys.argv[1], text.format(n=n, **parameters)))
                  for n in SIZES]
        rows.append((name, points))
        print(f"{name:36}" + "".join(f"{y:8.0f}" for _, y in points), flush=True)
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="utf-8") as file:
            file.write(svg(rows))


if __name__ == "__main__":
    main()
