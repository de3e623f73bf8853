"""Compiles kernels for this machine and a program that runs them.

usage: simulate.py KERNELS.ll PROGRAM.c OUTPUT [--races] [OPTIONS OF CC]

KERNELS.ll is what `cutec --emit=llvm` writes. Its intrinsics become calls of
functions of simulate.h, for tensor cores of simulate_mma.h, and conversions of small
floats of simulate_cvt.h; address spaces mean nothing to this machine, but addresses in
shared memory have 32 bits, as a program without position-independent code has. Shared
memory begins as NaNs. With --races what kernels load and store is checked by
simulate_races.h.
"""
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", ".."))
import kept  # noqa: E402

CALLS = {
    "llvm.nvvm.read.ptx.sreg.tid.x": "sim_tid_x",
    "llvm.nvvm.read.ptx.sreg.ntid.x": "sim_ntid_x",
    "llvm.nvvm.read.ptx.sreg.ntid.y": "sim_one",
    "llvm.nvvm.read.ptx.sreg.ntid.z": "sim_one",
    "llvm.nvvm.read.ptx.sreg.ctaid.x": "sim_ctaid_x",
    "llvm.nvvm.read.ptx.sreg.ctaid.y": "sim_ctaid_y",
    "llvm.nvvm.read.ptx.sreg.ctaid.z": "sim_ctaid_z",
    "llvm.nvvm.read.ptx.sreg.nctaid.x": "sim_nctaid_x",
    "llvm.nvvm.read.ptx.sreg.nctaid.y": "sim_nctaid_y",
    "llvm.nvvm.barrier.cta.sync.aligned.all": "sim_barrier",
    "llvm.nvvm.shfl.sync.bfly.f32": "sim_bfly_f32",
    "llvm.nvvm.shfl.sync.bfly.f32p": "sim_bfly_f32p",
    "llvm.nvvm.vote.any.sync": "sim_vote_any",
    "llvm.nvvm.lg2.approx.f": "log2f",
    "llvm.nvvm.ex2.approx.ftz.f32": "exp2f",
    "llvm.nvvm.rsqrt.approx.f": "sim_rsqrt",
}
HELPERS = """
declare void @sim_red_add_f32(ptr, float)
declare i64 @sim_bfly(i32, i32, i32, i32)
declare i32 @sim_any(i32, i32)
declare float @sqrtf(float)
define { float, i1 } @sim_bfly_f32p(i32 %m, float %v, i32 %l, i32 %c) {
  %a = bitcast float %v to i32
  %b = call i64 @sim_bfly(i32 %m, i32 %a, i32 %l, i32 %c)
  %w = trunc i64 %b to i32
  %f = bitcast i32 %w to float
  %h = lshr i64 %b, 32
  %p = trunc i64 %h to i1
  %s = insertvalue { float, i1 } poison, float %f, 0
  %t = insertvalue { float, i1 } %s, i1 %p, 1
  ret { float, i1 } %t
}
define float @sim_bfly_f32(i32 %m, float %v, i32 %l, i32 %c) {
  %s = call { float, i1 } @sim_bfly_f32p(i32 %m, float %v, i32 %l, i32 %c)
  %r = extractvalue { float, i1 } %s, 0
  ret float %r
}
define i1 @sim_vote_any(i32 %m, i1 %v) {
  %w = zext i1 %v to i32
  %r = call i32 @sim_any(i32 %m, i32 %w)
  %p = trunc i32 %r to i1
  ret i1 %p
}
define float @sim_rsqrt(float %x) {
  %s = call float @sqrtf(float %x)
  %r = fdiv float 1.0, %s
  ret float %r
}
"""
# The same for kernels with tensor cores.
MMA_CALLS = {
    "llvm.nvvm.mma.m16n8k16.row.col.f32.f32": "sim_mma_16x8x16",
    "llvm.nvvm.mma.m8n8k4.row.col.f64": "sim_mma_8x8x4",
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3": "sim_ldmatrix",
    "llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3": "sim_ldmatrix_trans",
    "llvm.nvvm.cp.async.cg.shared.global.16": "sim_cp_async_all_16",
    "llvm.nvvm.cp.async.ca.shared.global.16": "sim_cp_async_all_16",
    "llvm.nvvm.cp.async.ca.shared.global.8": "sim_cp_async_all_8",
    "llvm.nvvm.cp.async.ca.shared.global.4": "sim_cp_async_all_4",
    "llvm.nvvm.cp.async.cg.shared.global.16.s": "sim_cp_async_16",
    "llvm.nvvm.cp.async.ca.shared.global.16.s": "sim_cp_async_16",
    "llvm.nvvm.cp.async.ca.shared.global.8.s": "sim_cp_async_8",
    "llvm.nvvm.cp.async.ca.shared.global.4.s": "sim_cp_async_4",
    "llvm.nvvm.cp.async.commit.group": "sim_cp_async_commit",
    "llvm.nvvm.cp.async.wait.group": "sim_cp_async_wait",
}
MMA_HELPERS = """
declare void @sim_ldmatrix_x4(ptr, ptr)
declare void @sim_ldmatrix_x4_trans(ptr, ptr)
declare void @sim_cp_async_16(ptr, ptr, i32)
declare void @sim_cp_async_8(ptr, ptr, i32)
declare void @sim_cp_async_4(ptr, ptr, i32)
define void @sim_cp_async_all_16(ptr %to, ptr %from) {
  call void @sim_cp_async_16(ptr %to, ptr %from, i32 16)
  ret void
}
define void @sim_cp_async_all_8(ptr %to, ptr %from) {
  call void @sim_cp_async_8(ptr %to, ptr %from, i32 8)
  ret void
}
define void @sim_cp_async_all_4(ptr %to, ptr %from) {
  call void @sim_cp_async_4(ptr %to, ptr %from, i32 4)
  ret void
}
declare void @sim_cp_async_commit()
declare void @sim_cp_async_wait(i32)
define void @sim_cp_async_wait_all() {
  call void @sim_cp_async_wait(i32 -1)
  ret void
}
define { i32, i32, i32, i32 } @sim_ldmatrix(ptr %row) {
  %d = alloca { i32, i32, i32, i32 }
  call void @sim_ldmatrix_x4(ptr %row, ptr %d)
  %r = load { i32, i32, i32, i32 }, ptr %d
  ret { i32, i32, i32, i32 } %r
}
define { i32, i32, i32, i32 } @sim_ldmatrix_trans(ptr %row) {
  %d = alloca { i32, i32, i32, i32 }
  call void @sim_ldmatrix_x4_trans(ptr %row, ptr %d)
  %r = load { i32, i32, i32, i32 }, ptr %d
  ret { i32, i32, i32, i32 } %r
}
"""

