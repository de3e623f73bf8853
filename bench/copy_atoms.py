"""A kernel for each copy atom of `cutec --list-hardware=json`, and what it computes.

One warp moves all that the atom's threads move at once, from A to B: each thread
takes its part of A by the atom's source layout and puts what the atom gave it to
its part of B by the destination layout, so that B is A again, if every value came
from and went to the right thread. Where the atom goes through shared memory, or
only there, threads read what others wrote. Additions come twice, on zeros.
"""
import re

import mma_atoms

# A type of the elements, where it is not f16.
ELEMENTS = {"UniversalCopy<uint1_t>": "ui1", "UniversalCopy<uint2_t>": "ui2",
            "UniversalCopy<uint4_t>": "i4", "UniversalCopy<uint8_t>": "i8",
            "AutoVectorizingCopyWithAssumedAlignment<8>": "i8"}
# Alignments that the kernel promises, for atoms that ask for more or less.
ALIGN = {"AutoVectorizingCopyWithAssumedAlignment<8>": 1,
         "AutoVectorizingCopyWithAssumedAlignment": 2, "DefaultCopy": 2}
LANES = 32


def element(atom):
    if atom["name"].startswith(("SM100_U8x", "SM100_SU")):
        return "ui8"
    return atom.get("ValType") or ELEMENTS.get(atom["name"], "f16")


def bits_of(element_type):
    """Bits in memory of a type whose name has them."""
    return int(re.search(r"\d+", element_type)[0])


def threads(atom):
    return mma_atoms.size(atom["RefLayout"])[0]


def values(atom):
    """Values of a thread, of those below a byte more than one atom has."""
    bits = bits_of(element(atom))
    if atom["bits"] < 8:
        return (32 if atom["bits"] else 128) // bits
    return mma_atoms.size(atom["RefLayout"])[1] // bits


def elements(atom):
    """All that a warp moves."""
    return values(atom) * LANES


def kind(atom):
    """What is around the atom, by its instruction."""
    first = atom["instruction"].split(".")[0]
    if not first:
        return "whole" if not atom["bits"] else (
            "bits" if atom["bits"] < 8 else "universal")
    return first if first != "cp" else "cp_async"


def moves(name):
    return f"UniversalCopy<uint{name}_t>"


def body(atom):
    """The lines between the partitions and the end."""
    move = {
        # Lane t reads and writes what lane 31 - t has written.
        "universal": ["cute.copy(%c, %sA, %dS)", "gpu.barrier",
                      "cute.copy(%c, %oS, %r)", "cute.copy(%c, %r, %oB)"],
        "bits": ["cute.autovec_copy(%sA, %r)", "cute.copy(%c, %r, %q)",
                 "cute.autovec_copy(%q, %dB)"],
        "whole": ["cute.copy(%c, %sA, %r)", "cute.copy(%c, %r, %dB)"],
        "cp_async": ["cute.copy(%c, %sA, %dS)", "cute.cp_async_wait_all",
                     "gpu.barrier", "cute.autovec_copy(%oS, %oB)"],
        "ld": ["cute.copy(%c, %sA, %r)", "cute.basic_copy(%r, %dB)"],
        "st": ["cute.basic_copy(%sA, %r)", "cute.copy(%c, %r, %dB)"],
        "ldmatrix": ["cute.autovec_copy(%lA, %lS)", "gpu.barrier",
                     "cute.copy(%c, %sS, %r)", "cute.basic_copy(%r, %dB)"],
        "stmatrix": ["cute.basic_copy(%sA, %r)", "cute.copy(%c, %r, %dS)",
                     "gpu.barrier", "cute.autovec_copy(%lS, %lB)"],
        "movmatrix": ["cute.basic_copy(%sA, %r)", "cute.copy(%c, %r, %q)",
                      "cute.basic_copy(%q, %dB)"],
        "shfl": ["cute.basic_copy(%sA, %r)", "cute.copy(%c, %r, %q)",
                 "cute.basic_copy(%q, %dB)"],
        "red": ["cute.basic_copy(%sA, %r)", "cute.copy(%c, %r, %dB)",
                "cute.copy(%c, %r, %dB)"],
    }[kind(atom)]
    return move


def definitions(atom):
    n, lanes = values(atom), LANES
    memory = f'!cute.layout<"({elements(atom)}):(1)">'
    e = element(atom)
    lane = f'!cute.layout<"({n},{lanes}):(1,{n})">'
    # Each lane has its own where an atom is of one thread; values are side by side.
    tv = (['%tv = cute.get_tv_layout<"TV"> (%a)'] if threads(atom) > 1 else
          [f'%tv = cute.static : !cute.layout<"({lanes},{n}):({n},1)">'])
    # movmatrix transposes the 8x8 matrix whose lanes each have two elements of
    # a row: what B sees as transposed is A.
    out = "%B"
    extra = []
    if kind(atom) == "movmatrix":
        extra = ['%p = cute.get_iter(%B)',
                 '%x = cute.static : !cute.layout<"((8,8)):((8,1))">',
                 '%turned = cute.make_tensor(%p, %x)']
        out = "%turned"
    return {
        "first": tv + extra + [
            f'%tile = cute.static : !cute.shape<"({elements(atom)})">',
            "%c = cute.make_tiled_copy(%a, %tv, %tile)"],
        "%S": [f"%m = cute.static : {memory}",
               f"%S = cute.alloc_smem<{e}, 16> (%m)"],
        "%sA": ["%sA = cute.partition_s(%c, %A, %i)"],
        "%dB": [f"%dB = cute.partition_d(%c, {out}, %i)"],
        "%sS": ["%sS = cute.partition_s(%c, %S, %i)"],
        "%dS": ["%dS = cute.partition_d(%c, %S, %i)"],
        "%oS": ["%oS = cute.partition_s(%c, %S, %other)"],
        "%oB": ["%oB = cute.partition_d(%c, %B, %other)"],
        "%l": [f"%lane = cute.static : {lane}",
               f'%row = cute.make_coord(%i) : (i32) -> !cute.coord<"(_,?)">'],
        "%r": [f"%shape = cute.static : !cute.layout<\"{register(atom)}\">",
               f"%r = cute.make_fragment<{e}> (%shape)"],
        "%q": [f"%q = cute.make_fragment<{e}> (%shape)"],
    }


