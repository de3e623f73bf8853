"""Reads dialect/cute.irdl.mlir, whose head explains the attributes: the types and the
operations of the dialect, with what follows from their words. What it does not know is an
error that names the operation."""
import dataclasses
import re

TOKEN = re.compile(r'(?:\s|//[^\n]*)*("(?:[^"\\]|\\.)*"|[%@!#]?[\w.]+|[^\s\w]|$)')
ESCAPE = re.compile(r'\\(n|t|["\\]|[0-9A-Fa-f]{2})')
MAX_DECLARED = 9  # operands, results or attributes of one op

MEMORY = {"tensor", "ptr"}
VIEWS = MEMORY | {"coord_tensor"}
DIVIDERS = {"tiled_copy", "tiled_mma", "layout"}
ATOMS = {"copy_atom", "mma_atom", "tiled_copy", "tiled_mma", "tma_atom"}
ROLES = ("written", "source", "predicate", "by", "view", "divider", "thread", "coord",
         "barrier")


class Error(Exception):
    """What is wrong in the declaration, for its author."""


@dataclasses.dataclass
class Value:
    """An operand, result or parameter. Its bases are types as "!cute.layout"; none stand
    for any type. Kinds are the dialect's without its name, and FOREIGN."""
    name: str
    variadicity: str  # single, optional or variadic
    bases: tuple
    elided: bool = False

    @property
    def kinds(self):
        """None for any."""
        return {base.removeprefix("!cute.") if base.startswith("!cute.") else "FOREIGN"
                for base in self.bases} or None

    def admits(self, kinds):
        return self.kinds is None or bool(self.kinds & kinds)


@dataclasses.dataclass
class Attribute:
    """One in the angle brackets of an op: int, ints, unit, type or string. An integer may
    be in a range, and a string or integer one of some words."""
    name: str
    kind: str
    optional: bool
    words: tuple = ()
    least: str = ""
    most: str = ""

    @property
    def values(self):
        """What it may be, in words; empty where that is anything."""
        if self.least:
            return f"{self.least} to {self.most}" if self.most else f"{self.least} or more"
        words = [f'"{word}"' if self.kind == "string" else word for word in self.words]
        return " or ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


@dataclasses.dataclass
class Definition:
    """A type, an attribute or an operation."""
    what: str
    name: str
    words: dict  # attributes of the declaration
    values: dict = dataclasses.field(default_factory=dict)  # "operands": [Value], ...

    @property
    def operands(self):
        return self.values.get("operands", [])

    @property
    def results(self):
        return self.values.get("results", [])


