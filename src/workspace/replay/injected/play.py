# Calls functions with given arguments and reports the results over a pipe. It runs as a plain program in a sandbox, or, for a
# comparison, inside the user's test runner.
import asyncio
import importlib
import inspect
import os
import sys
import time

_longest = 3_900
_clock = time.monotonic
_repeat = 0.025


_watched = "builtins json os os.path time random math datetime re copy logging subprocess socket shutil threading".split()


def shared(is_loading):
    """What every program shares: functions of Python's own modules; and what a module has no reason to change by being loaded."""
    import decimal
    import locale
    import signal
    import threading

    found = {}
    for name in _watched:
        module = importlib.import_module(name)
        found.update({name + "." + key: one for key, one in vars(module).items() if callable(one) and key[:1] != "_"})
    if not is_loading:
        return found
    mask = os.umask(0o077)
    os.umask(mask)
    ends = [one.name for one in threading.enumerate() if not one.daemon]
    return {
        **found,
        "the handler for SIGINT": signal.getsignal(signal.SIGINT),
        "the handler for SIGTERM": signal.getsignal(signal.SIGTERM),
        "the working folder": os.getcwd(),
        "the mode of new files": mask,
        "the limit of calls in calls": sys.getrecursionlimit(),
        "the hook for errors": sys.excepthook,
        "the time that sockets wait": importlib.import_module("socket").getdefaulttimeout(),
        "the locale": locale.setlocale(locale.LC_ALL, None),
        "the precision of decimals": decimal.getcontext().prec,
        "chance": importlib.import_module("random").getstate(),
        "what is logged": importlib.import_module("logging").root.manager.disable,
        "how it ends (an open thread)": len(ends),
    }


def left(tell, before, now, more):
    names = more + [name for name in {**before, **now} if before.get(name) is not now.get(name) and before.get(name) != now.get(name)]
    if names:
        tell({"left": names[:10]})


def value_at(module, path):
    name, *keys = path.split(".")
    value = getattr(module, name, None)
    for key in keys:
        try:
            value = value[key] if type(value) is dict and key in value else value[int(key)]
        except (KeyError, IndexError, TypeError, ValueError):
            return None
    return value


