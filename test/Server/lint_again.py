"""What lint_again.test runs: after each change, a text and a new text with the same lines have
the same findings."""
import pathlib
import re
import sys

import client

TEXT = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
server = client.Server({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}})
text, version = "", 1


def show(what, new):
    """Makes this the text, by one change of what differs."""
    global text, version
    begin = 0
    while begin < min(len(text), len(new)) and text[begin] == new[begin]:
        begin += 1
    end = 0
    while end < min(len(text), len(new)) - begin and text[-1 - end] == new[-1 - end]:
        end += 1

    def at(offset):
        before = text[:offset]
        return {"line": before.count("\n"), "character": len(before.rpartition("\n")[2])}

    version += 1
    server.change([{"range": {"start": at(begin), "end": at(len(text) - end)},
                    "text": new[begin:len(new) - end]}], version)
    text = new
    found, hints = client.findings(server, version)
    server.open(text, "file:///new.mlir")
    opened = repr(client.findings(server, 1, "file:///new.mlir"))
    assert repr((found, hints)) == opened.replace("/new.mlir", "/test.mlir"), what
    del server.diagnostics["file:///new.mlir"]
    print(f"--- {what}")
    client.show_diagnostics(found)
    for hint in hints:
        if "conflict" in hint["label"]:
            print(f"{hint['position']['line'] + 1}: {hint['label']}")


server.open(text)
show("first", TEXT)
show("a comment above all", f"// more\n{TEXT}")
show("a comment between", TEXT.replace("  // Second:", "  //\n  // Second:"))
show("not parsed", TEXT.replace("// Second:", "( //"))
show("again", TEXT)
show("another name", TEXT.replace("%stored", "%x"))
show("an alias", TEXT.replace("(32,32):(32,1)", "(32,32):(33,1)"))
show("an architecture", f"// --arch=sm_70\n{TEXT}")
show("one kernel less", re.sub(r"  // First.*// Second", "  // Second", TEXT, flags=re.DOTALL))
show("twice", TEXT + TEXT[TEXT.index("gpu.module"):].replace("@kernels", "@more"))
print(server.end())
