"""Reads api_examples.txt: examples of public names, for docs/api.md and the test that runs them."""
import pathlib
import re
import typing

TEXT = pathlib.Path(__file__).with_name("api_examples.txt")


class Example(typing.NamedTuple):
    """An expression with its value: at the prompt, or in lane 5 of a kernel's warp; or a call in a
    kernel, whose result is empty."""

    module: str
    name: str
    is_in_kernel: bool
    expression: str
    result: str

    def sentence(self):
        """The example for readers, as Markdown."""
        short = self.expression.replace("$", self.name)
        if not self.result:
            return f"For example, `{short}` in a kernel."
        where = " in lane 5 of a warp" if self.is_in_kernel else ""
        return f"For example, `{short}` is `{self.result}`{where}."


def read():
    """The examples of the file."""
    module = None
    for line in TEXT.read_text(encoding="utf-8").splitlines():
        if head := re.fullmatch(r"\[(.*)\]", line):
            module = head[1]
        elif line and line[0] != "#":
            name, kind, expression = re.fullmatch(r"(\w+)( @| !|:) (.*)", line).groups()
            expression, _, result = expression.partition(" -> ")
            yield Example(module, name, kind != ":", expression, result)