def register(atom):
    parts = (1, values(atom)) if kind(atom) == "bits" else (values(atom), 1)
    return f"(({parts[0]},{parts[1]}))"


def by_lanes(atom, name):
    """Lane t's elements of a tensor, side by side."""
    return [f"%p{name} = cute.get_iter(%{name})",
            f"%t{name} = cute.make_tensor(%p{name}, %lane)",
            f"%l{name} = cute.slice(%t{name}, %row)"]


def kernel(atom):
    lines, text = [], "\n".join(body(atom))
    uses = definitions(atom)
    lines += uses["first"]
    if re.search(r"%\w*S\b", text):
        lines += uses["%S"]
    if re.search(r"%l[ASB]\b", text):
        lines += uses["%l"]
        for name in "ASB":
            if f"%l{name}" in text:
                lines += by_lanes(atom, name)
    for name in ["%sA", "%dB", "%sS", "%dS", "%oS", "%oB", "%r", "%q"]:
        if re.search(name + r"\b", text):
            lines += uses[name]
    lines += body(atom)
    e, n = element(atom), elements(atom)
    align = next((bytes_ for name, bytes_ in ALIGN.items()
                  if atom["name"].startswith(name)), max(16, atom["bits"] // 8))
    tensor = f'!cute.tensor<{e}, gmem, align<{align}>, "({n}):(1)">'
    inside = "\n    ".join(lines)
    return f"""  gpu.func @{mma_atoms.symbol(atom["name"])}(%A: {tensor}, %B: {tensor}) kernel attributes {{
      known_block_size = array<i32: {LANES}, 1, 1>, cute.grid = ["1"]}} {{
    %thread = gpu.thread_id x
    %i = arith.index_cast %thread : index to i32
    %last = arith.constant {LANES - 1} : i32
    %other = arith.subi %last, %i : i32
    %a = cute.static : !cute.copy_atom<"{atom["name"]}", {e}>
    {inside}
    gpu.return
  }}
"""


def instruction(atom):
    """A pattern of what must be in the code."""
    wide = {8: "b8", 16: r"(b16|v2\.b8)", 32: r"(b32|v2\.b16|v4\.b8)",
            64: r"(b64|v2\.b32|v4\.b16)", 128: r"(v2\.b64|v4\.b32)"}
    if kind(atom) in ("ld", "st"):
        words = {32: r"\.b32", 64: r"\.v2\.b32", 128: r"\.v4\.b32", 256: r"(\.L2::\w+)?\.(v8\.b32|v4\.b64)"}
        return re.escape(atom["instruction"]) + words[atom["bits"]]
    if atom["instruction"]:
        return re.escape(atom["instruction"])
    if atom["bits"]:
        return (r"ld\.shared\." + wide[atom["bits"]] if atom["bits"] >= 8 else
                r"ld\.global\.(b16|b32)")
    known = re.search(r"<(\d+)>", atom["name"])
    bits = int(known[1]) if known else 128
    if atom["name"] == "DefaultCopy" or bits < bits_of(element(atom)):
        bits = bits_of(element(atom))
    return r"ld\.global\." + wide[bits]


def kernels(atoms):
    """The name, the atom and the text of each kernel. What TMA moves is not among them:
    tma_atoms has that; nor is what goes to or from tensor memory."""
    for atom in atoms:
        if (atom["kind"] == "copy" and atom["compiles"]
                and not atom["instruction"].startswith("tcgen05")
                and not atom["class"].startswith(("TMA", "BULK"))):
            yield atom["name"], atom, kernel(atom)


def formula(atom):
    """The check of a run. Rows of 16 bytes may begin with 16 elements of fewer bits."""
    if atom["instruction"].startswith("red."):
        return "B[i] = A[i] + A[i]"
    packed = re.search(r"\.b(\d)x16_", atom["instruction"])
    if not packed:
        return "B[i] = A[i]"
    bit, row = f"({packed[1]} * (i % 16))", "16 * floor(i / 16)"
    pair = f"(A[{row} + {bit} / 8] + 256 * A[{row} + {bit} / 8 + 1])"
    return f"B[i] = floor({pair} / pow(2, {bit} % 8)) % pow(2, {packed[1]})"


def rows(atoms):
    """(label, name, atom, text, options, arguments) of each run."""
    for name, atom, text in kernels(atoms):
        adds = atom["instruction"].startswith("red.")
        shape = f"{element(atom)}[{elements(atom)}]"
        yield (f"{name:<58} {atom['instruction'] or 'ld,st':<68}",
               mma_atoms.symbol(name), atom, text,
               ["--tolerance=0", f"--check={formula(atom)}"],
               [f"{shape}:{mma_atoms.random(element(atom), 'A')}",
                f"{shape}:{'zeros' if adds else 'poison'}"])
