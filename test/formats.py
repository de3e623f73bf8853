"""The lit test format of this tree; a module, since lit's workers pickle it."""
import os
import re
import resource

import lit.formats
import lit.Test
import lit.util

import turns

TURN = re.compile(r"^\W*TURN: (\d+) of (\d+)$", re.MULTILINE)
REQUIRES = re.compile(r"^// REQUIRES: (\w+)$", re.MULTILINE)


def cpu_seconds():
    """The user and system time of this worker and of its children so far."""
    usages = [resource.getrusage(who)
              for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def why_not(test):
    """Why a test is left out, or None: those with a line TURN: 1 of 4 have their turn in
    one commit of four; shell tests have told lit what they require."""
    with open(test.getSourcePath(), encoding="utf-8", errors="replace") as file:
        text = file.read()
    turn = TURN.search(text)
    if turn and not turns.is_turn(int(turn[1]), int(turn[2])):
        return "has its turn in another commit"
    if test.path_in_suite[-1].endswith(".c"):
        for feature in REQUIRES.findall(text):
            if feature not in test.config.available_features:
                return f"requires {feature}"
    return None


class ShellOrUnitTest(lit.formats.ShTest):
    """Shell tests, and NAME_test.c: the program that was built from it."""

    def __init__(self, programs):
        super().__init__(execute_external=False)
        self.programs = programs

    def execute(self, test, litConfig):
        """The result, with the CPU time of the processes that the test ran."""
        reason = why_not(test)
        if reason:
            return lit.Test.Result(lit.Test.UNSUPPORTED, reason)
        before = cpu_seconds()
        result = self.run(test, litConfig)
        if not isinstance(result, lit.Test.Result):
            result = lit.Test.Result(*result)
        result.addMetric("cpu_seconds",
                         lit.Test.RealMetricValue(cpu_seconds() - before))
        return result

    def run(self, test, litConfig):
        if not test.path_in_suite[-1].endswith("_test.c"):
            return super().execute(test, litConfig)
        name = os.path.join(*test.path_in_suite)[:-len(".c")]
        out, err, code = lit.util.executeCommand(
            [os.path.join(self.programs, name)], env=test.config.environment)
        return (lit.Test.PASS, "") if code == 0 else (lit.Test.FAIL, out + err)
