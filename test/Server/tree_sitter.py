"""The grammar for tree-sitter, as one for Lark: tree_sitter.py GRAMMAR.json QUERIES FILE...

tree-sitter makes an LR(1) parser whose lexer takes, of the tokens that may be next, the
longest, of equal ones a string before a pattern; Lark makes an LALR(1) parser with such
a lexer here. Fails where two rules are in conflict, a file does not parse, or a query
names what the grammar does not have.
"""
import json
import logging
import pathlib
import re
import sys

import lark


class Conflicts(logging.Handler):
    """Lark takes the shift of a shift/reduce conflict, and only logs it."""

    def emit(self, record):
        if "onflict" in record.getMessage():
            raise SystemExit(record.getMessage())


class Newlines:
    """Leaves out those between parentheses and brackets, where no rule has them: LR(1) has
    states that tell, and LALR(1) has none."""
    always_accept = ("WORD__10",)

    @staticmethod
    def process(tokens):
        opened = []
        for token in tokens:
            if token in ("(", "[", "{"):
                opened.append(token)
            elif token in (")", "]", "}") and opened:
                opened.pop()
            if token.type not in Newlines.always_accept or not opened or opened[-1] == "{":
                yield token


class Translation:
    """Text of Lark for the rules; tokens have names of their own."""

    def __init__(self, grammar):
        self.grammar, self.terminals = grammar, {}
        self.tokens = {name for name, body in grammar["rules"].items()
                       if body["type"] in ("TOKEN", "PATTERN")}
        for name in sorted(self.tokens):
            self.terminal(name.strip("_").upper(), self.pattern(grammar["rules"][name]))
        self.rules = [f"{self.symbol(name)}: {self.text(body)}"
                      for name, body in grammar["rules"].items() if name not in self.tokens]

    def terminal(self, name, text):
        self.terminals[name] = text
        return name

    def symbol(self, name):
        return name.strip("_").upper() if name in self.tokens else name

    def pattern(self, body):
        while body["type"] in ("TOKEN", "PREC"):
            body = body["content"]
        assert body["type"] == "PATTERN", body
        return body["value"]

    def text(self, body):
        kind = body["type"]
        if kind == "SYMBOL":
            return self.symbol(body["name"])
        if kind == "STRING":
            name = "WORD_" + re.sub(r"\W", lambda c: f"_{ord(c[0])}", body["value"]).upper()
            return self.terminal(name, re.escape(body["value"]).replace("\n", "n"))
        if kind == "SEQ":
            return " ".join(self.text(member) for member in body["members"])
        if kind == "CHOICE":
            members = [m for m in body["members"] if m["type"] != "BLANK"]
            every = " | ".join(self.text(member) for member in members)
            return f"({every}){'?' * (len(members) < len(body['members']))}"
        if kind in ("REPEAT", "REPEAT1"):
            return f"({self.text(body['content'])}){'*' if kind == 'REPEAT' else '+'}"
        if kind in ("FIELD", "PREC"):
            return self.text(body["content"])
        raise SystemExit(f"no translation of {kind}")

    def parser(self):
        extras = [self.symbol(e["name"]) if e["type"] == "SYMBOL"
                  else self.terminal("SPACE", e["value"]) for e in self.grammar["extras"]]
        # What is longer comes first: patterns that begin with a line's end, names with
        # dots, and comments, then strings, then the others.
        ranks = {"COMMENT": 4, "CONTINUATION": 4, "NUMBER": 2, "OP_NAME": 2, "SPACE": -1,
                 "WORD__61": 0}
        lines = [f"{name}.{ranks.get(name, 3 if name.startswith('WORD') and '_46' in name else 1)}: "
                 f"/{text}/" for name, text in self.terminals.items()]
        lines += [f"%ignore {name}" for name in extras]
        return lark.Lark("\n".join(self.rules + lines), parser="lalr", lexer="contextual", postlex=Newlines,
                         start=next(iter(self.grammar["rules"])), debug=True)


def check_query(path, grammar):
    """Every (node), field: and "token" of a query is one of the grammar."""
    text = re.sub(r"\(#\w+\? [^)]*?\"(?:[^\"\\]|\\.)*\"\)|;[^\n]*", "", path.read_text("utf-8"))
    everything = json.dumps(grammar)
    strings = set(re.findall(r'"type": "STRING", "value": "((?:[^"\\]|\\.)*)"', everything))
    fields = set(re.findall(r'"type": "FIELD", "name": "(\w+)"', everything))
    wrong = [n for n in re.findall(r"\((\w+)", text) if n not in grammar["rules"]]
    wrong += [s for s in re.findall(r'"([^"]*)"', text) if s not in strings]
    wrong += [f for f in re.findall(r"(\w+):", text) if f not in fields]
    brackets = re.sub(r'"[^"]*"', "", text)
    if wrong or brackets.count("(") != brackets.count(")"):
        raise SystemExit(f"{path.name}: the grammar has no {', '.join(wrong) or 'such brackets'}")


def main(grammar, queries, *files):
    with open(grammar, encoding="utf-8") as file:
        grammar = json.load(file)
    lark.logger.setLevel(logging.DEBUG)
    lark.logger.handlers = [Conflicts()]
    parser = Translation(grammar).parser()
    for path in sorted(pathlib.Path(queries).glob("*.scm")):
        check_query(path, grammar)
    nodes = 0
    for path in files:
        text = pathlib.Path(path).read_text(encoding="utf-8")
        try:
            tree = parser.parse(text)
        except lark.UnexpectedInput as error:
            raise SystemExit(f"{path}:{error.line}:{error.column}: {error}") from error
        nodes += sum(1 for _ in tree.iter_subtrees())
        functions = len(list(tree.find_data("function")))
        written = len(re.findall(r"^ *(?:gpu|func)\.func\b", text, re.M))
        if functions != written:
            raise SystemExit(f"{path}: {functions} functions of {written}")
    print(f"{len(files)} files, {nodes} nodes" if nodes else "nothing was read")


main(*sys.argv[1:])
