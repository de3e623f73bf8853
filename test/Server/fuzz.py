"""Edits of kernels and requests at random places: the server answers all of them.

fuzz.py FOLDER STEPS [SEED]: texts of the folder are cut, doubled and mixed in small changes;
after each, something is asked somewhere, and now and then the text is compared. Prints what was asked last, if the server ends.
"""
import pathlib
import random
import sys

import client

METHODS = ["hover", "completion", "definition", "references", "documentHighlight",
           "prepareRename", "rename", "documentSymbol", "codeLens", "inlayHint"]
PIECES = ["%", "!cute.", "{", "}", "(", ")", "\"", "<", ">", "\n", "%x = ", "cute.", " : ",
          "^bb0(%a: i32):\n", "@f", "#", "\U0001F600", "$BM", "\\", "->", "%a#1", "=", ",",
          "func.func @f(%a: i32) {\n", "scf.for %i = %a to %a step %a {\n", "module {", "\x00"]


def position(text, offset):
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return {"line": before.count("\n"), "character": len(line.encode("utf-16-le")) // 2}


def change(random, text):
    """A change as the protocol has it, and the text after it."""
    begin = random.randrange(len(text) + 1)
    end = min(len(text), begin + random.choice([0, 0, 1, 3, 10, 200]))
    other = random.randrange(len(text) + 1)
    new = random.choice([random.choice(PIECES), text[other:other + random.randrange(60)], ""])
    edit = {"range": {"start": position(text, begin), "end": position(text, end)}, "text": new}
    return edit, text[:begin] + new + text[end:]


def check(server, text, version):
    """The server has this text: as one that is opened, it has the same diagnostics and hints."""
    changed = client.findings(server, version)
    server.open(text, "file:///other.mlir")
    opened = client.findings(server, 1, "file:///other.mlir")
    del server.diagnostics["file:///other.mlir"]
    assert changed == opened, (changed, opened)


def main(folder, steps, seed):
    files = sorted(pathlib.Path(folder).rglob("*.mlir"))
    chance = random.Random(seed)
    server, text, step = client.Server(), "", 0
    try:
        while step < steps:
            if step % 20 == 0:
                text = chance.choice(files).read_text(encoding="utf-8")
                server.open(text)
            else:
                edit, text = change(chance, text)
                server.change([edit], step)
            method = chance.choice(METHODS)
            params = {"textDocument": {"uri": client.URI}, "newName": "%n",
                      "position": position(text, chance.randrange(len(text) + 1)),
                      "range": {"start": position(text, 0), "end": position(text, len(text))},
                      "context": {"includeDeclaration": True}}
            answer = server.ask(f"textDocument/{method}", params)
            assert not isinstance(answer, dict) or "code" not in answer, answer
            if step % 20 == 19:
                check(server, text, step)
            step += 1
        print(steps, "steps, exit code", server.end())
    except (ValueError, OSError, TypeError):
        pathlib.Path("failed.mlir").write_text(text, encoding="utf-8", newline="")
        print(f"step {step}: the server ended at {method}, in failed.mlir: {params['position']}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
