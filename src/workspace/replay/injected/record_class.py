# The part of the recorder for classes.
import functools
import threading
import types

_classes = {}
_operators = set(
    "__add__ __radd__ __iadd__ __sub__ __rsub__ __isub__ __mul__ __rmul__ __truediv__ __floordiv__ __mod__ __pow__ __neg__ "
    "__abs__ __and__ __or__ __xor__ __lt__ __le__ __gt__ __ge__ __eq__ __contains__ __getitem__ __len__ __str__ __int__ "
    "__float__ __bool__ __format__".split()
)
_busy = threading.local()
# Object -> what it was made of, and its fields then.
_made_of = {}
_most_made = 2_000


def _is_whole(value):
    text = _dumps(value)
    return not any('"$": "' + tag + '"' in text for tag in ("lost", "instance", "callback"))


def _lose(file, name, why):
    with _lock:
        known = _seen.setdefault((file, name, why), [set(), 0])
        known[1] += 1
    if known[1] <= _first_kept:
        _write({"m": file, "f": name, "lost": why})


def _method(file, cls, name, function):
    """The object of a call is written down as its fields."""
    full = cls.__name__ + "." + name
    _write({"m": file, "f": full, "known": True})

    @functools.wraps(function)
    def call(self, *given, **named):
        busy = _busy.__dict__.setdefault("all", set())
        act = functools.partial(function, self, **named)
        # A call inside of another one of the same object is repeated with that one.
        if id(self) in busy:
            return act(*given)
        fields = encode(fields_of(self))
        own = _classes.get(type(self))
        busy.add(id(self))
        try:
            if own is None or not _is_whole(fields):
                _lose(file, full, "receiver")
                return act(*given)
            more = {"o": {"s": fields, **_of_making(self, fields), **({} if type(self) is cls else {"n": own})}}
            return _report(
                file, full, act, given, named, more, lambda result: Left(self) if result is None else result
            )
        finally:
            busy.discard(id(self))

    return call


def _method_later(file, cls, name, function):
    full = cls.__name__ + "." + name
    _write({"m": file, "f": full, "known": True})

    @functools.wraps(function)
    async def call(self, *given, **named):
        fields = encode(fields_of(self))
        own = _classes.get(type(self))
        act = functools.partial(function, self)
        if own is None or not _is_whole(fields):
            _lose(file, full, "receiver")
            return await act(*given, **named)
        more = {"o": {"s": fields, **({} if type(self) is cls else {"n": own})}}
        return await _report_later(file, full, act, given, named, more)

    return call


def _maker(file, cls, function):
    import inspect

    full = "new " + cls.__name__
    _write({"m": file, "f": full, "known": True})
    taken = inspect.signature(function)

    @functools.wraps(function)
    def call(self, *given, **named):
        act = functools.partial(function, self, **named)
        if type(self) is not cls:
            return act(*given)
        bound = taken.bind(self, *given, **named) if _is_fitting(taken, self, given, named) else None
        c = None if bound is None or bound.kwargs else [encode(one) for one in bound.args[1:]]
        result = _report(file, full, act, given, named, {}, lambda _: Left(self))
        if c is not None and len(_made_of) < _most_made and _is_whole(c):
            _made_of[id(self)] = (c, encode(fields_of(self)))
        return result

    return call


def _is_fitting(taken, self, given, named):
    try:
        taken.bind(self, *given, **named)
    except TypeError:
        return False
    return True


def _of_making(self, fields):
    """What an object was made of, where nothing has changed it since."""
    c, first = _made_of.get(id(self), (None, None))
    return {} if c is None or first != fields else {"c": c, "h": []}


def _class_method(file, cls, name, function):
    full = cls.__name__ + "." + name
    _write({"m": file, "f": full, "known": True})

    @functools.wraps(function)
    def call(kind, *given, **named):
        act = functools.partial(function, kind, **named)
        return act(*given) if kind is not cls else _report(file, full, act, given, named, {}, lambda result: result)

    return call


def _wrap_class(cls, file):
    import enum
    import inspect

    if issubclass(cls, (BaseException, enum.Enum, tuple)) or type(cls).__module__ not in ("builtins", "abc"):
        _write({"m": file, "f": cls.__name__, "lost": "class"})
        return
    _classes[cls] = cls.__name__
    for name, value in list(vars(cls).items()):
        full = cls.__name__ + "." + name
        if name == "__init__" and type(value) is types.FunctionType:
            setattr(cls, name, _maker(file, cls, value))
        elif name.startswith("_") and not (name in _operators and _plan["traced"]) and name != "__call__":
            continue
        elif inspect.iscoroutinefunction(value) and _plan["traced"]:
            setattr(cls, name, _method_later(file, cls, name, value))
        elif inspect.iscoroutinefunction(value) or (inspect.isgeneratorfunction(value) and not _plan["traced"]):
            _write({"m": file, "f": full, "lost": "generator"})
        elif isinstance(value, staticmethod) and _is_own(value.__func__):
            setattr(cls, name, staticmethod(_recorded(file, full, value.__func__)))
        elif isinstance(value, classmethod) and _is_own(value.__func__):
            setattr(cls, name, classmethod(_class_method(file, cls, name, value.__func__)))
        elif type(value) is property and _is_own(value.fget):
            made = property(_method(file, cls, name, value.fget), value.fset, value.fdel, value.__doc__)
            setattr(cls, name, made)
        elif _is_own(value):
            setattr(cls, name, _method(file, cls, name, value))
