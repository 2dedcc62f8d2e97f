"""Tells the results of a Python test runner over the socket that lies beside this file. Runs inside the user's runner."""

import json
import os
import socket
import sys

_here = os.path.dirname(os.path.abspath(__file__))


def hide(words=""):
    """Tests, and programs that they start, see what the user gave and no more."""
    for name, mine, between in (("PYTEST_ADDOPTS", words, " "), ("PYTHONPATH", _here, os.pathsep)):
        if not mine or name not in os.environ:
            continue
        rest = os.environ[name].replace(mine, "").strip(between)
        if rest:
            os.environ[name] = rest
        else:
            os.environ.pop(name, None)
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != _here]


class Channel:
    """A channel that breaks is silent: the runner goes on, and the missing end is seen outside."""

    def __init__(self, runner):
        self._dumps = json.dumps
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(os.path.join(_here, "socket"))
        except OSError:
            self._socket = None
        self.tell({"runner": runner})

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
