"""Values as plain JSON, so that a call can be repeated in another process."""

import binascii
import json
import math
import sys

_deepest = 8
_most = 5_000
# Of one value, with all that is in it; and of all values of a process.
_most_values = 20_000
_most_written = 3_000_000
_count = [0, 0]
_dumps = json.dumps


def _tagged(tag, value=None):
    return {"$": tag, "v": value}


def _fields(value, depth):
    if all(isinstance(key, str) for key in value):
        made = {key: encode(one, depth + 1) for key, one in list(value.items())[:_most]}
        return _tagged("plain", made) if "$" in made else made
    pairs = [[encode(key, depth + 1), encode(one, depth + 1)] for key, one in list(value.items())[:_most]]
    return _tagged("dict", sorted(pairs, key=_dumps))


def _number(value):
    if type(value) is int:
        return value if abs(value) < 2**53 else _tagged("int", str(value))
    if math.isfinite(value) and value != int(value):
        return value
    return _tagged("float", repr(value))


def _kind(module, name):
    """A value of such a kind exists only where its module was loaded."""
    return getattr(sys.modules.get(module), name, ())


def _place(kind):
    """The module and the name by which another process finds a class; None for one that is found nowhere, or in tests."""
    module, name = kind.__module__, kind.__qualname__
    parts = module.split(".")
    if module == "__main__" or any(one in _of_tests or one.startswith("test_") or one.endswith("_test") for one in parts):
        return None
    return [module, name] if _kind(module, name) is kind else None


def _is_of_fields(kind):
    """Its objects are nothing but their fields: it and the classes above it are written in Python."""
    own = [one for one in kind.__mro__ if one is not object]
    files = [getattr(sys.modules.get(one.__module__), "__file__", None) or "" for one in own]
    return type(kind).__module__ in ("builtins", "abc") and all(
        one.__flags__ & _made_by_python and file.endswith(".py") for one, file in zip(own, files)
    )


_made_by_python = 1 << 9
_of_tests = ("tests", "test", "conftest", "unittest")


class Left:
    """An object as a call without a result has left it."""

    def __init__(self, value):
        self.value = value


def fields_of(value):
    made = dict(getattr(value, "__dict__", None) or {})
    for kind in type(value).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and not name.startswith("__") and hasattr(value, name):
                made[name] = getattr(value, name)
    return made


def _other(value, depth):
    if type(value) is Left:
        return _tagged("instance", [type(value.value).__name__, _fields(fields_of(value.value), depth)])
    for name in ("datetime", "date", "time"):
        if isinstance(value, _kind("datetime", name)):
            return _tagged(name, value.isoformat())
    if isinstance(value, _kind("decimal", "Decimal")):
        return _tagged("decimal", str(value))
    if isinstance(value, _kind("pathlib", "PurePath")):
        return _tagged("path", str(value))
    if isinstance(value, BaseException):
        more = _fields(vars(value), depth) if vars(value) else None
        return _tagged("error", [type(value).__name__, str(value)[:500], *([] if more is None else [more])])
    place = _place(type(value))
    if place is not None and isinstance(value, _kind("enum", "Enum")):
        return _tagged("member", [*place, value.name])
    if place is not None and isinstance(value, tuple) and hasattr(value, "_fields"):
        return _tagged("named", [*place, [encode(one, depth + 1) for one in value]])
    if callable(value) or hasattr(value, "__next__"):
        return _tagged("lost", type(value).__name__)
    if place is not None and (hasattr(value, "__dataclass_fields__") or _is_of_fields(type(value))):
        return _tagged("object", [*place, _fields(fields_of(value), depth)])
    fields = getattr(value, "__dict__", None)
    if isinstance(fields, dict) and fields:
        return _tagged("instance", [type(value).__name__, _fields(dict(fields), depth)])
    return _tagged("lost", type(value).__name__)


def _encode(value, depth):
    if value is None or isinstance(value, bool) or type(value) is str:
        return value
    if type(value) in (int, float):
        return _number(value)
    if depth > _deepest:
        return _tagged("lost", "deep")
    kind = type(value)
    if kind in (list, tuple, set, frozenset) and len(value) > _most:
        return _tagged("lost", "long")
    if kind is list:
        return [encode(one, depth + 1) for one in value]
    if kind is tuple:
        return _tagged("tuple", [encode(one, depth + 1) for one in value])
    if kind in (set, frozenset):
        return _tagged(kind.__name__, sorted((encode(one, depth + 1) for one in value), key=_dumps))
    if kind is dict:
        return _fields(value, depth)
    if kind in (bytes, bytearray):
        return _tagged("binary", binascii.b2a_base64(bytes(value)[:2000], newline=False).decode())
    return _other(value, depth)


def _digest(value):
    """What stands for a value that is too long to be written down: equal values have equal ones."""
    text = _dumps(value, sort_keys=True)
    return _tagged("digest", [str(binascii.crc32(text.encode())), len(text)])


def encode(value, depth=0):
    if depth == 0:
        _count[0] = 0
    _count[0] += 1
    _count[1] += 1
    if _count[0] > _most_values:
        return _tagged("lost", "long")
    try:
        return _encode(value, depth)
    except Exception:
        return _tagged("lost", "unreadable")


def _loaded(module, name, made):
    return made(getattr(__import__(module), name))


def _error(name, message, more=None):
    import builtins

    kind = getattr(builtins, name, Exception)
    made = kind(message) if isinstance(kind, type) and issubclass(kind, BaseException) else Exception(message)
    vars(made).update(decode(more or {}))
    return made


def _class(module, name):
    import importlib

    return getattr(importlib.import_module(module), name)


def _object(module, name, fields):
    made = object.__new__(_class(module, name))
    for key, one in (fields["v"] if "$" in fields else fields).items():
        object.__setattr__(made, key, decode(one))
    return made


_rebuild = {
    "member": lambda v: _class(v[0], v[1])[v[2]],
    "named": lambda v: _class(v[0], v[1])(*[decode(one) for one in v[2]]),
    "object": lambda v: _object(*v),
    "error": lambda v: _error(*v),
    "plain": lambda v: {key: decode(one) for key, one in v.items()},
    "dict": lambda v: {decode(key): decode(one) for key, one in v},
    "int": int,
    "float": float,
    "datetime": lambda v: _loaded("datetime", "datetime", lambda kind: kind.fromisoformat(v)),
    "date": lambda v: _loaded("datetime", "date", lambda kind: kind.fromisoformat(v)),
    "time": lambda v: _loaded("datetime", "time", lambda kind: kind.fromisoformat(v)),
    "decimal": lambda v: _loaded("decimal", "Decimal", lambda kind: kind(v)),
    "path": lambda v: _loaded("pathlib", "Path", lambda kind: kind(v)),
    "tuple": lambda v: tuple(decode(one) for one in v),
    "set": lambda v: {decode(one) for one in v},
    "frozenset": lambda v: frozenset(decode(one) for one in v),
    "binary": binascii.a2b_base64,
}


def decode(value):
    if isinstance(value, list):
        return [decode(one) for one in value]
    if not isinstance(value, dict):
        return value
    if "$" in value:
        return _rebuild[value["$"]](value["v"])
    return {key: decode(one) for key, one in value.items()}
