// The part of the recorder for what a call uses: callbacks that it is given, and what it prints.
module.exports = ({ encode, isFunction, isPlain, proxies }) => {
  const { apply } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const mostCalls = 40;
  const mostOutput = 30;
  const isCallback = (value) => isFunction(value) && !proxies.has(value);
  const callbacksIn = (object) =>
    Object.keys(object).filter((name) => {
      const found = getOwnPropertyDescriptor(object, name);
      return found.writable && isCallback(found.value);
    });

  /** Callback → the function that is handed on instead, always the same one, and who listens to its calls now. */
  const heard = new WeakMap();
  /** What was handed on → what it stands for. */
  const originals = new WeakMap();
  function listening(callback) {
    if (heard.has(callback)) return heard.get(callback);
    const listeners = new Set();
    const apart = new Proxy(callback, {
      apply(target, self, given) {
        if (listeners.size === 0) return apply(target, self, given);
        const a = given.map((one) => encode(one));
        const ends = [...listeners].map((listener) => listener(a));
        const end = (found) => ends.forEach((tell) => tell(found));
        try {
          const result = apply(target, self, given);
          if (result instanceof Promise)
            result.then(
              (value) => end({ p: encode(value) }),
              (error) => end({ q: encode(error) }),
            );
          else end({ r: encode(result) });
          return result;
        } catch (error) {
          end({ t: encode(error) });
          throw error;
        }
      },
    });
    const made = { apart, listeners };
    heard.set(callback, made);
    originals.set(apart, callback);
    return made;
  }

  const handedOn = new WeakMap();
  /** The object with its callbacks listened to, always the same one. */
  function optionsOf(object) {
    if (!handedOn.has(object)) {
      const made = new Proxy(object, {
        get(target, name, self) {
          const value = Reflect.get(target, name, self);
          return heard.get(value)?.apart ?? value;
        },
      });
      handedOn.set(object, made);
      originals.set(made, object);
    }
    return handedOn.get(object);
  }

  function callbacks(given) {
    if (!given.some((one) => isCallback(one) || (isPlain(one) && callbacksIn(one).length > 0))) return null;
    const calls = [];
    const tables = new Map();
    const stops = [];
    const listen = (one, place) => {
      const { apart, listeners } = listening(one);
      const table = [];
      tables.set(place, table);
      const listener = (a) => {
        calls.push([place, a]);
        const entry = [a, null];
        if (calls.length <= mostCalls) table.push(entry);
        return (end) => (entry[1] = end);
      };
      listeners.add(listener);
      stops.push(() => listeners.delete(listener));
      return apart;
    };
    const handed = given.map((one, at) => {
      if (isCallback(one)) return listen(one, `${at}`);
      const names = isPlain(one) ? callbacksIn(one) : [];
      if (names.length === 0) return one;
      for (const name of names) listen(one[name], `${at}.${name}`);
      return optionsOf(one);
    });
    /** The argument with what its callbacks were given and gave. */
    const withTables = (a, at, tableOf) => {
      if (tables.has(`${at}`)) return { $: "callback", v: tableOf(`${at}`) };
      if (!isPlain(given[at]) || callbacksIn(given[at]).length === 0) return a;
      const found = callbacksIn(given[at]).map((name) => [name, { $: "callback", v: tableOf(`${at}.${name}`) }]);
      return { ...a, ...Object.fromEntries(found) };
    };
    return {
      given: handed,
      written: (at) => withTables(encode(given[at]), at, () => []),
      /** What the callbacks were given, and gave. */
      made(a) {
        for (const stop of stops) stop();
        if (calls.length > mostCalls || [...tables.values()].flat().some(([, end]) => end === null)) return { a: null };
        return {
          a: a.map((one, at) => withTables(one, at, (place) => tables.get(place) ?? [])),
          b: calls.map((one) => [...one]),
        };
      },
    };
  }

  const channels = [
    ...["log", "info", "warn", "error", "debug"].map((name) => [console, name, name]),
    [process.stdout, "write", "out"],
    [process.stderr, "write", "err"],
  ];
  /** Listens to what is printed until the function that it gives is called. */
  function output() {
    const found = [];
    let inside = 0;
    const ends = channels.map(([object, name, label]) => {
      const before = getOwnPropertyDescriptor(object, name);
      const act = object[name];
      if (typeof act !== "function" || (before && !before.configurable)) return () => undefined;
      const heardNow = function (...given) {
        if (inside === 0 && found.length < mostOutput)
          found.push([label, given.filter((one) => typeof one !== "function").map((one) => encode(one))]);
        inside += 1;
        try {
          return apply(act, this, given);
        } finally {
          inside -= 1;
        }
      };
      defineProperty(object, name, {
        value: heardNow,
        writable: true,
        configurable: true,
        enumerable: before?.enumerable ?? false,
      });
      return () => {
        if (object[name] !== heardNow) return;
        if (before) defineProperty(object, name, before);
        else delete object[name];
      };
    });
    return () => {
      for (const end of ends) end();
      return { w: found };
    };
  }

  return { callbacks, callbacksIn, output, isHeard: (value) => heard.has(value), originals };
};
