"""A plugin of pytest: tells each test over the socket that lies beside this file. It runs in pytest's own process."""

import json
import os
import socket
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_words = "-p " + __name__


def _hide():
    """Tests, and programs that they start, see what the user gave and no more."""
    for name, mine, between in (("PYTEST_ADDOPTS", _words, " "), ("PYTHONPATH", _here, os.pathsep)):
        rest = os.environ.get(name, "").replace(mine, "").strip(between)
        if rest:
            os.environ[name] = rest
        else:
            os.environ.pop(name, None)
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != _here]


class _Channel:
    def __init__(self):
        self._dumps = json.dumps
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(os.path.join(_here, "socket"))
        except OSError:
            self._socket = None
        self.tell({"runner": "pytest"})

    def tell(self, record):
        if self._socket is None:
            return
        try:
            self._socket.sendall((self._dumps(record) + "\n").encode("utf-8", "replace"))
        except OSError:
            self._socket = None

    def close(self):
        if self._socket is not None:
            self._socket.close()
            self._socket = None


_hide()
_channel = None
_ends = {}


def pytest_configure(config):
    global _channel
    # A worker of xdist would look for this plugin by its name.
    if __name__ in (config.option.plugins or []):
        config.option.plugins.remove(__name__)
    if not hasattr(config, "workerinput"):
        _channel = _Channel()


def pytest_runtest_logreport(report):
    end = "failed" if report.failed else "left" if report.skipped else "passed"
    if hasattr(report, "wasxfail"):
        end = "excused" if report.skipped else end
    order = ("passed", "excused", "left", "failed")
    known = _ends.get(report.nodeid, "passed")
    _ends[report.nodeid] = max(known, end, key=order.index)
    if report.when == "teardown" and _channel is not None:
        _channel.tell({"name": report.nodeid, "ended": _ends.pop(report.nodeid)})


def pytest_collectreport(report):
    if report.failed and _channel is not None:
        _channel.tell({"name": report.nodeid, "ended": "failed"})


def pytest_sessionfinish(session, exitstatus):
    session.config._told_end = (getattr(session, "testscollected", None), int(exitstatus))


def pytest_unconfigure(config):
    planned, status = getattr(config, "_told_end", (None, None))
    if _channel is not None and status is not None:
        _channel.tell({"planned": planned, "failed": status not in (0, 5)})
        _channel.close()
