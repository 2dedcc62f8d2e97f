# Reports each call of a function or method of the named files, with its arguments and its result. Python loads it before any code of
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
_spent = {}
_lines = 0
_pipe = None


def _write(record):
    global _pipe
    try:
        if _pipe is None:
            _pipe = os.open(_plan["pipe"], os.O_WRONLY)
        line = _dumps(record)
        if len(line) > _longest and "r" in record:
            line = _dumps({**record, "r": _digest(record["r"])})
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


class _Report:
    """One call: what it was given, and its end."""

    def __init__(self, file, name, given, named, more):
        first = _count[1]
        self.calls = _Callbacks(given) if _plan["traced"] else None
        self.given = given if self.calls is None else self.calls.given
        self.plain = [encode(one) for one in given]
        self.a = self.plain if self.calls is None else self.calls.written(self.plain)
        self.all = given
        k = {key: encode(one) for key, one in named.items()}
        self.record = {"n": _lines, "m": file, "f": name, "a": self.a, **({"k": k} if k else {}), **more, **_changed()}
        self.kept = _is_kept((file, name, _size_of(given)), _dumps([self.a, k, more]))
        for key in (_size_of(given), (file, name, _size_of(given))):
            _spent[key] = _spent.get(key, 0) + _count[1] - first

    def tell(self, end):
        made = {} if self.calls is None else self.calls.made(self.a)
        if self.kept:
            _write({**self.record, **made, **end})

    def value(self, result, **more):
        end = encode(result)
        after = [encode(one) for one in self.all]
        self.tell({"r": end if _dumps(after) == _dumps(self.plain) else {"$": "changed", "v": [end, after]}, **more})

    def error(self, error, **more):
        self.tell({"t": encode(error), **more})


def _size_of(given):
    return "long" if any(type(one) in (list, tuple, str, bytes, dict) and len(one) > 200 for one in given) else "short"


def _is_over(file, name, given):
    """Long values again and again would make a test too slow; one function must not use up the room of the others, and long
    values not that of short ones."""
    size = _size_of(given)
    most = _spent.get(size, 0) > _most_written or _spent.get((file, name, size), 0) > _most_written / 4
    over = _lines >= _most_lines or most
    if over:
        _lose(file, name, "full")
    return over


def _report(file, name, act, given, named, more, result_of):
    if _is_over(file, name, given):
        return act(*given)
    report = _Report(file, name, given, named, more)
    output = _Output() if report.kept and _plan["traced"] else None
    try:
        result = act(*report.given)
    except BaseException as error:
        report.error(error, **({"w": output.end()} if output else {}))
        raise
    printed = {"w": output.end()} if output else {}
    if _plan["traced"] and type(result) is types.GeneratorType:
        return _walked(result, lambda steps, count: report.tell({"r": steps, "g": count}))
    if _plan["traced"] and type(getattr(result, "gen", None)) is types.GeneratorType:
        result.gen = _walked(result.gen, lambda steps, count: report.tell({"r": steps, "g": count}))
        return result
    report.value(result_of(result), **printed)
    if _plan["traced"] and _is_own(result) and _is_function(result) and result not in given and not named:
        return _given(file, name, report.a, more, result)
    return result


async def _report_later(file, name, function, given, named, more):
    if _is_over(file, name, given):
        return await function(*given, **named)
    report = _Report(file, name, given, named, more)
    try:
        result = await function(*report.given, **named)
    except BaseException as error:
        report.error(error)
        raise
    report.value(result)
    return result


def _given(file, name, a, more, function):
    """A function that a call gave is called by the name of that call."""
    full = name + "()"
    y = {"f": name, "a": a, **more}
    before = []
    _write({"m": file, "f": full, "known": True})

    @functools.wraps(function)
    def call(*given, **named):
        tangled = len(before) > _most_before or not _is_whole([y, before])
        more = {"o": {"y": y, "h": [list(one) for one in before]}}
        before.append([None, [encode(one) for one in given]])
        if tangled or named:
            _lose(file, full, "receiver")
            return function(*given, **named)
        return _report(file, full, function, given, {}, more, lambda result: result)

    return call