class Reader:
    """The text as tokens."""

    def __init__(self, text):
        self.tokens = [match.group(1) for match in TOKEN.finditer(text)]
        self.at = 0

    def peek(self):
        return self.tokens[self.at]

    def take(self, wanted):
        token = self.tokens[self.at]
        if not re.fullmatch(wanted, token, re.S):
            raise Error(f"not known before '{' '.join(self.tokens[self.at:self.at + 6])}'")
        self.at += 1
        return token

    def has(self, token):
        found = self.peek() == token
        self.at += found
        return found

    def string(self):
        text = self.take('".*"')[1:-1]
        return ESCAPE.sub(lambda m: {"n": "\n", "t": "\t"}.get(m[1]) or (
            m[1] if len(m[1]) == 1 else chr(int(m[1], 16))), text)

    def words(self):
        """[attributes {name = value, ...}]"""
        words = {}
        if not self.has("attributes"):
            return words
        self.take("{")
        while True:
            name = self.take(r"\w+")
            self.take("=")
            words[name] = self.string() if self.peek()[:1] == '"' else int(self.take(r"\d+"))
            if not self.has(","):
                break
        self.take("}")
        return words

    def constraint(self, named):
        """%name = irdl.any | irdl.base BASE | irdl.any_of(%name, ...)"""
        name = self.take("%.*")
        self.take("=")
        word = self.take(r"irdl\.(any|base|any_of)")
        if word == "irdl.any":
            named[name] = ()
        elif word == "irdl.base" and self.peek().startswith('"'):
            named[name] = (self.string(),)
        elif word == "irdl.base":
            self.take("@cute")
            self.take(":")
            self.take(":")
            named[name] = ("!cute." + self.take("@.*")[1:],)
        else:
            self.take(r"\(")
            named[name] = self.named(named)
            while self.has(","):
                named[name] += self.named(named)
            self.take(r"\)")

    def named(self, named):
        name = self.take("%.*")
        if name not in named:
            raise Error(f"there is no constraint {name}")
        return named[name]

    def list_of_values(self, named):
        """(name: [optional|variadic] %constraint, ...)"""
        values = []
        self.take(r"\(")
        while True:
            name = self.take(r"\w+")
            self.take(":")
            variadicity = "single" if self.peek()[:1] == "%" else self.take(
                "optional|variadic")
            values.append(Value(name, variadicity, self.named(named)))
            if not self.has(","):
                break
        self.take(r"\)")
        if len(values) > MAX_DECLARED:
            raise Error(f"more than {MAX_DECLARED} values")
        return values

    def definition(self, what):
        name = self.take("@.*")[1:]
        try:
            definition = Definition(what, name, self.words())
            named = {}
            self.take("{")
            while not self.has("}"):
                if self.peek()[:1] == "%":
                    self.constraint(named)
                else:
                    role = self.take(r"irdl\.(operands|results|parameters)")[5:]
                    definition.values[role] = self.list_of_values(named)
            return definition
        except Error as error:
            raise Error(f"declaration of '{name}': {error}") from None

    def dialect(self):
        """Its attributes, and all definitions."""
        self.take(r"irdl\.dialect")
        self.take("@cute")
        words = self.words()
        self.take("{")
        definitions = []
        while not self.has("}"):
            what = self.take(r"irdl\.(type|attribute|operation)")[5:]
            definitions.append(self.definition(what))
        return words, definitions

    def file(self):
        """The dialect with types and operations, then a module of the one with
        attributes, which have the names of types."""
        words, definitions = self.dialect()
        self.take("module")
        self.take("{")
        definitions += self.dialect()[1]
        self.take("}")
        self.take("")
        return words["description"], definitions


# ---- Assembly ---------------------------------------------------------------------

ASSEMBLY = re.compile(r"(?:<(?P<angle>[^>]*)>(?P<absent>\?)?(?P<space> )?)?"
                      r"(?P<list>\(operands\))? ?"
                      r"(?:: (?P<types>functional|types -> types|types|result)"
                      r"(?P<last> attr-dict)?)?")
WORD = r"\w+(?:\.\w+)*"
ATTRIBUTE = re.compile(r"(?:\[(?P<ints>\w+)\]|\{(?P<unit>\w+)\}|type (?P<type>\w+)|"
                       r"string (?P<string>\w+)|(?P<int>\w+))(?P<optional>\?)?"
                       r"(?: = (?:(?P<least>\d+)\.\.(?P<most>\d+)?|"
                       rf"(?P<words>{WORD}(?:\|{WORD})*)))?")
SYNTAX = {None: "NONE", "functional": "FUNCTIONAL", "types -> types": "ARROW",
          "types": "OPERANDS", "result": "RESULT"}


