# What goes into a call and comes out of it and is no plain value: callbacks, functions that a call gives, walks, and what is
# printed meanwhile. The recorder and the player share it.
import functools
import sys
import types
import weakref

_most_output = 4_000
_most_calls = 40
_most_steps = 300
_most_before = 12


class _Output:
    """Listens to what is printed."""

    def __init__(self):
        self.found = []
        self.own = {name: self.tee(getattr(sys, name), name) for name in ("stdout", "stderr")}
        self.before = {name: getattr(sys, name) for name in self.own}
        for name, stream in self.own.items():
            setattr(sys, name, stream)

    def tee(self, stream, label):
        def write(_, text):
            last = self.found[-1] if self.found else None
            if last and last[0] == label:
                last[1] = (last[1] + str(text))[:_most_output]
            elif len(self.found) < _most_calls:
                self.found.append([label, str(text)])
            return stream.write(text)

        kind = type(stream)
        own = {
            "write": write,
            "__getattr__": lambda _, name: getattr(stream, name),
            "__class__": property(lambda _: kind),
        }
        return type(kind.__name__, (), own)()

    def end(self):
        for name, stream in self.own.items():
            if getattr(sys, name) is stream:
                setattr(sys, name, self.before[name])
        return [[label, [text]] for label, text in self.found]


def _is_function(value):
    return type(value) in (types.FunctionType, types.MethodType) and not value.__code__.co_flags & 0x2A0


_heard = weakref.WeakKeyDictionary()


def _listening(function):
    """The function that is handed on instead, always the same one, and who listens to its calls now."""
    if function in _heard:
        return _heard[function]
    listeners = []

    @functools.wraps(function)
    def apart(*given, **named):
        if not listeners:
            return function(*given, **named)
        a = [encode(one) for one in given] + ([encode(named)] if named else [])
        entries = [listener(a) for listener in listeners]
        try:
            result = function(*given, **named)
        except BaseException as error:
            for entry in entries:
                entry[1] = {"t": encode(error)}
            raise
        for entry in entries:
            entry[1] = {"r": encode(result)}
        return result

    _heard[function] = (apart, listeners)
    return _heard[function]


class _Callbacks:
    """The arguments of a call, with functions that note what they are given."""

    def __init__(self, given):
        self.calls, self.tables, self.ends = [], {}, []
        self.given = [self.hand(at, one) for at, one in enumerate(given)]

    def hand(self, at, one):
        if not _is_function(one):
            return one
        apart, listeners = _listening(one)
        table = self.tables[at] = []

        def listener(a):
            entry = [a, None]
            self.calls.append([at, a])
            if len(self.calls) <= _most_calls:
                table.append(entry)
            return entry

        listeners.append(listener)
        self.ends.append(lambda: listeners.remove(listener))
        return apart

    def written(self, a):
        return [_tagged("callback", []) if at in self.tables else one for at, one in enumerate(a)]

    def made(self, a):
        for end in self.ends:
            end()
        self.ends = []
        if not self.tables:
            return {}
        if len(self.calls) > _most_calls or any(end is None for table in self.tables.values() for _, end in table):
            return {"a": None}
        whole = [_tagged("callback", self.tables[at]) if at in self.tables else one for at, one in enumerate(a)]
        return {"a": whole, "b": self.calls}


def _walked(generator, tell):
    """The steps of a walk, up to the last one that was asked for."""
    steps, asked, over = [], 0, False

    def finish():
        nonlocal over
        if not over:
            over = True
            tell({"steps": steps}, asked)

    def act():
        return next(generator)

    while True:
        asked += 1
        try:
            one = act()
        except StopIteration as end:
            steps.append({"done": True, "value": encode(end.value)})
            finish()
            return end.value
        except BaseException as error:
            steps.append({"error": encode(error)})
            finish()
            raise
        if not over:
            steps.append(encode(one))
        if asked >= _most_steps:
            finish()
        try:
            sent = yield one
            over = over or sent is not None
            act = functools.partial(generator.send, sent)
        except GeneratorExit:
            finish()
            generator.close()
            raise
        except BaseException as error:
            over = True
            act = functools.partial(generator.throw, error)


def _steps_of(generator, count):
    steps = []
    for _ in range(count):
        try:
            steps.append(encode(next(generator)))
        except StopIteration as end:
            steps.append({"done": True, "value": encode(end.value)})
            break
        except BaseException as error:
            steps.append({"error": encode(error)})
            break
    return {"steps": steps}


def _stub(at, table, calls):
    """A function that answers as the callback of the test did, and notes what it is given."""
    asked = {}

    def answer(*given, **named):
        a = [encode(one) for one in given] + ([encode(named)] if named else [])
        calls.append([at, a])
        text = _dumps(a)
        own = [end for args, end in table if _dumps(args) == text]
        time = asked.get(text, 0)
        asked[text] = time + 1
        end = own[min(time, len(own) - 1)] if own else {"r": None}
        if "t" in end:
            raise decode(end["t"])
        return decode(end["r"])

    return answer