def _recorded(file, name, function):
    _write({"m": file, "f": name, "known": True})

    @functools.wraps(function)
    def call(*given, **named):
        act = functools.partial(function, **named)
        return _report(file, name, act, given, named, {}, lambda result: result)

    return call


def _recorded_later(file, name, function):
    _write({"m": file, "f": name, "known": True})

    @functools.wraps(function)
    async def call(*given, **named):
        return await _report_later(file, name, function, given, named, {})

    return call


def _cached(file, name, function):
    call = _recorded(file, name, function)
    call.cache_clear, call.cache_info = function.cache_clear, function.cache_info
    return call


def _is_own(function):
    """Also where a decorator of another module is around it."""
    while _plan["traced"] and type(function) is types.FunctionType and hasattr(function, "__wrapped__"):
        function = function.__wrapped__
    return type(function) is types.FunctionType and os.path.realpath(function.__code__.co_filename).startswith(_top)


def _is_bound(value):
    """A function of ours with some arguments, or of an object."""
    if type(value) is functools.partial:
        return _is_own(value.func) or _is_bound(value.func)
    return type(value) is types.MethodType and _is_own(value.__func__)


def _wrap(module, file):
    import inspect

    inside = [os.path.relpath(one, _top) for one in map(os.path.abspath, sys.path) if (one + os.sep).startswith(_top)]
    _write({"m": file, "program": sys.executable, "module": module.__name__, "paths": inside[:8]})
    for name, value in list(vars(module).items()):
        if name.startswith("_") and not (isinstance(value, type) and not name.startswith("__")):
            continue
        if _plan["traced"]:
            _value(file, name, value)
        if isinstance(value, type) and value.__module__ == module.__name__ and _plan["classes"]:
            _wrap_class(value, file)
        elif isinstance(value, functools._lru_cache_wrapper) and _is_own(value.__wrapped__):
            setattr(module, name, _cached(file, name, value))
        elif _plan["traced"] and _is_bound(value):
            setattr(module, name, _recorded(file, name, value))
        elif not _is_own(value):
            continue
        elif inspect.iscoroutinefunction(value) and _plan["traced"]:
            setattr(module, name, _recorded_later(file, name, value))
        elif inspect.iscoroutinefunction(value) or (inspect.isgeneratorfunction(value) and not _plan["traced"]):
            _write({"m": file, "f": name, "lost": "generator"})
        else:
            setattr(module, name, _recorded(file, name, value))


_most_exported = 60


def _value(file, name, value, depth=0):
    """A value that a module exports, as it is when the module is loaded: with what other modules add to it later it is another
    one."""
    if value is None or type(value) in (bool, int, float, str, bytes):
        known = _seen.setdefault((file, "value"), [set(), 0])
        known[1] += 1
        if known[1] <= _most_exported:
            _write({"n": _lines, "m": file, "f": "value " + name, "a": [], "r": encode(value)})
    elif depth < 2 and type(value) in (list, tuple, dict):
        pairs = value.items() if type(value) is dict else enumerate(value)
        for key, one in list(pairs)[:30]:
            if type(key) in (str, int) and "." not in str(key):
                _value(file, name + "." + str(key), one, depth + 1)


_top = os.path.realpath(_plan["top"]) + os.sep
_files = {os.path.realpath(os.path.join(_top, file)): file for file in _plan["files"]}
_exec = _loading._LoaderBasics.exec_module


def _exec_module(self, module):
    _exec(self, module)
    file = _files.get(os.path.realpath(getattr(module, "__file__", None) or ""))
    if file is not None and module.__name__ != "__main__":
        _wrap(module, file)


_loading._LoaderBasics.exec_module = _exec_module
