// Another clock for a check: the time that Node and Python programs read is moved by a fixed span. Other languages ask
// the system, whose clock cannot be moved for one program. Each text is loaded before any code of the project.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandRequest } from "../../../core/contract/index.ts";
import { temporaryRoot } from "../../../platform/system/index.ts";

/** Moves the clock of the Node program that runs it. */
export const nodeClock = (aheadMs: number): string => `"use strict";
const real = Date;
const now = () => real.now() + ${aheadMs};
function Moved(...given) {
  if (new.target === undefined) return new real(now()).toString();
  return Reflect.construct(real, given.length === 0 ? [now()] : given, new.target);
}
for (const key of Reflect.ownKeys(real)) Object.defineProperty(Moved, key, Object.getOwnPropertyDescriptor(real, key));
Object.defineProperty(Moved, "now", { value: now, writable: true, configurable: true });
Object.defineProperty(real.prototype, "constructor", { value: Moved, writable: true, configurable: true });
Object.defineProperty(globalThis, "Date", { value: Moved, writable: true, configurable: true });
Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + ${aheadMs}, configurable: true });
`;

/** Moves the clock of the Python program that runs it. */
export const pythonClock = (aheadMs: number): string => `import datetime, time
_ahead = ${aheadMs / 1_000}
_time, _time_ns = time.time, time.time_ns
time.time = lambda: _time() + _ahead
time.time_ns = lambda: _time_ns() + int(_ahead * 10**9)
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
`;

const thenTheNext = `import importlib, os, sys
_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [place for place in sys.path if os.path.abspath(place or ".") != _here]
sys.modules.pop("sitecustomize", None)
try:
    importlib.import_module("sitecustomize")
except ImportError:
    pass
`;

interface MovedClock {
  readonly request: Pick<CommandRequest, "own" | "envAppended">;
  dispose(): void;
}

export function moveClock(aheadMs: number): MovedClock {
  const folder = mkdtempSync(join(temporaryRoot(), "clock-"));
  writeFileSync(join(folder, "clock.cjs"), nodeClock(aheadMs));
  writeFileSync(join(folder, "sitecustomize.py"), pythonClock(aheadMs) + thenTheNext);
  return {
    request: {
      own: [{ path: folder, access: "read" }],
      envAppended: {
        NODE_OPTIONS: [" ", `--require=${join(folder, "clock.cjs")}`],
        PYTHONPATH: [":", folder],
      },
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
