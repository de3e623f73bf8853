# RUN: %python %s
"""``python -m cute check``: the stages of each function of a program, as text and as JSON."""

import json
import os
import subprocess
import sys
import unittest
import unittest.mock

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Inputs", "checked_program.py")


def check(*args, options=(), arch="sm_90a"):
    """The exit status of the command, and what it printed."""
    command = [sys.executable, "-m", "cute", "check", "--arch", arch, *options, PROGRAM, *args]
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stdout


def line_of(mark):
    with open(PROGRAM, encoding="utf-8") as file:
        return next(i for i, line in enumerate(file, 1) if line.rstrip().endswith(mark))


class Checked(unittest.TestCase):
    def test_each_stage(self):
        status, text = check("unknown", "newer", "conflicts", "outside", "right",
                             options=["--json"], arch="sm_80")
        self.assertEqual(status, 1)
        found = json.loads(text)
        self.assertEqual(found["file"], PROGRAM)
        ends = {function["name"]: function["stages"] for function in found["functions"]}
        for function in found["functions"]:
            proofs = [proof["answer"] for proof in function["proofs"]]
            proved = function["stages"].pop("prove", None)
            self.assertEqual(proved, f"{proofs.count('proved')} of {len(proofs)}" if proofs else None)
        done = {"trace": "ok", "compile": "ok", "lint": "ok", "simulate": "ok"}
        self.assertEqual(ends, {
            "unknown": {"trace": "error"},
            "newer": {"trace": "ok", "compile": "error"},
            "conflicts": {**done, "lint": "warning"},
            "outside": {**done, "lint": "warning", "simulate": "error"},
            "right": done,
        })
        for name, stage, mark, words in (
            ("unknown", "trace", "TRACE", "NameError: name 'nosuch' is not defined"),
            ("newer", "compile", "COMPILE", "needs sm_90 or later"),
            ("conflicts", "lint", "LINT", "32-way bank conflicts"),
            ("outside", "simulate", "SIMULATE", "out of bounds: writes 4 bytes"),
        ):
            of_stage = [f for f in found["findings"] if (f["function"], f["stage"]) == (name, stage)]
            self.assertIn(words, of_stage[0]["message"])
            self.assertEqual((of_stage[0]["file"], of_stage[0]["line"]), (PROGRAM, line_of(mark)))

    def test_proofs(self):
        """What holds for every size, and a remark where it does not at sizes that nobody used."""
        status, text = check("right", "guarded", options=["--json", "--werror"])
        found = json.loads(text)
        self.assertEqual((status, [one["stage"] for one in found["findings"]]), (0, ["prove"]))
        remark, = found["findings"]
        self.assertEqual((remark["severity"], remark["file"], remark["line"], remark["column"]),
                         ("remark", PROGRAM, line_of("PROVE"), 5))
        self.assertIn("at other sizes, an access of global memory is out of bounds: "
                      "arg0.shape[0] = 1, thread x 1", remark["message"])
        self.assertIn("the simulator shows it", remark["notes"][0]["message"])
        right, guarded = found["functions"]
        bounds = "every access of global memory is in bounds, for every size"
        self.assertIn({"kernel": "kernel_guarded_0", "answer": "proved", "claim": bounds},
                      guarded["proofs"])
        self.assertIn("refuted", [proof["answer"] for proof in right["proofs"]])

    def test_without_proofs(self):
        """Where cutec takes too long, there are none."""
        sys.path.insert(0, os.environ["PYTHONPATH"].split(os.pathsep)[0])
        from cute._compile import proofs
        module = unittest.mock.Mock()
        module.text_with_locations.return_value = "no module"
        self.assertEqual(proofs.prove(module, "sm_80", 30), [])
        self.assertEqual(proofs.prove(module, "sm_80", 0), [])

    def test_hovers(self):
        """Each name has the type of what it is given, a static layout its picture."""
        hovers = {(h["line"], h["name"]): h for h in json.loads(
            check("shown", options=["--json"])[1])["hovers"]}
        at = line_of("LAYOUT")
        layout, part, total = (hovers[at + i, name] for i, name in
                               enumerate(("layout", "part", "total")))
        self.assertEqual(layout["type"], '!cute.layout<"(2,3):(3,1)">')
        self.assertEqual(layout["picture"].splitlines()[2:], [
            " 0  | 0 | 1 | 2 |", " 1  | 3 | 4 | 5 |"])
        self.assertEqual((layout["file"], layout["column"]), (PROGRAM, 5))
        self.assertIn("local_tile of ", part["explanation"])
        self.assertNotIn("picture", part)
        self.assertEqual(total["type"], "Float32")
        self.assertEqual((hovers[at + 3, "i"]["type"], hovers[at + 3, "i"]["column"]), ("Int32", 9))
        self.assertEqual(hovers[at + 5, "total"]["column"], 9)
        self.assertEqual({h["file"] for h in hovers.values()}, {PROGRAM})

    def test_text(self):
        status, text = check("outside", "right")
        self.assertEqual(status, 1)
        self.assertRegex(text, r"(?m)^outside \(kernel_outside_0\): trace ok, .*, simulate error$")
        self.assertRegex(text, r"(?m)^right \(kernel_right_0\): .*, simulate ok$")
        self.assertRegex(text, r"(?m)^  .*checked_program.py:\d+:5: error: .*out of bounds")
        self.assertNotIn("what the program prints", text)

    def test_forms_of_the_tools(self):
        at = line_of("LINT")
        status, text = check("conflicts", options=["--diagnostics=json"])
        found = [one for one in json.loads(text) if one["line"] == at]
        self.assertEqual((status, found[0]["severity"]), (0, "warning"))
        self.assertEqual(set(found[0]), {"severity", "message", "file", "line", "column", "notes"})
        self.assertIn("bank conflicts", found[0]["message"])
        log = json.loads(check("conflicts", options=["--diagnostics=sarif"])[1])
        run = log["runs"][0]
        self.assertEqual((log["version"], run["tool"]["driver"]["name"]), ("2.1.0", "cute check"))
        place = run["results"][0]["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]["startLine"]), (PROGRAM, at))
        self.assertEqual(run["results"][0]["level"], "warning")
        text = check("conflicts", options=["--diagnostics", "github"])[1]
        self.assertRegex(text, rf"(?m)^::warning file={PROGRAM},line={at},col=\d+::.*%0Anote: ")
        self.assertEqual(json.loads(check("guarded", options=["--diagnostics=json"])[1]), [])

    def test_warnings_as_errors(self):
        status, text = check("conflicts", options=["--werror"])
        self.assertEqual(status, 1)
        self.assertIn("lint error", text)
        self.assertIn(": error: ", text)

    def test_nothing_wrong(self):
        self.assertEqual(check("right")[0], 0)

    def test_a_kernel_that_takes_too_long_is_a_remark(self):
        status, text = check("endless", options=["--seconds", "1"])
        self.assertEqual(status, 0)
        self.assertIn("remark: kernel 'kernel_endless_0': ", text)
        self.assertIn("try smaller sizes, or --seconds", text)

    def test_errors_of_the_program(self):
        status, text = check("right", "nosuch")
        self.assertEqual(status, 1)
        self.assertIn("checked_program.py: program error", text)
        self.assertIn("error: AssertionError: no kernel is called nosuch", text)
        status, text = check("unknown", "nosuch")
        self.assertEqual(status, 1)
        self.assertIn("remark: AssertionError: no kernel is called nosuch (perhaps", text)


if __name__ == "__main__":
    unittest.main()
