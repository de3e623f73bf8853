# RUN: %python %s
"""Functions are read from their files, however these are indented, and traced."""
import gc
import linecache
import tempfile
import types
import unittest

import cute
from cute._frontend.errors import ProgramError
from cute._frontend.source import find_source


def functions_of(text):
    """The functions of a module with this text, which is in a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as file:
        file.write(text)
    module = types.ModuleType("module")
    exec(compile(text, file.name, "exec"), module.__dict__)
    return module


ODD = '''
def keep(*args):
    return lambda function: function


class Holder:
    @keep(
        1,
    )
    @keep()
    def method(self, x,
        y=(
    2)
    ):
        """A docstring
that begins at the margin,
def and_goes_on():
    pass
"""
        text = f"""
{x}
"""
        if y:
            # more
# a comment at the margin
            values = [
1, 2,
]
        return text, \\
values  # the end

    # between
    def next(self): return 1


if True:
\tdef tabs(x):
\t\tfor i in x:
\t\t\tx = i
\t\treturn x
def last(x): return x'''


class Sources(unittest.TestCase):
    def read(self, function):
        file, node = find_source(function)
        self.assertEqual(file, function.__code__.co_filename)
        return node

    def test_a_function_is_read_to_its_end(self):
        module = functions_of(ODD)
        lines = ODD.splitlines()
        for function, last in ((module.Holder.method, "values  # the end"),
                               (module.Holder.next, "    def next(self): return 1"),
                               (module.tabs, "\t\treturn x"),
                               (module.last, "def last(x): return x")):
            node = self.read(function)
            self.assertEqual(lines[node.end_lineno - 1], last)
            self.assertEqual(node.name, function.__name__)
            self.assertEqual(type(node.body[-1]).__name__, "Return")

    def test_many_lines_at_the_margin(self):
        text = "def f():\n    text = '''\n" + "line\n" * 50 + "'''\n    return text\nx = 1\n"
        self.assertEqual(self.read(functions_of(text).f).end_lineno, 54)

    def test_the_rest_of_the_file_may_be_wrong(self):
        module = functions_of("def f():\n    return 1\n")
        path = module.f.__code__.co_filename
        with open(path, "w") as file:
            file.write("def f():\n    return 2\n\n\ndef (:\n")
        linecache.checkcache(path)
        self.assertEqual(self.read(module.f).body[0].value.value, 2)

    def test_a_changed_file_is_an_error(self):
        for changed in ("\n\ndef f():\n    return 1\n", "def g():\n    return 1\n", "x = 1\n",
                        "@g\n\n\n", "def f(\n"):
            module = functions_of("def f():\n    return 1\n")
            with open(module.f.__code__.co_filename, "w") as file:
                file.write(changed)
            with self.assertRaisesRegex(ProgramError, "line 1 of .* is not the function f any "
                                        "more: was the file changed"):
                find_source(module.f)


class Tracing(unittest.TestCase):
    def test_the_search_for_garbage_waits(self):
        seen = []

        @cute.jit
        def look(fail: cute.Constexpr):
            seen.append(gc.isenabled())
            if cute.const_expr(fail):
                raise ValueError("stop")

        cute.compile(look, False)
        with self.assertRaises(ValueError):
            cute.compile(look, True)
        self.assertEqual(seen, [False, False])
        self.assertTrue(gc.isenabled())
        gc.disable()
        try:
            cute.compile(look, False)
            self.assertFalse(gc.isenabled())
        finally:
            gc.enable()


if __name__ == "__main__":
    unittest.main()
