"""The lit test format of this tree; a module, since lit's workers pickle it."""
import os
import resource

import lit.formats
import lit.Test
import lit.util


def cpu_seconds():
    """The user and system time of this worker and of its children so far."""
    usages = [resource.getrusage(who)
              for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


class ShellOrUnitTest(lit.formats.ShTest):
    """Shell tests, and NAME_test.c: the program that was built from it."""

    def __init__(self, programs):
        super().__init__(execute_external=False)
        self.programs = programs

    def execute(self, test, litConfig):
        """The result, with the CPU time of the processes that the test ran."""
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
