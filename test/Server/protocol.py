"""What protocol.test runs."""
import sys


import client

server = client.Server()
print(server.capabilities["positionEncoding"], server.capabilities["textDocumentSync"])
# CHECK: utf-16 {'openClose': True, 'change': 2}

# A text, and changes of parts of it. The comment has two units of UTF-16, and four bytes,
# in one character.
server.open('// \U0001F600\n%0 = cute.static : !cute.layout<"4">\n%1 = cute.siz(%0)\n')
client.show_diagnostics(server.wait())
# CHECK-NEXT: 3:6-14: error: unknown operation 'cute.siz'; did you mean 'cute.size'?


def at(line, character):
    return {"line": line, "character": character}


server.change([{"range": {"start": at(2, 13), "end": at(2, 13)}, "text": "e"},
               {"range": {"start": at(0, 0), "end": at(0, 5)}, "text": "// \U0001F680"}],
              2)
print(server.wait(2))
# CHECK-NEXT: []
WIDE = 'func.func @f() attributes {a = "\u00E9\u20AC\U0001F600"} { cute.siz(4) }'
server.change([{"text": WIDE}], 3)
client.show_diagnostics(server.wait(3))
# CHECK-NEXT: 1:42-50: error: unknown operation
# All of a text, by a range that goes past its end; and an op whose location is elsewhere.
server.change([{"range": {"start": at(0, 0), "end": at(99, 99)}, "text":
                '%0 = cute.static : !cute.layout<"4">\n'
                '%1 = cute.size(%0) : (!cute.layout<"4">) -> !cute.int_tuple<"5"> '
                'loc("other.mlir":2:6)\n'}], 4)
client.show_diagnostics(server.wait(4))
# CHECK-NEXT: 1:1-3: error: 'cute.size' op inferred
# CHECK-NEXT: note:
server.tell("textDocument/didClose", {"textDocument": {"uri": client.URI}})

# What is wrong with a message.
print(server.ask("textDocument/none", {}))
# CHECK-NEXT: {'code': -32601, 'message': "unknown method 'textDocument/none'"}
server.write(b'{"jsonrpc": "2.0", "id": 7')
print(server.read()["error"])
# CHECK-NEXT: {'code': -32700, 'message': 'the message is not a JSON object'}
server.send(id="x")
print(server.read()["error"])
# CHECK-NEXT: {'code': -32600, 'message': 'a request without a method'}
server.tell("$/unknown", {})
server.tell("textDocument/didChange", {"textDocument": {"uri": "file:///other"}})
print(server.end())
# CHECK-NEXT: 0

# Bytes, if the editor takes them; and without relatedInformation notes are lines.
server = client.Server({"general": {"positionEncodings": ["utf-8", "utf-16"]}})
print(server.capabilities["positionEncoding"])
# CHECK-NEXT: utf-8
server.open(WIDE, "file:///wide")
client.show_diagnostics(server.wait(uri="file:///wide"))
# CHECK-NEXT: 1:47-55: error: unknown operation
server.open('%0 = cute.static : !cute.layout<"4">\n'
            '%1 = cute.size(%0) : (!cute.layout<"4">) -> !cute.int_tuple<"5">\n')
client.show_diagnostics(server.wait())
# CHECK-NEXT: 2:6-15: error: 'cute.size' op inferred
# CHECK-NEXT: note: without '-> ...'
server.process.stdin.close()
print(server.process.wait())
# CHECK-NEXT: 1

# Names, escapes and numbers of JSON; what is none.
for text, ok in ((r'{"id": 1, "method": "\u0073hutdown", "x": [1, -2.5e3, true, null, {}]}', True),
                 (r'{"id": 1, "method": "shutdown", "x": "\ud83d\ude00 \ud83d \" \\ \n"}', True),
                 (r'{"id": 1, "method": "shutdown",}', False), (r'{"a" 1}', False),
                 (r'{"a": "\x"}', False), (r'{"a": "', False), ("[1]", False),
                 ('{"a": "\xff"}', False), ("[" * 1000, False)):
    server = client.Server()
    server.write(text.encode("latin-1"))
    assert ("error" not in server.read()) == ok, text
    server.process.stdin.close()
    server.process.wait()

# A head without a length ends it.
server = client.Server()
server.process.stdin.write(b"Content-Type: x\r\n\r\n{}")
server.process.stdin.close()
print(server.process.wait())
# CHECK-NEXT: 1

# Lenses are commands of a shell, whatever a stranger's file is called or has in it: a path is
# one word, and a comment is offered if it is one command.
KERNEL = "gpu.module @m {\n  gpu.func @k() kernel {\n    gpu.return\n  }\n}\n"
server = client.Server()
for path, comment in (("it%27s%20;%5", "x.mlir 'f16[4]' \"a b\" --check 'A[i] = (2)'"),
                      ("plain.mlir", "x.mlir; rm x"), ("a", "x.mlir \"$(rm x)\""),
                      ("b", "x.mlir `rm x`"), ("c", "x.mlir && rm x"), ("d", "x.mlir > y"),
                      ("e", "x.mlir\rrm x"), ("f", "x.mlir \x03")):
    server.open(f"// cute-run {comment}\r\n{KERNEL}", f"file:///{path}")
    for lens in server.ask("textDocument/codeLens",
                           {"textDocument": {"uri": f"file:///{path}"}})[1:]:
        print(lens["command"]["arguments"][0])
print(server.ask("shutdown", None))
# CHECK-NEXT: cute-run --list '/it'\''s ;%5'
# CHECK-NEXT: cutec --prove '/it'\''s ;%5'
# CHECK-NEXT: cute-run x.mlir 'f16[4]' "a b" --check 'A[i] = (2)'
# CHECK-NEXT: cute-run --list /plain.mlir
# CHECK-NEXT: cutec --prove /plain.mlir
# CHECK-NEXT: cute-run --list /a
# CHECK-NEXT: cutec --prove /a
# CHECK-NEXT: cute-run --list /b
# CHECK-NEXT: cutec --prove /b
# CHECK-NEXT: cute-run --list /c
# CHECK-NEXT: cutec --prove /c
# CHECK-NEXT: cute-run --list /d
# CHECK-NEXT: cutec --prove /d
# CHECK-NEXT: cute-run --list /e
# CHECK-NEXT: cutec --prove /e
# CHECK-NEXT: cute-run x.mlir
# CHECK-NEXT: cute-run --list /f
# CHECK-NEXT: cutec --prove /f
# CHECK-NEXT: None