class Operation:
    """An operation: its definition, its assembly and its effects."""

    def __init__(self, definition):
        words = definition.words
        self.name, self.words = definition.name, words
        self.group = words.get("group", "")
        self.operands, self.results = definition.operands, definition.results
        self.are_results_written = self.word("results", {"written"}) == "written"
        elided = words.get("elide", "").split()
        for value in self.operands + self.results:
            value.elided = value.name in elided
        self.mixed_operands = self.is_mixed(self.operands)
        self.mixed_results = self.is_mixed(self.results)
        self.read_assembly(words.get("assembly", ""))
        Traits(self)

    def word(self, attribute, known):
        word = self.words.get(attribute, "")
        if word and word not in known:
            raise Error(f"'{word}' is not a value of {attribute}")
        return word

    def is_mixed(self, values):
        return len(values) == 1 and values[0].name in self.words.get("mixed", "").split()

    def read_assembly(self, text):
        match = ASSEMBLY.fullmatch(text)
        if not match:
            raise Error("malformed assembly attribute")
        self.attributes = [self.read_attribute(part.strip())
                           for part in (match["angle"] or "").split(",") if part]
        self.optional_angle = bool(match["absent"])
        self.space_after_angle = bool(match["space"])
        self.has_operand_list = bool(match["list"])
        self.types = SYNTAX[match["types"]]
        self.attr_dict_last = bool(match["last"])

    @staticmethod
    def read_attribute(text):
        match = ATTRIBUTE.fullmatch(text)
        if not match:
            raise Error(f"malformed attribute '{text}' in the assembly")
        kind = next(k for k in ("ints", "unit", "type", "string", "int") if match[k])
        if kind not in ("int", "string") and (match["least"] or match["words"]):
            raise Error(f"'{match[kind]}' is neither an integer nor a string")
        return Attribute(match[kind], kind, bool(match["optional"]),
                         tuple((match["words"] or "").split("|")) if match["words"] else (),
                         match["least"] or "", match["most"] or "")

    def has_result_of(self, kinds):
        return bool(self.results) and self.results[0].admits(kinds)


# ---- Effects ----------------------------------------------------------------------

