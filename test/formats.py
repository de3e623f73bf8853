"""The lit test format of this tree; a module, since lit's workers pickle it."""
import os

import lit.formats
import lit.Test
import lit.util


class ShellOrUnitTest(lit.formats.ShTest):
    """Shell tests, and NAME_test.c: the program that was built from it."""

    def __init__(self, programs):
        super().__init__(execute_external=False)
        self.programs = programs

    def execute(self, test, litConfig):
        if not test.path_in_suite[-1].endswith("_test.c"):
            return super().execute(test, litConfig)
        name = os.path.join(*test.path_in_suite)[:-len(".c")]
        out, err, code = lit.util.executeCommand(
            [os.path.join(self.programs, name)], env=test.config.environment)
        return (lit.Test.PASS, "") if code == 0 else (lit.Test.FAIL, out + err)
