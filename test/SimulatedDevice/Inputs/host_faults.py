"""Runs kernels that would end a process of the host, and looks that each ends as it should.

usage: host_faults.py CUTE_RUN FOLDER

A case is the body of a kernel of 32 threads, with %v, a zero that was read from
memory, %p, its address, %i, the thread, and %c0, %c1 and %far; the text beside the kernel, after
`---`; and what cute-run says, or the values that a tensor then has at its start.
"""
import pathlib
import re
import subprocess
import sys

KERNEL = """
!t = !cute.tensor<i32, gmem, align<16>, "32:1">
gpu.module @m {
  %s
  gpu.func @k(%%t: !t) kernel attributes {known_block_size = array<i32: 32, 1, 1>, cute.grid = ["%s"]} {
    %%i = cute.thread_idx
    %%p0 = cute.get_iter(%%t)
    %%a = cute.ptr_to_int(%%p0)
    %%p = llvm.inttoptr %%a : i64 to !llvm.ptr
    %%c0 = arith.constant 0 : i32
    %%c1 = arith.constant 1 : i32
    %%far = arith.constant 1000000 : i32
    %%v = llvm.load volatile %%p : !llvm.ptr -> i32
    %s
    gpu.return
  }
}
"""
STORE = "llvm.store %z, %p : i32, !llvm.ptr"
ZERO = "an integer is divided by zero"
ALLOCATE = "%n = arith.constant 16 : i32\n%s = llvm.alloca %n x i32 : (i32) -> !llvm.ptr\n"
LOCAL = """%e = llvm.getelementptr %s[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store volatile %c1, %e : i32, !llvm.ptr"""
WILD = "%w = arith.constant 4096 : i64\n"
CASES = [
    ("%m = arith.constant -2147483648 : i32\n%n = arith.subi %v, %c1 : i32\n%z = arith.divsi %m, %n : i32\n" + STORE,
     "or the least one by -1"),
    ("%w = vector.broadcast %v : i32 to vector<4xi32>\n%u = vector.broadcast %far : i32 to vector<4xi32>\n"
     "%x = arith.divui %u, %w : vector<4xi32>\n%z = vector.extract %x[2] : i32 from vector<4xi32>\n" + STORE, ZERO),
    ('"llvm.intr.trap"() : () -> ()', "trap: the kernel ends itself"),
    ('"llvm.intr.debugtrap"() : () -> ()', "trap: the kernel ends itself"),
    ("%z = arith.cmpi eq, %v, %c0 : i32\ncf.cond_br %z, ^b, ^b\n^b:\n%f = llvm.call @never() : () -> i32"
     "--- llvm.func @never() -> i32 attributes {no_inline} { llvm.unreachable }",
     "the program says that no thread gets here|trap"),
    ("llvm.call @exit(%c1) : (i32) -> ()--- llvm.func @exit(i32)", "the simulator does not know exit"),
    ("%q = llvm.inttoptr %a : i64 to !llvm.ptr\nllvm.call %q() : !llvm.ptr, () -> ()",
     "the simulator does not know calls of functions by pointers"),
    ('%x = llvm.mlir.poison : vector<4xi32>\n%m = llvm.icmp "eq" %v, %c0 : i32\n'
     '%k = vector.broadcast %m : i1 to vector<4xi1>\n'
     '"llvm.intr.masked.store"(%x, %p, %k) <{alignment = 4 : i32}> : '
     "(vector<4xi32>, !llvm.ptr, vector<4xi1>) -> ()", "the simulator does not know llvm.masked.store"),
    (ALLOCATE + "%x = arith.addi %v, %far : i32\n" + LOCAL, "at byte 4000000 of a variable of 64 bytes"),
    (ALLOCATE + "%x = arith.subi %v, %far : i32\n" + LOCAL, "at byte -4000000 of a variable of 64 bytes"),
    (ALLOCATE + "%b = arith.constant 16 : i32\n%x = arith.addi %v, %b : i32\n" + LOCAL, "at byte 64 of a variable"),
    ("%n = arith.constant 100000 : i32\n%s = llvm.alloca %n x i32 : (i32) -> !llvm.ptr\n"
     "%b = arith.constant 99999 : i32\n%x = arith.addi %v, %b : i32\n" + LOCAL, None),
    ("%n = arith.addi %v, %far : i32\n%s = llvm.alloca %n x i64 : (i32) -> !llvm.ptr\n"
     "llvm.store volatile %c1, %s : i32, !llvm.ptr", "needs more than [0-9]+ bytes of local memory"),
    ("%z = llvm.call @again(%v) : (i32) -> i32\n" + STORE + """---
     llvm.func @again(%n: i32) -> i32 attributes {no_inline} {
       %k = llvm.mlir.constant(16 : i32) : i32
       %s = llvm.alloca %k x i32 : (i32) -> !llvm.ptr
       llvm.store volatile %n, %s : i32, !llvm.ptr
       %r = llvm.call @again(%n) : (i32) -> i32
       %x = llvm.load volatile %s : !llvm.ptr -> i32
       %y = llvm.add %r, %x : i32
       llvm.return %y : i32
     }""", "needs more than [0-9]+ bytes of local memory; a function may call itself"),
    ("%e = llvm.mlir.addressof @g : !llvm.ptr<1>\n%x = arith.addi %v, %far : i32\n"
     "%q = llvm.getelementptr %e[%x] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32\n"
     "llvm.store volatile %c1, %q : i32, !llvm.ptr<1>---llvm.mlir.global internal @g(dense<0> : tensor<4xi32>)"
     " {addr_space = 1 : i32} : !llvm.array<4 x i32>", "of a variable of 16 bytes"),
    ("%n = arith.constant 100000000 : i64\n%q = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32\n"
     '"llvm.intr.memmove"(%q, %p, %n) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i64) -> ()',
     "reads 100000000 bytes of global memory at .* only 128 of them in an allocation of 128 bytes"),
    ("%n = arith.constant 100000000 : i64\n%b = arith.constant 1 : i8\n"
     '"llvm.intr.memset"(%p, %b, %n) <{isVolatile = true}> : (!llvm.ptr, i8, i64) -> ()',
     "writes 100000000 bytes of global memory"),
    *((WILD + f"%q = llvm.inttoptr %w : i64 to !llvm.ptr{space}\n{access}", "out of bounds: .* at 0x1000, ")
      for space, access in (
          ("", "llvm.store volatile %c1, %q : i32, !llvm.ptr"),
          ("<1>", "llvm.store volatile %c1, %q : i32, !llvm.ptr<1>"),
          ("<3>", "llvm.store volatile %c1, %q : i32, !llvm.ptr<3>"),
          ("<4>", "%z = llvm.load volatile %q : !llvm.ptr<4> -> i32"),
          ("<5>", "llvm.store volatile %c1, %q : i32, !llvm.ptr<5>"),
          ("", "%z = llvm.atomicrmw add %q, %c1 monotonic : !llvm.ptr, i32"))),
    *((WILD + f'llvm.inline_asm has_side_effects "{text}", "l" %w : (i64) -> ()', "out of bounds: .* at 0x1000, ")
      for text in ("{ .reg .b32 r; ld.global.u32 r, [$0]; }", "st.global.u32 [$0], 1;",
                   "red.global.add.u32 [$0], 1;")),
    ('llvm.inline_asm has_side_effects "{ l: bra l; }", "" : () -> ()', "runs for longer"),
    ("cf.br ^b\n^b:\ncf.br ^b\n^c:", "runs for longer"),
    ("cf.br ^b\n^b:\n%x = llvm.load volatile %p : !llvm.ptr -> i32\n"
     "%y = arith.cmpi eq, %x, %far : i32\ncf.cond_br %y, ^c, ^b\n^c:", "runs for longer"),
    ('%y = arith.cmpi ne, %i, %c1 : i32\ncf.cond_br %y, ^b, ^c\n^b:\n'
     'llvm.inline_asm has_side_effects "exit;", "" : () -> ()\ncf.br ^c\n^c:\n'
     '%e = llvm.getelementptr %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32\n'
     'llvm.store %c1, %e : i32, !llvm.ptr', [0, 1, 0]),
]
WITHOUT_CHECKS = [
    (WILD + "%q = llvm.inttoptr %w : i64 to !llvm.ptr\nllvm.store volatile %c1, %q : i32, !llvm.ptr",
     "out of bounds: touches memory at 0x1000, where there is none; with checks"),
]