def play(plan):
    pipe = os.open(plan["pipe"], os.O_WRONLY)
    dumps, write = _dumps, os.write

    def tell(record):
        line = dumps({"p": plan["label"], **record})
        if len(line) > _longest and "r" in record:
            line = dumps({"p": plan["label"], **record, "r": _digest(record["r"])})
        if len(line) > _longest:
            line = dumps({"p": plan["label"], "i": record.get("i"), "cut": True})
        write(pipe, (line + "\n").encode())

    def is_own(value, name):
        """What a module defines and can be called, whether or not a recorder was put around it."""
        return callable(value) and getattr(value, "__module__", None) == name

    for place in reversed(plan["paths"]):
        if place not in sys.path:
            sys.path.insert(0, place)
    modules, values = {}, {}
    first = shared(True) if plan.get("lists") else {}
    output = _Output()
    for file, name in plan["modules"].items():
        try:
            modules[file] = importlib.import_module(name)
            for one in plan["calls"]:
                if one["m"] == file and one["f"].startswith("value "):
                    values[(file, one["f"])] = encode(value_at(modules[file], one["f"][6:]))
            if plan.get("lists"):
                own = [key[:50] for key, value in vars(modules[file]).items() if is_own(value, name) and key[0] != "_"]
                tell({"m": file, "exports": own[:60]})
        except BaseException as error:
            tell({"m": file, "failed": (type(error).__name__ + ": " + str(error))[:300]})

    printed = ["what is printed"] if output.end() else []
    if plan.get("lists"):
        left(tell, first, shared(True), printed)
    loaded = shared(False) if plan.get("lists") else {}

    def method_of(found, member, o, given, named):
        if o is None:
            return getattr(found, member)(*given, **named)
        if "s" in o:
            made = object.__new__(found)
            for name, value in decode(o["s"]).items():
                object.__setattr__(made, name, value)
        else:
            made = found(*[decode(value) for value in o["c"]])
        value = getattr(made, member)
        result = value(*given, **named) if callable(value) else value
        return Left(made) if result is None else result

    def given_by(one):
        """What a call gave, after the calls that were made on it since then."""
        y, before = one["o"]["y"], one["o"]["h"]
        found = callable_of({**y, "m": one["m"]})([decode(value) for value in y["a"]], {})
        for _, a in before:
            try:
                found(*[decode(value) for value in a])
            except Exception:
                # It failed under the tests as well, or the end of the call will show it.
                pass
        return lambda given, named: found(*given, **named)

    def callable_of(one):
        """None where there is nothing to call."""
        if "y" in one.get("o", {}):
            return given_by(one)
        module, (name, _, member) = modules.get(one["m"]), one["f"].partition(".")
        o = one.get("o")
        if name.startswith("new "):
            found = getattr(module, name[4:], None)
            return (lambda given, named: Left(found(*given, **named))) if isinstance(found, type) else None
        found = getattr(module, (o or {}).get("n", name), None)
        if member == "":
            return (lambda given, named: found(*given, **named)) if callable(found) else None
        if not isinstance(found, type) or not hasattr(found, member):
            return None
        return lambda given, named: method_of(found, member, o, given, named)

    def given_at(at, value, calls):
        is_callback = isinstance(value, dict) and value.get("$") == "callback"
        return _stub(at, value["v"], calls) if is_callback else decode(value)

    def called(calls):
        return {"b": calls[:60]} if calls else {}

    def call(one):
        act = callable_of(one)
        if act is None:
            return {"lost": True}
        before = {name: os.environ.get(name) for name in one.get("e", {})}
        os.environ.update(one.get("e", {}))
        calls, more = [], {}
        try:
            named = {key: decode(value) for key, value in one.get("k", {}).items()}
            given = [given_at(at, value, calls) for at, value in enumerate(one["a"])]
            first = dumps([encode(value) for value in given])
            output = _Output()
            try:
                result = act(given, named)
            finally:
                more["w"] = output.end()
            if inspect.iscoroutine(result):
                del more["w"]
                result = asyncio.run(asyncio.wait_for(result, 2))
            # The walk behind a context.
            result = getattr(result, "gen", result) if one.get("g") is not None else result
            if one.get("g") is not None and hasattr(result, "__next__"):
                del more["w"]
                return {"r": _steps_of(result, one["g"]), **called(calls)}
            end = encode(result)
            after = [encode(value) for value in given]
            return {"r": end if dumps(after) == first else {"$": "changed", "v": [end, after]}, **more, **called(calls)}
        except BaseException as error:
            return {"t": encode(error), **more, **called(calls)}
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

    ends = {}
    late_ones = []

    def end_of(end):
        """What is printed may be another time of day."""
        return dumps({key: value for key, value in end.items() if key != "w"})

    def is_shared(one):
        """Whether one who changes what a call gave changes what the next one is given."""
        if not plan.get("lists") or "o" in one or '"callback"' in dumps(one["a"]):
            return False
        named = {key: decode(value) for key, value in one.get("k", {}).items()}
        try:
            result = callable_of(one)([decode(value) for value in one["a"]], named)
        except BaseException:
            return False
        mark = "0" * 9
        if type(result) is list:
            result.append(mark)
        elif type(result) is dict:
            result[mark] = mark
        else:
            return False
        again = call(one)
        result.pop() if type(result) is list else result.pop(mark)
        return end_of(again) != ends[one["i"]]

    def form_of(one):
        """What a caller can tell of a result that its value does not show."""
        if not plan.get("lists") or "o" in one or '"callback"' in dumps(one["a"]):
            return []
        given = [decode(value) for value in one["a"]]
        try:
            result = callable_of(one)(given, {key: decode(value) for key, value in one.get("k", {}).items()})
        except BaseException:
            return []
        if inspect.iscoroutine(result):
            result.close()
            return ["a coroutine"]
        if type(result) not in (list, dict, set):
            return []
        return ["its argument " + str(at + 1) + " itself" for at, value in enumerate(given) if value is result]

    def play_one(one):
        if one["f"].startswith("value "):
            if (one["m"], one["f"]) in values:
                tell({"i": one["i"], "r": values[(one["m"], one["f"])]})
            return
        first = call(one)
        ends[one["i"]] = end_of(first)
        until = _clock() + _repeat
        again = (end_of(call(one)) for _ in range(plan.get("times", 1) - 1) if _clock() < until)
        varies = any(end != ends[one["i"]] for end in again)
        steady = not varies and "r" in first
        shared = steady and is_shared(one)
        form = form_of(one) if steady else []
        if "a coroutine" in form and '"changed"' not in ends[one["i"]]:
            late_ones.append(one)
        more = {**({"varies": True} if varies else {}), **({"shared": True} if shared else {})}
        tell({"i": one["i"], **first, **more, **({"form": form} if form else {})})

    def play_at_once():
        """Coroutines that are begun at the same time: what they share shows in their ends."""
        late = [one for one in late_ones if not one.get("o") and not one.get("e")][:12]
        if len(late) < 2:
            return

        async def begun():
            all = []
            for one in late:
                named = {key: decode(value) for key, value in one.get("k", {}).items()}
                result = callable_of(one)([decode(value) for value in one["a"]], named)
                all.append(asyncio.wait_for(result, 2))
            return await asyncio.gather(*all, return_exceptions=True)

        try:
            found = asyncio.run(begun())
        except Exception:
            return
        for one, value in zip(late, found):
            end = {"t" if isinstance(value, BaseException) else "r": encode(value)}
            if end_of(end) != ends[one["i"]]:
                tell({"i": one["i"], **end, "mixed": True})

    for one in plan["calls"]:
        play_one(one)
    if plan.get("lists"):
        left(tell, loaded, shared(False), [])
        play_at_once()
    # Neighbours after the recorded calls: with other arguments one may never come to an end.
    for one in plan.get("beside", []):
        play_one(one)
    until = _clock() + plan.get("soakMs", 0) / 1000
    count = 0
    steady = [one for one in plan["calls"] if not one["f"].startswith("value ")]
    while plan.get("soak", 0) > count and _clock() < until and steady:
        for one in list(steady):
            if _clock() >= until:
                break
            count += 1
            again = call(one)
            if end_of(again) != ends[one["i"]]:
                steady.remove(one)
                back = any(end_of(call(one)) == ends[one["i"]] for _ in range(5))
                tell({"i": one["i"], **again, "after": count, **({"back": True} if back else {})})
    tell({"done": True})
