# Moves the clock of the Python program that runs it by `_ahead` seconds, which the text before this one sets.
import datetime, time
_time, _time_ns = time.time, time.time_ns
time.time = lambda: _time() + _ahead
time.time_ns = lambda: _time_ns() + int(_ahead * 10**9)
for _name in ("monotonic", "perf_counter"):
    setattr(time, _name, (lambda real: lambda: real() + _ahead)(getattr(time, _name)))
    setattr(time, _name + "_ns", (lambda real: lambda: real() + int(_ahead * 10**9))(getattr(time, _name + "_ns")))
for _name in ("localtime", "gmtime", "ctime"):
    setattr(time, _name, (lambda real: lambda secs=None: real(time.time() if secs is None else secs))(getattr(time, _name)))
for _name in ("strftime", "asctime"):
    setattr(time, _name, (lambda real: lambda *given: real(*given) if given and not isinstance(given[-1], str) else real(*given, time.localtime()))(getattr(time, _name)))
def _moved(real):
    class Kind(type(real)):
        def __instancecheck__(cls, one):
            return isinstance(one, real)
        def __subclasscheck__(cls, one):
            return issubclass(one, real)
    return Kind(real.__name__, (real,), {"__module__": "datetime"})
_real = datetime.datetime
datetime.date, datetime.datetime = _moved(datetime.date), _moved(_real)
_add = datetime.timedelta(seconds=_ahead)
datetime.datetime.now = classmethod(lambda cls, tz=None: _real.now(tz) + _add)
datetime.datetime.utcnow = classmethod(lambda cls: _real.utcnow() + _add)
datetime.datetime.today = classmethod(lambda cls: _real.today() + _add)
datetime.date.today = classmethod(lambda cls: (_real.now() + _add).date())