# cp.async with a condition, where it reads or where it does not.
ZERO_FILL = """
define void @sim_cp_async_{kind}_{bytes}(ptr %to, ptr %from, i1 %c) {{
  %n = select i1 %c, i32 {true}, i32 {false}
  call void @sim_cp_async_{bytes}(ptr %to, ptr %from, i32 %n)
  ret void
}}
"""
for width in (4, 8, 16):
    MMA_HELPERS += ZERO_FILL.format(kind="if", bytes=width, true=width, false=0)
    MMA_HELPERS += ZERO_FILL.format(kind="unless", bytes=width, true=0, false=width)

# Products: the name of the call, the function of simulate_mma.h, and the registers of
# A, B and C as their number and type. D is as C.
PRODUCTS = [
    ("sim_mma_16x8x16", "sim_mma_f16",
     [(4, "<2 x half>"), (2, "<2 x half>"), (4, "float")]),
    ("sim_mma_16x8x32_e4m3", "sim_mma_e4m3", [(4, "i32"), (2, "i32"), (4, "float")]),
    ("sim_mma_8x8x4", "sim_mma_f64", [(1, "double"), (1, "double"), (2, "double")]),
]


def product_helper(name, function, operands):
    """A function that hands registers on as arrays."""
    names, lines = [], []
    for letter, (count, kind) in zip("abc", operands):
        lines.append(f"%{letter} = alloca [{count} x {kind}]")
        for i in range(count):
            names.append(f"{kind} %{letter}{i}")
            lines += [f"%{letter}{i}p = getelementptr {kind}, ptr %{letter}, i32 {i}",
                      f"store {kind} %{letter}{i}, ptr %{letter}{i}p"]
    count, kind = operands[2]
    result = "{ " + ", ".join(count * [kind]) + " }"
    lines += [f"%d = alloca {result}",
              f"call void @{function}(ptr %a, ptr %b, ptr %c, ptr %d)",
              f"%r = load {result}, ptr %d", f"ret {result} %r"]
    body = "\n  ".join(lines)
    return (f"declare void @{function}(ptr, ptr, ptr, ptr)\n"
            f"define {result} @{name}({', '.join(names)}) {{\n  {body}\n}}\n")


