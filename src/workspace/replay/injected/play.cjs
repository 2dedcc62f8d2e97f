// Calls functions with given arguments and reports the results over a pipe. It runs as a plain program in a sandbox, or,
// for a comparison, inside the user's test runner.
module.exports = async (fs, plan, load, { encode, decode, digest, stringify }, traced) => {
  const { openSync, writeSync } = fs;
  const { apply } = Reflect;
  const now = performance.now.bind(performance);
  const wait = setTimeout;
  const { env } = process;
  const descriptor = openSync(plan.pipe, "a");
  const longest = 3_900;
  const repeatMs = 25;
  const slowMs = 50;
  /** From here on a time is reported, so that a call on the base commit can be compared with a slow one. */
  const reportedMs = 5;
  const tell = (record) => {
    let line = stringify({ p: plan.label, ...record });
    if (line.length > longest && "r" in record) line = stringify({ p: plan.label, ...record, r: digest(record.r) });
    if (line.length > longest) line = stringify({ p: plan.label, i: record.i, cut: true });
    writeSync(descriptor, Buffer.from(`${line}\n`));
  };
  const within = (result) =>
    result instanceof Promise || typeof result?.then === "function"
      ? Promise.race([
          result,
          new Promise((_, fail) => wait(() => fail(new Error("no result in 2 seconds")), 2_000).unref?.()),
        ])
      : result;
  const isPlain = (value) =>
    value && typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value));
  /** What a module exports and can be called, whether or not a recorder was put around it. */
  const callableNames = (from) => {
    const inside = Object.entries(from).flatMap(([name, value]) =>
      isPlain(value) || Array.isArray(value)
        ? Object.entries(value).map(([key, one]) => [name === "default" ? key : `${name}.${key}`, one])
        : [],
    );
    const ofFunctions = Object.entries(from).flatMap(([name, value]) =>
      typeof value === "function" && !/^class\b/.test(value)
        ? Object.entries(value).map(([key, one]) => [`${name}.${key}`, one])
        : [],
    );
    const all = [...Object.entries(from), ...inside, ...ofFunctions].filter(([, value]) => typeof value === "function");
    return [...new Set(all.map(([name]) => name))].slice(0, 60).map((name) => name.slice(0, 50));
  };
  const { getOwnPropertyDescriptors, getOwnPropertyNames } = Object;
  const modulesOfNode =
    "assert child_process crypto dns events fs http https net os path querystring timers url util".split(" ");
  /** What every program shares: the language's own objects, and how the process treats errors and connections. */
  const shared = () => {
    const found = new Map();
    for (const name of getOwnPropertyNames(globalThis)) {
      const { value } = Object.getOwnPropertyDescriptor(globalThis, name);
      if (!/^[A-Z]/.test(name) || value === undefined || value === null) continue;
      for (const [owner, object] of [
        [name, value],
        [`${name}.prototype`, typeof value === "function" ? value.prototype : undefined],
      ])
        if (object !== null && (typeof object === "object" || typeof object === "function"))
          for (const [key, { value: own, get }] of Object.entries(getOwnPropertyDescriptors(object)))
            if (typeof (own ?? get) === "function") found.set(`${owner}.${key}`, own ?? get);
    }
    for (const event of ["uncaughtException", "unhandledRejection"])
      found.set(`the listeners for ${event}`, process.listenerCount(event));
    for (const name of modulesOfNode) {
      const object = process.getBuiltinModule?.(name) ?? {};
      for (const [key, { value }] of Object.entries(getOwnPropertyDescriptors(object)))
        if (typeof value === "function") found.set(`${name}.${key}`, value);
    }
    for (const name of Object.keys(env)) if (/^NODE_|^(?:HTTPS?|NO)_PROXY$/.test(name)) found.set(name, env[name]);
    return found;
  };
  /** What keeps a program from ending; a file that is being read or closed does so for a moment only. */
  const lasting = /^(?:Timeout|TCPServerWrap|TCPSocketWrap|UDPWrap|FSEventWrap|StatWatcher|ProcessWrap)$/;
  /** What a module has no reason to change by being loaded; a call may have been asked to. */
  const whenLoaded = () => {
    const found = shared();
    for (const event of process.eventNames())
      found.set(`the listeners for ${String(event)}`, process.listenerCount(event));
    for (const [name, value] of [
      ["the working folder", process.cwd()],
      ["the exit code", process.exitCode],
      ["the mode of new files", process.umask()],
      ["Error.stackTraceLimit", Error.stackTraceLimit],
      ...(process.getActiveResourcesInfo?.() ?? [])
        .filter((one) => lasting.test(one))
        .map((one) => [`how it ends (an open ${one})`, true]),
    ])
      found.set(name, value);
    return found;
  };
  const tellLeft = (before, now, more = []) => {
    const names = [...before.keys(), ...now.keys()].filter((name) => before.get(name) !== now.get(name));
    if (names.length + more.length > 0) tell({ left: [...more, ...new Set(names)].slice(0, 10) });
  };
  const { withStubs, walk, listen } = traced({ encode, decode, stringify }, within);
  const printed = listen();
  const atFirst = plan.lists ? whenLoaded() : null;
  const modules = new Map();
  /** Exported values as they were when their modules were loaded. */
  const values = new Map();
  const nameOfValue = ({ m, f }) => (f.startsWith("value ") ? `${m} ${f}` : null);
  const exported = (m, f) => {
    const from = modules.get(m);
    return f === "module.exports" ? from?.default : (from?.[f] ?? from?.default?.[f]);
  };
  const valueAt = (file, path) => {
    const [name, ...keys] = path.split(".");
    return keys.reduce((value, key) => value?.[key], exported(file, name));
  };
  for (const file of new Set(plan.calls.map(({ m }) => m)))
    try {
      const from = await load(file);
      modules.set(file, from);
      for (const one of plan.calls.filter(({ m }) => m === file))
        if (nameOfValue(one)) values.set(nameOfValue(one), encode(valueAt(file, one.f.slice(6))));
      if (plan.lists) tell({ m: file, exports: callableNames(from) });
    } catch (error) {
      tell({ m: file, failed: `${error?.name}: ${error?.message}`.slice(0, 300) });
    }
  const isPrinting = printed().length > 0;
  if (plan.lists) tellLeft(atFirst, whenLoaded(), isPrinting ? ["what is printed"] : []);
  const loaded = plan.lists ? shared() : null;
  if (plan.waitMs) await new Promise((done) => wait(done, plan.waitMs));
  const walks = { "@@iterator": Symbol.iterator, "@@asyncIterator": Symbol.asyncIterator };
  const keyOf = (member) => walks[member] ?? member;
  /** What a call gave, after the calls that were made on it since then. */
  const valueOf = async ({ y, h }, m) => {
    const act = await callable({ m, f: y.f, o: y.o });
    const value = await within(act(y.a.map(decode)));
    for (const [key, a] of h)
      try {
        await within(key === null ? value(...a.map(decode)) : value[key](...a.map(decode)));
      } catch {
        // It failed under the tests as well, or the end of the call will show it.
      }
    return value;
  };
  /** The object of a call, made again: with its fields, or of the same arguments and after the same calls. */
  const objectOf = async (found, { s, c, h }) => {
    if (s) return Object.assign(Object.create(found.prototype), decode(s));
    const object = new found(...c.map(decode));
    for (const [member, a] of h)
      try {
        await within(object[keyOf(member)](...a.map(decode)));
      } catch {
        // It failed under the tests as well, or the end of the call will show it.
      }
    return object;
  };
  /** Undefined where there is nothing to call. */
  const callable = async ({ m, f, o }) => {
    if (o?.y) {
      const value = await valueOf(o, m);
      const found = o.k === undefined ? value : value?.[o.k];
      return typeof found === "function" ? (a) => apply(found, o.k === undefined ? undefined : value, a) : undefined;
    }
    const whole = exported(m, f);
    const all = modules.get(m)?.default;
    if (typeof whole === "function")
      return (a) => apply(whole, all && typeof all === "object" && all[f] === whole ? all : undefined, a);
    const at = f.lastIndexOf(".");
    const [name, member] = f.startsWith("new ") ? [f.slice(4), null] : [f.slice(0, at), keyOf(f.slice(at + 1))];
    const found = exported(m, o?.n ?? name);
    if (found && typeof found === "object" && member in found)
      return (a) => (typeof found[member] === "function" ? found[member](...a) : found[member]);
    const ofDefault = all && typeof all === "object" && Object.getOwnPropertyDescriptor(all, f)?.get;
    if (ofDefault) return () => all[f];
    if (typeof found !== "function") return undefined;
    if (member === null) return (a) => new found(...a);
    if (!o) return typeof found[member] === "function" ? (a) => found[member](...a) : undefined;
    if (!(member in found.prototype)) return undefined;
    const object = await objectOf(found, o);
    return (a) => {
      const value = object[member];
      const result = typeof value === "function" ? apply(value, object, a) : value;
      if (result instanceof Promise) return result.then((one) => (one === undefined ? object : one));
      return result === undefined ? object : result;
    };
  };
  const textOf = (a) => stringify(a.map((one) => encode(one)));
  const call = async (one) => {
    const { a, e, g } = one;
    const before = {};
    for (const [name, value] of Object.entries(e ?? {})) {
      before[name] = env[name];
      env[name] = value;
    }
    const calls = [];
    let w;
    const more = () => ({
      ...(w === undefined ? {} : { w }),
      ...(calls.length === 0 ? {} : { b: calls.slice(0, 60) }),
    });
    try {
      const act = await callable(one);
      if (!act) return { lost: true };
      const given = a.map((value, at) => withStubs(value, `${at}`, calls));
      const before = textOf(given);
      const output = listen();
      let result;
      try {
        result = act(given);
      } finally {
        w = output();
      }
      const isLater = result instanceof Promise || typeof result?.then === "function" || g !== undefined;
      // Of what is printed later nothing is known under the tests.
      if (isLater) w = undefined;
      const value = await within(result);
      const r = encode(g === undefined ? value : await walk(value, g));
      const after = given.map((one) => encode(one));
      return { r: stringify(after) === before ? r : { $: "changed", v: [r, after] }, ...more() };
    } catch (error) {
      return { t: encode(error), ...more() };
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete env[name];
        else env[name] = value;
    }
  };
  const ends = new Map();
  /** What is printed may be another time of day. */
  const endOf = (end) => stringify({ ...end, w: undefined });
  /** Whether one who changes what a call gave changes what the next one is given. */
  const isShared = async (one) => {
    if (!plan.lists || one.o || stringify(one.a).includes('"callback"')) return false;
    const act = await callable(one);
    let result;
    try {
      result = act(one.a.map(decode));
    } catch {
      return false;
    }
    const isObject = Array.isArray(result) || isPlain(result);
    if (!isObject || !Object.isExtensible(result)) return false;
    const mark = "0".repeat(9);
    if (Array.isArray(result)) result.push(mark);
    else result[mark] = mark;
    const again = await call(one);
    if (Array.isArray(result)) result.pop();
    else delete result[mark];
    return endOf(again) !== ends.get(one);
  };
  /** What a caller can tell of a result that its value does not show. */
  const formOf = async (one) => {
    if (!plan.lists || stringify(one.a).includes('"callback"')) return [];
    const act = await callable(one);
    const given = one.a.map(decode);
    let result;
    try {
      result = act(given);
    } catch {
      return [];
    }
    if (typeof result?.then === "function") return (await within(result).catch(() => undefined), ["a promise"]);
    if (result === null || typeof result !== "object") return [];
    const at = given.indexOf(result);
    const isFrozen = Object.isFrozen(result) && Reflect.ownKeys(result).length > 0;
    return [
      ...(at < 0 ? [] : [`its argument ${at + 1} itself`]),
      ...(isFrozen ? ["a frozen object"] : Object.isExtensible(result) ? [] : ["an object that takes no other fields"]),
      ...(Object.getPrototypeOf(result) === null ? ["an object without the methods of objects"] : []),
    ];
  };
  /** Calls that end later, begun at the same time: what they share shows in their ends. */
  const lateOnes = [];
  const playAtOnce = async () => {
    const all = lateOnes.filter((one) => !one.o && !one.e).slice(0, 12);
    if (all.length < 2) return;
    const found = await Promise.all(all.map(call));
    for (const [at, one] of all.entries())
      if (endOf(found[at]) !== ends.get(one)) tell({ i: one.i, ...found[at], mixed: true });
  };
  const play = async (one) => {
    if (nameOfValue(one)) {
      const name = nameOfValue(one);
      ends.set(one, endOf({ r: values.get(name) }));
      if (values.has(name)) tell({ i: one.i, r: values.get(name) });
      return;
    }
    const began = now();
    const first = await call(one);
    ends.set(one, endOf(first));
    let varies = false;
    // The shortest of three, so that a busy machine is not taken for slow work.
    let ms = now() - began;
    for (let more = 0; more < 2 && plan.lists && ms >= slowMs; more += 1) {
      const again = now();
      await call(one);
      ms = Math.min(ms, now() - again);
    }
    const until = now() + repeatMs;
    for (let time = 1; time < (plan.times ?? 1) && !varies && now() < until; time += 1)
      varies = endOf(await call(one)) !== ends.get(one);
    const isSteady = !varies && "r" in first;
    const shared = isSteady && (await isShared(one));
    const form = isSteady ? await formOf(one) : [];
    if (form.includes("a promise")) lateOnes.push(one);
    const slow = plan.lists && ms >= reportedMs ? { ms: Math.round(ms) } : {};
    const more = {
      ...slow,
      ...(varies ? { varies } : {}),
      ...(shared ? { shared } : {}),
      ...(form.length > 0 ? { form } : {}),
    };
    tell({ i: one.i, ...first, ...more });
  };
  for (const one of plan.calls) await play(one);
  if (plan.lists) {
    tellLeft(loaded, shared());
    await playAtOnce();
  }
  // Neighbours after the recorded calls: with other arguments one may never come to an end.
  for (const one of plan.beside ?? []) await play(one);
  // Many calls of the same functions: a result that turns into another one is reported once for each call.
  const until = now() + (plan.soakMs ?? 0);
  const steady = new Set(plan.calls.filter((one) => !nameOfValue(one)));
  for (let count = 0; steady.size > 0 && count < (plan.soak ?? 0) && now() < until;)
    for (const one of steady) {
      if (now() >= until) break;
      count += 1;
      const again = await call(one);
      if (endOf(again) === ends.get(one)) continue;
      steady.delete(one);
      let back = false;
      for (let more = 0; more < 5 && !back; more += 1) back = endOf(await call(one)) === ends.get(one);
      tell({ i: one.i, ...again, after: count, ...(back ? { back } : {}) });
    }
  tell({ done: true });
};
