"""A client of cute-lsp, for tests.

client.py FILE opens the file and prints its diagnostics, then what the server answers at
carets in its comments, in their order:

  %x = cute.size(%layout)
  //             ^ hover

The character is the one above the caret. A word after the request is an argument of it.
"""
import json
import re
import subprocess
import sys

URI = "file:///test.mlir"
SEVERITIES = ["", "error", "warning", "remark", "note"]


class Server:
    """A server that has been initialized; messages that were not asked for are kept."""

    def __init__(self, capabilities=None, options=None):
        self.process = subprocess.Popen(["cute-lsp"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.number, self.diagnostics = 0, {}
        self.capabilities = self.ask("initialize", {
            "processId": None, "rootUri": None, "capabilities": capabilities or {},
            "initializationOptions": options})["capabilities"]
        self.tell("initialized", {})

    def write(self, data):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.process.stdin.flush()

    def send(self, **message):
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def read(self):
        length = None
        while (line := self.process.stdout.readline().strip()):
            length = int(line.removeprefix(b"Content-Length:"))
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"]] = params
        return message

    def tell(self, method, params):
        self.send(method=method, params=params)

    def ask(self, method, params):
        """The result of a request, or the error."""
        self.number += 1
        self.send(id=self.number, method=method, params=params)
        while (message := self.read()).get("id") != self.number:
            pass
        return message.get("result", message.get("error"))

    def open(self, text, uri=URI):
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "mlir", "version": 1, "text": text}})

    def change(self, changes, version, uri=URI):
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version}, "contentChanges": changes})

    def wait(self, version=1, uri=URI):
        """The diagnostics of a version of the text."""
        while self.diagnostics.get(uri, {}).get("version") != version:
            self.read()
        return self.diagnostics[uri]["diagnostics"]

    def end(self):
        self.ask("shutdown", None)
        self.tell("exit", None)
        return self.process.wait()


def findings(server, version, uri=URI):
    """All diagnostics and hints of a version of the text."""
    found = server.wait(version, uri)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 10**6, "character": 0}}
    return found, server.ask("textDocument/inlayHint",
                             {"textDocument": {"uri": uri}, "range": everything})


def spell(place):
    start, end = place["start"], place["end"]
    last = f"{end['line'] + 1}:" if end["line"] != start["line"] else ""
    return f"{start['line'] + 1}:{start['character'] + 1}-{last}{end['character'] + 1}"


def show_diagnostics(found):
    for one in found:
        print(f"{spell(one['range'])}: {SEVERITIES[one['severity']]}: {one['message']}")
        for note in one.get("relatedInformation", []):
            print(f"  {spell(note['location']['range'])}: {note['message']}")


def carets(text):
    """(line, character, request, argument) of each caret, of the line above comments."""
    above = 0
    for number, line in enumerate(text.splitlines()):
        found = re.match(r"( *//[^^]*)\^ (\w+) ?(.*)", line)
        if found:
            yield above, len(found[1]), found[2], found[3]
        elif not re.match(" *//", line):
            above = number


def main(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    server = Server({"textDocument": {"publishDiagnostics": {"relatedInformation": True}}})
    server.open(text)
    show_diagnostics(server.wait())
    for line, character, request, argument in carets(text):
        print(f"--- {line + 1}:{character + 1} {request} {argument}".rstrip())
        SHOW[request](server, {"textDocument": {"uri": URI}, "position": {
            "line": line, "character": character}}, argument)
    sys.exit(server.end())


def hover(server, place, _):
    found = server.ask("textDocument/hover", place)
    print(found["contents"]["value"] if found else "none")


def complete(server, place, argument):
    """The items that begin with the argument."""
    for item in server.ask("textDocument/completion", place):
        if item["label"].startswith(argument):
            edit = item["textEdit"]
            print(f"{spell(edit['range'])} {edit['newText']}: {item['detail']}")


def places(method, **more):
    def show(server, place, _):
        found = server.ask(f"textDocument/{method}", {**place, **more}) or []
        for one in found if isinstance(found, list) else [found]:
            print(spell(one["range"] if "range" in one else one), one.get("kind", ""))
    return show


def rename(server, place, argument):
    found = server.ask("textDocument/rename", {**place, "newName": argument})
    for edit in found["changes"][URI] if found else []:
        print(f"{spell(edit['range'])} {edit['newText']}")


def hints(server, place, argument):
    """Those from the caret to the end of a number of lines."""
    end = {"line": place["position"]["line"] + int(argument), "character": 0}
    for hint in server.ask("textDocument/inlayHint", {
            **place, "range": {"start": place["position"], "end": end}}):
        where = hint["position"]
        print(f"{where['line'] + 1}:{where['character'] + 1}{hint['label']}")


def symbols(server, place, _):
    def show(found, indent):
        for one in found:
            print(f"{indent}{one['name']} {one['detail']} {one['kind']} {spell(one['range'])}")
            show(one["children"], indent + "  ")
    show(server.ask("textDocument/documentSymbol", place), "")


def lenses(server, place, _):
    for lens in server.ask("textDocument/codeLens", place):
        command = lens["command"]
        print(spell(lens["range"]), command["title"] + ":", command["arguments"][0])


SHOW = {"hover": hover, "complete": complete, "rename": rename, "hints": hints,
        "symbols": symbols, "lenses": lenses,
        "definition": places("definition"), "highlight": places("documentHighlight"),
        "may_rename": places("prepareRename"),
        "references": places("references", context={"includeDeclaration": True}),
        "uses": places("references", context={"includeDeclaration": False})}

if __name__ == "__main__":
    main(sys.argv[1])
