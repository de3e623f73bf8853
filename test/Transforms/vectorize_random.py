"""Copies by random layouts, vectorized, run on this machine.

  vectorize_random.py DIRECTORY-OF-SIMULATE COUNT SEED OUTPUT

writes kernels that each copy a tensor, in global memory or by way of registers,
with or without a predicate, perhaps with a dynamic extent, has cutec vectorize and lower them, and runs them: every
element must be where the layouts say, and no other may change.
"""
import math
import os
import random
import subprocess
import sys

WIDTH = {"i8": 8, "f16": 16, "f32": 32}
DIVISORS = (1, 2, 4, 8)


def strides(rng, extents):
    """Compact strides in some order, at times with padding."""
    order = list(range(len(extents)))
    rng.shuffle(order)
    result, step = [0] * len(extents), 1
    for i in order:
        result[i] = step
        step *= extents[i]
        if rng.random() < 0.3:
            step += rng.choice((1, 2, 4, 8))
    return result


def tree(numbers):
    return "(" + ",".join(str(n) for n in numbers) + ")"


def tensor(case, space, side):
    extents, steps = [1] + case["extents"], [0] + case[side]
    if case["dynamic"]:
        d = case["dynamic"]
        extents[-1] = "?{div=%d}" % d if d > 1 else "?"
    return (f'!cute.tensor<{case["type"]}, {space}, align<{case["align"]}>, '
            f'"{tree(extents)}:{tree(steps)}">')


def generate(rng, number):
    extents = [rng.choice((2, 3, 4, 8)) for _ in range(rng.randint(1, 3))]
    case = {"number": number, "type": rng.choice(list(WIDTH)), "extents": extents,
            "from": strides(rng, extents), "to": strides(rng, extents),
            "registers": rng.random() < 0.5, "divisors": None, "align": 16}
    if rng.random() < 0.3:
        case["to"] = case["from"]
    if rng.random() < 0.2:
        case["align"] = 4
    if len(extents) == 2 and rng.random() < 0.7:
        case["divisors"] = [rng.choice(DIVISORS), rng.choice(DIVISORS)]
        case["bounds"] = [rng.randint(0, math.ceil(n / d)) * d
                          for n, d in zip(extents, case["divisors"])]
    case["dynamic"] = 0
    if not case["divisors"] and not case["registers"] and rng.random() < 0.4:
        case["dynamic"] = math.gcd(extents[-1], rng.choice(DIVISORS))
    return case


def kernel(case):
    leaves = tree(case["extents"])
    lines = [f'  gpu.func @f{case["number"]}(%s: {tensor(case, "gmem", "from")}, '
             f'%d: {tensor(case, "gmem", "to")}, %m: i32, %n: i32) kernel {{',
             f'    %a = cute.static : !cute.copy_atom<"UniversalCopy<uint'
             f'{WIDTH[case["type"]]}_t>", {case["type"]}>']
    predicate = ""
    if case["divisors"]:
        bound = ",".join("?" + (f"{{div={d}}}" if d > 1 else "")
                         for d in case["divisors"])
        lines += [f'    %tile = cute.static : !cute.shape<"{leaves}">',
                  "    %c = cute.make_identity_tensor(%tile)",
                  "    %b = cute.make_shape(%m, %n) : (i32, i32) -> "
                  f'!cute.shape<"({bound})">',
                  "    %p = cute.make_predicate(%c, %b)"]
        predicate = ", %p"
    if case["registers"]:
        lines += ["    %r = cute.make_fragment_like(%s)",
                  f"    cute.copy(%a, %s, %r{predicate})",
                  f"    cute.copy(%a, %r, %d{predicate})"]
    else:
        lines.append(f"    cute.copy(%a, %s, %d{predicate})")
    return "\n".join(lines + ["    gpu.return", "  }"])


def moves(case):
    """(from, to) of the elements that are copied."""
    for i in range(math.prod(case["extents"])):
        coord, rest = [], i
        for n in case["extents"]:
            coord.append(rest % n)
            rest //= n
        if case["divisors"] and any(
                x >= b for x, b in zip(coord, case["bounds"])):
            continue
        yield tuple(sum(x * d for x, d in zip(coord, case[side]))
                    for side in ("from", "to"))


def program(cases, tools):
    text = [f'#include "{os.path.abspath(tools)}/simulate.h"',
            "static _Alignas(16) unsigned char s[65536], d[65536], e[65536];"]
    for case in cases:
        extent = ", int" if case["dynamic"] else ""
        text.append(f"void f{case['number']}(void *{extent}, void *{extent}, int, int);")
    text += ["int main(void) {", "  int failures = 0;",
             "  for (int i = 0; i < 65536; ++i) s[i] = (i * 2654435761u) >> 13;"]
    for case in cases:
        size = WIDTH[case["type"]] // 8
        m, n = case.get("bounds", (0, 0))
        extent = f", {case['extents'][-1]}" if case["dynamic"] else ""
        pairs = list(moves(case))
        array = ",".join(f"{{{a * size},{b * size}}}" for a, b in pairs)
        text += ["  for (int i = 0; i < 65536; ++i) d[i] = e[i] = i * 7 + 1;",
                 f"  {{ static const int p[][2] = {{{array or '{0,0}'}}};",
                 f"    for (int i = 0; i < {len(pairs)}; ++i)",
                 f"      for (int j = 0; j < {size}; ++j)",
                 "        e[p[i][1] + j] = s[p[i][0] + j]; }",
                 f"  f{case['number']}(s{extent}, d{extent}, {m}, {n});",
                 "  for (int i = 0; i < 65536; ++i) if (d[i] != e[i]) {",
                 f"    printf(\"f{case['number']} byte %d\\n\", i);",
                 "    ++failures; break; }"]
    text += [f'  printf("{len(cases)} copies, %d failures\\n", failures);',
             "  return failures != 0;", "}"]
    return "\n".join(text)


def main():
    tools, count, seed, output = sys.argv[1], *map(int, sys.argv[2:4]), sys.argv[4]
    rng = random.Random(seed)
    cases = [generate(rng, i) for i in range(count)]
    source = "gpu.module @m {\n" + "\n".join(map(kernel, cases)) + "\n}\n"
    with open(output + ".mlir", "w", encoding="utf-8") as file:
        file.write(source)
    with open(output + ".c", "w", encoding="utf-8") as file:
        file.write(program(cases, tools))
    done = subprocess.run(
        ["cutec", output + ".mlir", "--passes=cute-vectorize", "--emit=llvm",
         "--no-manifest", "-o", output + ".ll"],
        capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    subprocess.run([sys.executable, tools + "/simulate.py", output + ".ll",
                    output + ".c", output], check=True)
    run = subprocess.run([output], capture_output=True, text=True, check=False)
    sys.stdout.write(run.stdout)
    for word in ("accesses", "keeps", "predicate may differ"):
        print(word, done.stderr.count(word))


main()