class Traits:
    """Reads what an op does to memory into op.traits, fields of CuteOpTraits."""

    def __init__(self, op):
        self.op, self.reads, self.fields = op, set(), {}
        op.traits = self
        words = op.words
        if not 0 <= words.get("arch", 0) <= 999:
            raise Error(f"no architecture is sm_{words['arch']}")
        suffix = words.get("arch_suffix", "")
        if suffix not in ("", "a", "e", "r", "s", "t"):
            raise Error(f"'{suffix}' is not a suffix of an architecture: a, s for all with "
                        "one, t with tensor memory, r if its loads compare, or e for sm_XXa alone")
        for clause in words.get("effects", "").split(","):
            self.clause(clause.split())
        self.effect = self.find_effect()
        for attribute in ("access", "view", "partition", "follows"):
            if attribute in words:
                getattr(self, attribute)(*words[attribute].split())

    def take(self, kinds, role, name=""):
        """Gives the operand of that name a role; it admits some of these kinds."""
        names = [value.name for value in self.op.operands]
        if name not in names:
            raise Error(f"'{name}' is not an operand of the op")
        value = self.op.operands[names.index(name)]
        if role in self.fields:
            raise Error(f"'{name}' has a role that another operand has already")
        if value.variadicity == "variadic":
            raise Error(f"'{name}' is many operands, which cannot have a role")
        if not value.admits(kinds):
            raise Error(f"'{name}' is of no kind that can have this role")
        if role:
            self.fields[role] = names.index(name)
        return names.index(name)

    def read(self, role, name=""):
        self.reads.add(self.take(MEMORY, role, name))

    def clause(self, words):
        """A verb and what it takes."""
        if not words:
            return
        verb, names = words[0], words[1:]
        if verb == "reads":
            for name in names or [""]:
                self.read(None, name)
            return
        takes = {"copies": 2, "prints": 0, "exchanges": 0, "orders": 0, "prefetches": 0,
                 "declares": 0}.get(verb, 1)
        if len(names) > takes and verb in CLAUSES:
            raise Error(f"'{' '.join(names[takes:])}' is more than the effect takes")
        if verb not in CLAUSES:
            raise Error(f"'{verb}' is not an effect")
        CLAUSES[verb](self, verb, *(names + ["", ""])[:takes])

    def copies(self, _, source, destination):
        self.read("source", source)
        self.take(MEMORY, "written", destination)

    def note(self, verb):
        self.fields[verb] = "true"

    def space(self, verb, space):
        """New memory, with contents that follow from the operands, or none."""
        if space not in ("smem", "rmem"):
            raise Error(f"'{space}' is not a space that an op can allocate in")
        if not self.op.has_result_of(MEMORY | {"pipeline"}):
            raise Error(f"'{space}' is for an op whose result is memory")
        self.fields["space"] = f"CUTE_{space.upper()}"
        if verb == "allocates":
            self.fields["allocates"] = "true"

    def group(self, verb, group):
        if group not in ("cp_async", "bulk", "wgmma"):
            raise Error(f"'{group}' is not a group: cp_async, bulk or wgmma")
        self.fields["groupUse"] = f"CUTE_GROUP_{verb.upper()}"
        self.fields["group"] = f"CUTE_GROUP_{group.upper()}"

    def barrier(self, verb, operand):
        self.fields["barrierUse"] = f"CUTE_BARRIER_{verb.upper()}"
        self.take(MEMORY, "barrier", operand)

    def find_effect(self):
        """Passes know what groups of cp.async do, not others nor barriers."""
        fields = self.fields
        accesses = bool(self.reads) or "written" in fields or "prints" in fields
        use, group = fields.get("groupUse"), fields.get("group")
        if fields.keys() & {"orders", "declares", "barrierUse"} or (
                use and (group != "CUTE_GROUP_CP_ASYNC" or accesses)):
            return "UNKNOWN"
        if use:
            return {"CUTE_GROUP_COMMITS": "COMMIT",
                    "CUTE_GROUP_WAITS": "WAIT"}.get(use, "UNKNOWN")
        if "allocates" in fields:
            in_registers = fields["space"] == "CUTE_RMEM" and not accesses
            return "REGISTERS" if in_registers else "UNKNOWN"
        return "ACCESS" if accesses else "LANES" if "exchanges" in fields else "NONE"

    def check_end(self, more):
        if more:
            raise Error(f"'{' '.join(more)}' is more than the attribute takes")

    def access(self, form="", *more):
        if form not in ("atom", "at", "elements", "runs", "vectors"):
            raise Error(f"'{form}' is not an access")
        if form == "atom" and not {"by", "source"} <= self.fields.keys():
            raise Error(f"'{form}' is for a copy by an operand")
        touched = self.reads - {self.fields.get("predicate")}
        if not touched and "written" not in self.fields:
            raise Error(f"'{form}' is for an op that reads or writes a tensor")
        if form == "at":
            self.take({"coord"}, "coord", *more[:1])
            more = more[1:]
        self.check_end(more)
        self.fields["access"] = f"CUTE_ACCESS_{form.upper()}"

    def view(self, operand="", *more):
        self.take(VIEWS, "view", operand)
        if not self.op.has_result_of(VIEWS):
            raise Error(f"'{operand}' is viewed by no result")
        self.check_end(more)

    def partition(self, divider="", thread="", *more):
        self.take(DIVIDERS, "divider", divider)
        self.take({"int_tuple", "FOREIGN"}, "thread", thread)
        if "view" not in self.fields:
            raise Error(f"'{divider}' divides no operand that the result is a view of")
        self.check_end(more)

    def follows(self, operand="", *more):
        if operand not in ("any", "a", "b", "c"):
            raise Error(f"'{operand}' is not a division: any, a, b or c")
        self.check_end(more)
        self.fields["follows"] = f"CUTE_DIVISION_{operand.upper()}"


CLAUSES = {
    "reads": None,
    "writes": lambda traits, _, name: traits.take(MEMORY, "written", name),
    "copies": Traits.copies,
    "if": lambda traits, _, name: traits.read("predicate", name),
    "by": lambda traits, _, name: traits.take(ATOMS, "by", name),
    "prints": Traits.note, "exchanges": Traits.note, "orders": Traits.note,
    "declares": Traits.note, "prefetches": lambda traits, _: None,
    "allocates": Traits.space, "makes": Traits.space,
    "issues": Traits.group, "commits": Traits.group, "waits": Traits.group,
    "tracks": Traits.group,
    "inits": Traits.barrier, "arrives": Traits.barrier, "awaits": Traits.barrier,
}


class Dialect:
    """All of the file: description, types and attributes as definitions, operations as
    they stand."""

    def __init__(self, text):
        self.description, definitions = Reader(text).file()
        self.types = [d for d in definitions if d.what == "type"]
        self.attributes = [d for d in definitions if d.what == "attribute"]
        self.operations = []
        for definition in definitions:
            if definition.what == "operation":
                try:
                    self.operations.append(Operation(definition))
                except Error as error:
                    raise Error(f"declaration of '{definition.name}': {error}") from None
