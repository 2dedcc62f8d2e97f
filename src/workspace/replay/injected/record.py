# Reports each call of a function of the named files, with its arguments and its result. Python loads it before any code of
# the project. The pipe takes what is written and gives nothing back.
import functools
import importlib
import importlib._bootstrap_external as _loading
import os
import random
import sys
import threading
import types

_chance = random.Random()
_longest = 3_900
_most_lines = 3_000
_first_kept = 100
_first_env = dict(os.environ)
_lock = threading.Lock()
_seen = {}
_lines = 0
_pipe = None


def _write(record):
    global _pipe
    try:
        if _pipe is None:
            _pipe = os.open(_plan["pipe"], os.O_WRONLY)
        line = _dumps(record)
        if len(line) > _longest:
            line = _dumps({key: one for key, one in record.items() if key not in "rt"} | {"cut": True})
        if len(line) > _longest:
            line = _dumps({"n": record.get("n"), "m": record["m"], "f": record["f"], "lost": "long"})
        os.write(_pipe, (line + "\n").encode())
    except OSError:
        _pipe = None


def _changed():
    names = [name for name, value in os.environ.items() if _first_env.get(name) != value]
    return {"e": {name: os.environ[name][:200] for name in names[:10]}} if names else {}


def _is_kept(name, args):
    """The first calls with other arguments, and a few of the later ones."""
    global _lines
    with _lock:
        known = _seen.setdefault(name, [set(), 0])
        known[1] += 1
        if _lines >= _most_lines or (args in known[0] and known[1] > _first_kept):
            return False
        if len(known[0]) >= _first_kept and _chance.random() > _first_kept / known[1]:
            return False
        known[0].add(args)
        _lines += 1
        return True


def _recorded(file, name, function):
    _write({"m": file, "f": name, "known": True})

    @functools.wraps(function)
    def call(*given, **named):
        a = [encode(one) for one in given]
        k = {key: encode(one) for key, one in named.items()}
        record = {"n": _lines, "m": file, "f": name, "a": a, **({"k": k} if k else {}), **_changed()}
        kept = _is_kept((file, name), _dumps([a, k]))
        try:
            result = function(*given, **named)
        except BaseException as error:
            if kept:
                _write({**record, "t": encode(error)})
            raise
        if kept:
            _write({**record, "r": encode(result)})
        return result

    return call


def _is_own(function):
    return type(function) is types.FunctionType and os.path.realpath(function.__code__.co_filename).startswith(_top)


def _wrap(module, file):
    import inspect

    inside = [os.path.relpath(one, _top) for one in map(os.path.abspath, sys.path) if (one + os.sep).startswith(_top)]
    _write({"m": file, "program": sys.executable, "module": module.__name__, "paths": inside[:8]})
    for name, value in list(vars(module).items()):
        if name.startswith("_") or not _is_own(value):
            continue
        if inspect.isgeneratorfunction(value) or inspect.iscoroutinefunction(value):
            _write({"m": file, "f": name, "lost": "generator"})
        else:
            setattr(module, name, _recorded(file, name, value))


_top = os.path.realpath(_plan["top"]) + os.sep
_files = {os.path.realpath(os.path.join(_top, file)): file for file in _plan["files"]}
_exec = _loading._LoaderBasics.exec_module


def _exec_module(self, module):
    _exec(self, module)
    file = _files.get(os.path.realpath(getattr(module, "__file__", None) or ""))
    if file is not None and module.__name__ != "__main__":
        _wrap(module, file)


_loading._LoaderBasics.exec_module = _exec_module
_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != _here]
sys.modules.pop("sitecustomize", None)
try:
    importlib.import_module("sitecustomize")
except ImportError:
    pass
