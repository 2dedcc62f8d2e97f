// Reports each call of an exported function and of a method of an exported class, with its arguments and its result. Its text
// is put into a changed file of a scratch tree, so it runs inside the user's test runner. `pipe` is a named pipe: what was
// written cannot be taken back. `parts`: the recorders for classes and for what goes into a call and comes out of it.
module.exports = (
  fs,
  pipe,
  file,
  { encode, digest, stringify, written },
  { classes, input, result: results, ownClasses = [] },
) => {
  const { openSync, writeSync } = fs;
  const { apply } = Reflect;
  const { random } = Math;
  const { env } = process;
  const textOf = Function.prototype.toString;
  const first = { ...env };
  const longest = 3_900;
  const mostLines = 3_000;
  const mostWritten = 3_000_000;
  const firstKept = 100;
  const mostExported = 60;
  let values = 0;
  let traced = null;
  let descriptor = null;
  let lines = 0;
  const seen = new Map();
  const isLong = (value) => (Array.isArray(value) || typeof value === "string") && value.length > 200;
  /** How many values were written down for a function, and for all of them. */
  const spent = new Map();

  const write = (record) => {
    try {
      descriptor ??= openSync(pipe, "a");
      let line = stringify(record);
      if (line.length > longest && "r" in record) line = stringify({ ...record, r: digest(record.r) });
      if (line.length > longest) line = stringify({ ...record, r: undefined, t: undefined, cut: true });
      if (line.length > longest) line = stringify({ n: record.n, m: file, f: record.f, lost: "long" });
      writeSync(descriptor, Buffer.from(`${line}\n`));
    } catch {
      lines = mostLines;
    }
  };
  const changed = () => {
    const names = Object.keys(env).filter((name) => env[name] !== first[name]);
    return names.length === 0
      ? {}
      : { e: Object.fromEntries(names.slice(0, 10).map((name) => [name, env[name].slice(0, 200)])) };
  };
  /** The first calls with other arguments, and a few of the later ones. */
  const isKept = (name, args) => {
    const known = seen.get(name) ?? { args: new Set(), count: 0 };
    seen.set(name, known);
    known.count += 1;
    if (lines >= mostLines || (known.args.has(args) && known.count > firstKept)) return false;
    if (known.args.size >= firstKept && random() > firstKept / known.count) return false;
    known.args.add(args);
    lines += 1;
    return true;
  };
  /** Makes the call and reports its end. `state` is what a call without a result has done to its object. */
  const report = (name, given, more, act, state) => {
    // Long values again and again would make a test too slow; one function must not use up the room of the others, and long
    // values not that of short ones.
    const size = given.some(isLong) ? "long" : "short";
    const spentOn = `${name} ${size}`;
    const all = spent.get(size) ?? 0;
    if (lines >= mostLines || all > mostWritten || (spent.get(spentOn) ?? 0) > mostWritten / 4) {
      lost(name, "full");
      return act(given);
    }
    const from = written();
    const calls = traced?.callbacks(given);
    const a = given.map((one, at) => (calls ? calls.written(at) : encode(one)));
    const before = given.some((one) => typeof one === "object") ? stringify(given.map((one) => encode(one))) : null;
    const call = { n: lines, m: file, f: name, a, ...more, ...changed() };
    const kept = isKept(spentOn, stringify([a, more]));
    spent.set(spentOn, (spent.get(spentOn) ?? 0) + written() - from);
    spent.set(size, all + written() - from);
    const ended = (value) => {
      let r = value === undefined && state ? state() : encode(value);
      if (before !== null) {
        const after = given.map((one) => encode(one));
        if (stringify(after) !== before) r = { $: "changed", v: [r, after] };
      }
      return r;
    };
    const tell = (end) => kept && write({ ...call, ...calls?.made(a), ...end() });
    const output = kept && traced ? traced.output() : null;
    let result;
    try {
      result = act(calls?.given ?? given);
    } catch (error) {
      const w = output?.();
      tell(() => ({ t: encode(error), ...w }));
      throw error;
    }
    const w = output?.();
    const settled = {
      value: (value, found = {}) => tell(() => ({ r: ended(value), ...found })),
      error: (error, found = {}) => tell(() => ({ t: encode(error), ...found })),
    };
    const y = { f: name, a, ...more };
    if (result instanceof Promise)
      result.then(
        (value) => {
          settled.value(value);
          return traced?.result(value, given, y);
        },
        (error) => settled.error(error),
      );
    else if (!traced?.later(result, settled)) {
      settled.value(result, w);
      return traced ? traced.result(result, given, y) : result;
    }
    return result;
  };
  const known = (name) => write({ m: file, f: name, known: true });
  const proxies = new WeakSet();
  /** Function → its recorder. */
  const recorders = new WeakMap();
  const recordedFunction = (name, value) => {
    known(name);
    const made = new Proxy(value, {
      apply: (target, self, given) => report(name, given, {}, (all) => apply(target, self, all)),
    });
    proxies.add(made);
    recorders.set(value, made);
    // Functions that are properties of a function.
    for (const [key, found] of traced ? Object.entries(Object.getOwnPropertyDescriptors(value)) : [])
      if (found.enumerable && found.writable && isFunction(found.value) && !proxies.has(found.value))
        value[key] = recorders.get(found.value) ?? recorded(`${name}.${key}`, found.value);
    return made;
  };
  /** A value that is exported, as it is when the module is loaded: with what other modules add to it later it is another one. */
  const recordedValue = (name, value, depth = 0) => {
    if (value === undefined || typeof value === "function" || values >= mostExported) return;
    if (value === null || typeof value !== "object") {
      values += 1;
      write({ n: lines, m: file, f: `value ${name}`, a: [], r: encode(value) });
    } else if (depth < 2 && (isPlain(value) || Array.isArray(value)))
      for (const [key, found] of Object.entries(Object.getOwnPropertyDescriptors(value)).slice(0, 30))
        if (found.enumerable && !key.includes(".")) recordedValue(`${name}.${key}`, found.value, depth + 1);
  };
  write({ m: file, program: process.execPath });
  /** What a module exports as one object is called by the names of its fields. */
  const recordedObject = (value, of) => {
    if (value === null || typeof value !== "object") return value;
    const above = Object.getPrototypeOf(value);
    if (above !== Object.prototype && !(traced && (above === null || Array.isArray(value)))) {
      for (const [name, one] of traced?.methodsOf(value) ?? [])
        Object.defineProperty(value, name, { configurable: true, writable: true, value: recorded(of + name, one) });
      return value;
    }
    const all = Object.getOwnPropertyDescriptors(value);
    const isShut = ({ value: one, writable, configurable }) => isFunction(one) && !writable && !configurable;
    if (traced && Object.isFrozen(value) && Object.values(all).some(isShut)) {
      // What is frozen cannot be changed: importers are given another object that is the same but for the recorders.
      for (const [name, found] of Object.entries(all))
        if (isShut(found) && !proxies.has(found.value)) found.value = recorded(of + name, found.value);
      return Object.freeze(Object.create(above, all));
    }
    for (const [name, found] of Object.entries(all))
      if (typeof found.value === "function" && !proxies.has(found.value) && found.writable)
        value[name] = recorded(of + name, found.value);
      else if (traced && found.get && found.configurable) {
        known(of + name);
        const get = () => report(of + name, [], {}, () => apply(found.get, value, []));
        Object.defineProperty(value, name, { ...found, get });
      }
    return value;
  };
  const lostCalls = new Map();
  const lost = (name, why) => {
    const count = (lostCalls.get(name) ?? 0) + 1;
    lostCalls.set(name, count);
    if (count <= firstKept) write({ m: file, f: name, lost: why });
  };
  const isClass = (value) => /^class\b/.test(apply(textOf, value, []));
  const walked = Boolean(input);
  // `String`, `Number`, `Error`: code asks for these by identity.
  const isOfLanguage = (value) => /^function \w+\(\) \{ \[native code\] \}$/.test(apply(textOf, value, []));
  const isFunction = (value) => typeof value === "function" && !isClass(value) && !isOfLanguage(value);
  const isPlain = (value) =>
    value !== null && typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype;
  const shown = { encode, stringify, textOf, isClass, isFunction, isPlain };
  const parts = { ...shown, ownClasses, report, known, lost, proxies, recordedFunction, walked };
  const recordedClass = classes?.(parts);
  const used = input?.(parts);
  traced = used ? { ...used, ...results(parts, used) } : null;
  const recorded = (name, value) => {
    if (typeof value !== "function") {
      if (traced) recordedValue(name, value);
      if (name === "default") return recordedObject(value, "");
      return traced ? recordedObject(value, `${name}.`) : value;
    }
    if (!isClass(value)) return recordedFunction(name, value);
    return recordedClass ? recordedClass(name, value) : value;
  };
  return recorded;
};
