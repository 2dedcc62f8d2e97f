# Calls functions with given arguments and reports the results over a pipe. It runs as a plain program in a sandbox, or, for a
# comparison, inside the user's test runner.
import importlib
import os
import sys
import time

_longest = 3_900
_clock = time.monotonic
_repeat = 0.025


def play(plan):
    pipe = os.open(plan["pipe"], os.O_WRONLY)
    dumps, write = _dumps, os.write

    def tell(record):
        line = dumps({"p": plan["label"], **record})
        if len(line) > _longest:
            line = dumps({"p": plan["label"], "i": record.get("i"), "cut": True})
        write(pipe, (line + "\n").encode())

    for place in reversed(plan["paths"]):
        if place not in sys.path:
            sys.path.insert(0, place)
    modules = {}
    for file, name in plan["modules"].items():
        try:
            modules[file] = importlib.import_module(name)
        except BaseException as error:
            tell({"m": file, "failed": (type(error).__name__ + ": " + str(error))[:300]})

    def call(one):
        found = getattr(modules.get(one["m"]), one["f"], None)
        if not callable(found):
            return {"lost": True}
        before = {name: os.environ.get(name) for name in one.get("e", {})}
        os.environ.update(one.get("e", {}))
        try:
            named = {key: decode(value) for key, value in one.get("k", {}).items()}
            return {"r": encode(found(*[decode(value) for value in one["a"]], **named))}
        except BaseException as error:
            return {"t": encode(error)}
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value

    ends = {}

    def play_one(one):
        first = call(one)
        ends[one["i"]] = dumps(first)
        until = _clock() + _repeat
        again = (dumps(call(one)) for _ in range(plan.get("times", 1) - 1) if _clock() < until)
        varies = any(end != ends[one["i"]] for end in again)
        tell({"i": one["i"], **first, **({"varies": True} if varies else {})})

    # Neighbours after the recorded calls: with other arguments one may never come to an end.
    for one in plan["calls"] + plan.get("beside", []):
        play_one(one)
    until = _clock() + plan.get("soakMs", 0) / 1000
    count = 0
    steady = list(plan["calls"])
    while plan.get("soak", 0) > count and _clock() < until and steady:
        for one in list(steady):
            if _clock() >= until:
                break
            count += 1
            again = call(one)
            if dumps(again) != ends[one["i"]]:
                steady.remove(one)
                tell({"i": one["i"], **again, "after": count})
    tell({"done": True})