def poison(match):
    """Bytes of shared memory that are NaNs as floats of any width."""
    count = int(match.group(1)) or 1 << 17
    return f'global [{count} x i8] c"' + count * "\\FF" + '"'


def conversions(text):
    """cvt of small floats as calls of simulate_cvt.h, their operands in the order
    of the instruction."""
    declared = {}

    def call(match):
        result, mnemonic, order, values = match.groups()
        name = "@sim_" + re.sub(r"\W", "_", mnemonic)
        values = values.split(", ")
        operands = [values[int(i) - 1] for i in re.findall(r"\$(\d)", order)]
        types = ", ".join(value.split()[0] for value in operands)
        declared[name] = f"declare {result} {name}({types})\n"
        return f"call {result} {name}({', '.join(operands)})"

    text = re.sub(r'call (i\d+) asm "(cvt[\w.]+) \$0, ([^;]*);", "[^"]*"\(([^)]*)\)',
                  call, text)
    return text + "".join(declared.values())


def zero_fill(match):
    """cp.async that reads nothing where a condition is true, or false if the text has
    a `not`."""
    text, operands = match.groups()
    size = re.search(r"\$1, (\d+), ", text).group(1)
    kind = "if" if "not.pred" in text else "unless"
    operands = operands.replace(" elementtype(i8)", "")
    return f"call void @sim_cp_async_{kind}_{size}({operands})"


ATOM = re.compile(r'call (\{[^}]*\}) asm (?:sideeffect )?"mma\.[^"]*", "[^"]*"'
                  r"\((.*)\)")


def atom_helper(match):
    """A function with the types of a call of inline PTX for a warp: its operands as
    words to sim_atom_words, which the program has."""
    result, operands = match.groups()
    types = [operand.split()[0] for operand in operands.split(",")]
    lines = [f"%a = alloca [{len(types)} x i32]", f"%d = alloca {result}"]
    for i, kind in enumerate(types):
        lines += [f"%p{i} = getelementptr i32, ptr %a, i32 {i}",
                  f"store {kind} %x{i}, ptr %p{i}"]
    lines += ["call void @sim_atom_words(ptr %a, ptr %d)",
              f"%r = load {result}, ptr %d", f"ret {result} %r"]
    names = ", ".join(f"{kind} %x{i}" for i, kind in enumerate(types))
    body = "\n  ".join(lines)
    return (f"declare void @sim_atom_words(ptr, ptr)\n"
            f"define {result} @sim_atom({names}) {{\n  {body}\n}}\n")