def main():
    cute_run, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    cases = [(*case, "on", "1") for case in CASES] + [("", "runs for longer", "off", "2000000000")]
    cases += [(*case, "off", "1") for case in WITHOUT_CHECKS]
    failed = 0
    for n, (text, wanted, checks, grid) in enumerate(cases):
        body, _, beside = text.partition("---")
        file = folder / f"case{n}.mlir"
        file.write_text(KERNEL % (beside, grid, body), encoding="utf-8")
        values = isinstance(wanted, list)
        done = subprocess.run(
            [cute_run, "--device=sim", f"--timeout={0.5 if 'runs for longer' in (wanted or ()) else 60}", f"--checks={checks}", str(file), "i32[32]:zeros",
             *(["--output", f"0={file}.npy"] if values else [])],
            capture_output=True, text=True, check=False)
        if values:
            found = [int.from_bytes(file.with_suffix(".mlir.npy").read_bytes()[-128:][4 * i:4 * i + 4], "little",
                                    signed=True) for i in range(len(wanted))] if not done.returncode else None
            right = found == wanted
        else:
            found = done.returncode
            right = found == (0 if wanted is None else 1) and (
                wanted is None or re.search(wanted, done.stderr))
        failed += not right
        if not right:
            print(f"{text}\n-> {found}, not {wanted}: {done.stderr}")
    print(f"{len(cases)} cases, {failed} wrong")


if __name__ == "__main__":
    main()
