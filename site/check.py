#!/usr/bin/env python3
"""Checks the built site: check.py HTML CUTE_LAYOUT

The WebAssembly program prints what CUTE_LAYOUT prints, for each expression of
docs/rosetta.md and one that is an error; the page shows in Chromium what it prints, and
the search of a page that is opened from its file, without a network, finds an op.
"""
import html
import json
import os
import re
import subprocess
import sys
import tempfile
from urllib.parse import quote

RUN = """
const create = require(process.argv[1]);
(async () => {
  for (const args of JSON.parse(require('fs').readFileSync(0))) {
    const text = [];
    const program = await create({print: line => text.push(line),
      printErr: line => text.push(line), quit: (status, stop) => { throw stop; }});
    try { program.callMain(args); } catch (stop) { if (stop.status === undefined) throw stop; }
    console.log(JSON.stringify(text.join('\\n')));
  }
})();
"""


def commands(page):
    """The arguments of cute-layout to compare."""
    with open(page, encoding="utf-8") as file:
        cells = [line.rstrip("| \n").rsplit(" | ", 1)[-1] for line in file if line[0] == "|"]
    expressions = [cell.strip("`") for cell in cells if cell.startswith("`")]
    yield from (["eval", e] for e in expressions)
    yield from (["explain", e] for e in expressions[:5])
    yield from (["show", "--html", atom] for atom in
                ("SM80_16x8x16_F32F16F16F32_TN", "SM75_U32x4_LDSM_N"))
    yield ["eval", "composition((6,2):(8,2), 8:1)"]


def rendered(page, rest):
    """What Chromium makes of a page's file; `rest` is the end of the address."""
    with tempfile.TemporaryDirectory() as profile:
        return subprocess.run(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu",
             "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={profile}",
             "--virtual-time-budget=20000", "--dump-dom", f"file://{os.path.abspath(page)}{rest}"],
            capture_output=True, text=True, timeout=120, check=False).stdout


def shown(page, view, expression):
    """The text of the page for an expression."""
    text = rendered(page, f"#{view}//{quote(expression, safe='')}")
    found = re.search(r'<pre id="text"[^>]*>(.*?)</pre>', text, re.S)
    return html.unescape(found[1]) if found else text[-2000:]


def found_by_search(page, word):
    """The addresses that the search of the page offers for a word."""
    return re.findall(r'<a href="([^"]*)"[^>]*class="md-search-result__link"', rendered(page, f"?q={word}"))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, native = sys.argv[1:]
    rosetta = os.path.join(os.path.dirname(__file__), "../docs/rosetta.md")
    todo = list(commands(rosetta))
    program = os.path.abspath(os.path.join(folder, "assets/cute-layout.js"))
    lines = subprocess.run(["node", "-e", RUN, program], input=json.dumps(todo),
                           capture_output=True, text=True, check=True).stdout.splitlines()
    failed = 0
    for args, line in zip(todo, lines, strict=True):
        run = subprocess.run([native, *args], capture_output=True, text=True, check=False)
        if json.loads(line) != (run.stdout + run.stderr).rstrip("\n"):
            failed += 1
            print(f"{args}: {json.loads(line)!r}, not {run.stdout + run.stderr!r}")
    pages = [("Steps", "complement((2,2):(1,6), 24)", "explain"),
             ("Value", "composition((6,2):(8,2), 8:1)", "eval")]
    for view, expression, command in pages:
        run = subprocess.run([native, command, expression], capture_output=True, text=True,
                             check=False)
        text = shown(os.path.join(folder, "layouts.html"), view, expression)
        if text != (run.stdout + run.stderr).rstrip("\n"):
            failed += 1
            print(f"{view} of {expression}: {text}")
    offered = found_by_search(os.path.join(folder, "index.html"), "tma_partition")
    if not any("Dialect.html" in address and "#cutetma_partition" in address for address in offered):
        failed += 1
        print(f"the search for tma_partition finds {offered}")
    total = len(todo) + len(pages) + 1
    print(f"{total - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