def main():
    source, program, output, *options = sys.argv[1:]
    races = "--races" in options
    with open(source) as file:
        text = file.read()
    text = re.sub(r"target (triple|datalayout) = .*\n", "", text)
    text = re.sub(r' "target-(cpu|features)"="[^"]*"', "", text)
    text = text.replace("ptx_kernel ", "")
    text = re.sub(r" addrspace\(\d\)", "", text)
    text = re.sub(r"^declare .*@llvm\.nvvm\..*\n", "", text, flags=re.M)
    text = text.replace("@vprintf(", "@sim_vprintf(")
    text = re.sub(r'asm sideeffect "red\.global\.add\.f32 [^"]*", "[^"]*"',
                  "@sim_red_add_f32", text)
    text = re.sub(r'asm sideeffect "mov\.u32 \$0, %tid\.x;", "=r"',
                  "@llvm.nvvm.read.ptx.sreg.tid.x", text)
    text = re.sub(r'asm "mma\.sync\.aligned\.m16n8k32\.row\.col\.f32\.e4m3\.e4m3\.f32 '
                  r'[^"]*", "[^"]*"(\([^)]*\)) #\d+', r"@sim_mma_16x8x32_e4m3\1", text)
    text = re.sub(r'asm sideeffect "cp\.async\.wait_all;[^"]*", "[^"]*"',
                  "@sim_cp_async_wait_all", text)
    text = re.sub(r'call void asm sideeffect "([^"]*cp\.async\.[^"]*)", "[^"]*,b,[^"]*"'
                  r"\(((?:[^()]|\([^()]*\))*)\)", zero_fill, text)
    text = conversions(text)
    text = re.sub(r"@(\w+_smem) = (?:external|internal)", r"@\1 = internal", text)
    text = re.sub(r"global \[(\d+) x i8\](?: undef)?(?=, align)", poison, text)
    calls, helpers = dict(CALLS), HELPERS
    if any("@" + name in text for name in MMA_CALLS):
        calls.update(MMA_CALLS)
        helpers += MMA_HELPERS + "".join(product_helper(*row) for row in PRODUCTS)
    if ATOM.search(text):
        helpers += atom_helper(ATOM.search(text))
        text = ATOM.sub(r"call \1 @sim_atom(\2)", text)
    # Calls may not be moved or merged: they may change coroutines.
    text = re.sub(r"@(llvm\.nvvm\.[\w.]+)",
                  lambda m: "@" + calls[m.group(1)], text)
    defined = set(re.findall(r"(?:define|declare) .*@(\w+)\(", helpers))
    types = {"sim_barrier": "void @sim_barrier(i32)",
             "log2f": "float @log2f(float)",
             "exp2f": "float @exp2f(float)"}
    text += helpers
    for name in sorted(set(calls.values()) - defined):
        text += "declare " + types.get(name, f"i32 @{name}()") + "\n"
    if races:
        options[options.index("--races")] = "-DSIM_RACES"
        text = re.sub(r"^(define .*\)) ([^)]*\{)$", r"\1 sanitize_thread \2", text,
                      flags=re.M)
    name = kept.key(text, kept.identity("llc"), kept.identity("cc"), *options,
                    kept.read(program),
                    *(kept.read(os.path.join(HERE, file))
                      for file in sorted(os.listdir(HERE))
                      if file.endswith((".h", ".c", "simulate.py"))))
    if kept.take(name, output):
        return
    build(text, program, output, options, races)
    kept.keep(name, output)


def build(text, program, output, options, races):
    """Compiles both for this machine."""
    with open(output + ".host.ll", "w") as file:
        file.write(text)
    if races:
        subprocess.run(["opt", "-passes=tsan", output + ".host.ll", "-o",
                        output + ".host.ll"], check=True)
    subprocess.run(["llc", "-O1", "-relocation-model=static", "-filetype=obj",
                    output + ".host.ll", "-o", output + ".o"], check=True)
    subprocess.run(["cc", "-O2", "-U_FORTIFY_SOURCE", "-w", "-no-pie", *options, program, output + ".o", "-lm",
                    "-o", output], check=True)


if __name__ == "__main__":
    main()
