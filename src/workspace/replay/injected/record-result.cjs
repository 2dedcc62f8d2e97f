// The part of the recorder for what comes out of a call and is no plain value: functions, objects with functions, values that
// come later or one after the other.
module.exports = (
  { encode, stringify, report, known, lost, isClass, isFunction, isPlain, proxies, ownClasses },
  { callbacksIn, isHeard, originals },
) => {
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
  const mostSteps = 300;
  const mostBefore = 12;
  const deepest = 4;
  const depthOf = (o) => (o?.y ? 1 + depthOf(o.y.o) : 0);
  const isWhole = (value) => !/\{"\$":"(?:lost|instance|callback)"/.test(stringify(value));
  const isIterator = (value) =>
    value !== null &&
    typeof value === "object" &&
    typeof value.next === "function" &&
    (typeof value[Symbol.iterator] === "function" || typeof value[Symbol.asyncIterator] === "function");

  /** A value that comes later: it is reported when it has come. False where it is a value now. */
  function later(result, settled) {
    if (result === null || typeof result !== "object") return false;
    try {
      if (isIterator(result)) return walked(result, settled);
      if (typeof result.then === "function") return awaited(result, settled);
    } catch {
      // It cannot be listened to: it is reported as it is.
    }
    return false;
  }

  function awaited(result, settled) {
    const { then } = result;
    defineProperty(result, "then", {
      configurable: true,
      writable: true,
      value: (done, fail) =>
        apply(then, result, [
          (value) => (settled.value(value), done?.(value)),
          (error) => (settled.error(error), fail?.(error)),
        ]),
    });
    return true;
  }

  /** The steps of a walk, up to the last one that was asked for. */
  function walked(result, settled) {
    const { next, return: leave } = result;
    const steps = [];
    let over = false;
    let asked = 0;
    const tell = () => {
      if (over) return;
      over = true;
      settled.value({ steps }, { g: asked });
    };
    const note = (step) => {
      steps.push(step?.done ? { done: true, value: step.value } : step?.value);
      if (step?.done || asked >= mostSteps) tell();
      return step;
    };
    const failed = (error) => {
      steps.push({ error });
      tell();
    };
    const own = (name, value) => defineProperty(result, name, { configurable: true, writable: true, value });
    own("next", (...sent) => {
      if (over) return apply(next, result, sent);
      if (sent.length > 0 && sent[0] !== undefined) over = true;
      asked += 1;
      try {
        const step = apply(next, result, sent);
        if (step instanceof Promise) step.then(note, failed);
        else note(step);
        return step;
      } catch (error) {
        failed(error);
        throw error;
      }
    });
    if (typeof leave === "function")
      own("return", (...given) => {
        tell();
        return apply(leave, result, given);
      });
    return true;
  }

  /** A function that a call gave is called by the name of that call. */
  function member(of, key, value) {
    const full = key === null ? `${of.y.f}()` : `${of.y.f}().${key}`;
    known(full);
    const made = new Proxy(value, {
      apply(target, self, given) {
        const plain = (all) => apply(target, self, all);
        if (of.depth > 0) return plain(given);
        if (of.pending > 0) of.tangled = true;
        const a = given.map((one) => encode(one));
        const remember = () => {
          of.h.push([key, a]);
          if (of.h.length > mostBefore || !isWhole(a)) of.tangled = true;
        };
        let result;
        of.depth += 1;
        try {
          if (of.tangled) lost(full, "receiver");
          const o = { y: of.y, h: [...of.h], ...(key === null ? {} : { k: key }) };
          result = of.tangled ? plain(given) : report(full, given, { o }, plain);
        } finally {
          of.depth -= 1;
          if (!(result instanceof Promise)) remember();
        }
        if (result instanceof Promise) {
          of.pending += 1;
          const end = () => {
            of.pending -= 1;
            remember();
          };
          result.then(end, end);
        }
        return result;
      },
    });
    proxies.add(made);
    return made;
  }

  /** Methods of an object whose class nobody can reach, so that none of them has a recorder. */
  function methodsOf(value) {
    const found = new Map();
    if (value === null || typeof value !== "object" || !Object.isExtensible(value)) return found;
    for (let above = getPrototypeOf(value); above && above !== Object.prototype; above = getPrototypeOf(above)) {
      const made = getOwnPropertyDescriptor(above, "constructor")?.value;
      if (typeof made !== "function" || !isClass(made) || !ownClasses.includes(made.name)) return new Map();
      for (const name of Object.getOwnPropertyNames(above)) {
        const one = getOwnPropertyDescriptor(above, name).value;
        if (typeof one === "function" && proxies.has(one)) return new Map();
        if (name !== "constructor" && !found.has(name) && !Object.hasOwn(value, name) && isFunction(one))
          found.set(name, one);
      }
    }
    return found;
  }

  const given = new WeakMap();
  function result(value, args, y) {
    if (originals.has(value)) return originals.get(value);
    if (
      args.includes(value) ||
      depthOf(y.o) >= deepest ||
      (value !== null && typeof value === "object" && given.has(value))
    )
      return value;
    const of = { y, h: [], depth: 0, pending: 0, tangled: !isWhole(y) };
    if (isFunction(value)) {
      if (proxies.has(value) || isHeard(value)) return value;
      const before = given.get(value);
      const made = before ?? member(of, null, value);
      given.set(value, made);
      return made;
    }
    if (isPlain(value)) {
      for (const name of callbacksIn(value).filter((one) => !args.includes(value[one]))) {
        given.set(value, value);
        value[name] = member(of, name, value[name]);
      }
      return value;
    }
    for (const [name, found] of methodsOf(value)) {
      given.set(value, value);
      defineProperty(value, name, { configurable: true, writable: true, value: member(of, name, found) });
    }
    return value;
  }
  return { later, result, methodsOf };
};
