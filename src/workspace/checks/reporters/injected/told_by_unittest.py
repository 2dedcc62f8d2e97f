"""Runs unittest as `python -m unittest` does, and tells each test over our channel. It runs in unittest's own process."""

import os
import sys
import unittest

from told_channel import Channel, hide

hide()
_channel = Channel("unittest")
_order = ("passed", "excused", "left", "failed")


class _Result(unittest.TextTestResult):
    """Tells before the class below it is asked, which judged code can change for everybody."""

    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self._ends = {}
        self.any_failed = False

    def _note(self, test, end):
        name = test.id()
        self.any_failed = self.any_failed or end == "failed"
        if name in self._ends:
            self._ends[name] = max(self._ends[name], end, key=_order.index)
        else:
            # A class or module that cannot be set up is no test that was started.
            _channel.tell({"name": name, "ended": end})

    def startTest(self, test):
        self._ends[test.id()] = "passed"
        super().startTest(test)

    def stopTest(self, test):
        name = test.id()
        if name in self._ends:
            _channel.tell({"name": name, "ended": self._ends.pop(name)})
        super().stopTest(test)

    def addError(self, test, err):
        self._note(test, "failed")
        super().addError(test, err)

    def addFailure(self, test, err):
        self._note(test, "failed")
        super().addFailure(test, err)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._note(test, "failed")
        super().addSubTest(test, subtest, err)

    def addUnexpectedSuccess(self, test):
        self._note(test, "failed")
        super().addUnexpectedSuccess(test)

    def addSkip(self, test, reason):
        self._note(test, "left")
        super().addSkip(test, reason)

    def addExpectedFailure(self, test, err):
        self._note(test, "excused")
        super().addExpectedFailure(test, err)


class _Runner(unittest.TextTestRunner):
    resultclass = _Result

    def run(self, test):
        planned = test.countTestCases()
        result = super().run(test)
        failed = getattr(result, "any_failed", True)
        _channel.tell({"planned": planned, "failed": failed})
        _channel.close()
        return result


sys.argv[0] = os.path.basename(sys.executable) + " -m unittest"
unittest.main(module=None, testRunner=_Runner)
