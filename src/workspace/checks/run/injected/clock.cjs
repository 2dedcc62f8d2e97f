"use strict";
// Moves the clock of the Node program that runs it. Read as text: the exported expression is called with the span.
module.exports = (aheadMs) => {
  const real = Date;
  const now = () => real.now() + aheadMs;
  function Moved(...given) {
    if (new.target === undefined) return new real(now()).toString();
    return Reflect.construct(real, given.length === 0 ? [now()] : given, new.target);
  }
  for (const key of Reflect.ownKeys(real))
    Object.defineProperty(Moved, key, Object.getOwnPropertyDescriptor(real, key));
  Object.defineProperty(Moved, "now", { value: now, writable: true, configurable: true });
  Object.defineProperty(real.prototype, "constructor", { value: Moved, writable: true, configurable: true });
  Object.defineProperty(globalThis, "Date", { value: Moved, writable: true, configurable: true });
  Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + aheadMs, configurable: true });
  // As if the process had run so long.
  const { uptime, hrtime } = process;
  const passed = performance.now.bind(performance);
  performance.now = () => passed() + aheadMs;
  process.uptime = () => uptime.call(process) + aheadMs / 1_000;
  process.hrtime = Object.assign(
    (since) => {
      const [seconds, rest] = hrtime.call(process, since);
      return [seconds + (since === undefined ? Math.round(aheadMs / 1_000) : 0), rest];
    },
    { bigint: () => hrtime.bigint() + BigInt(aheadMs) * 1_000_000n },
  );
};
