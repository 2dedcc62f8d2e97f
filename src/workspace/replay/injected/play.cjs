// Calls functions with given arguments and reports the results over a pipe. It runs as a plain program in a sandbox, or,
// for a comparison, inside the user's test runner.
module.exports = async (fs, plan, load, { encode, decode, stringify }) => {
  const { openSync, writeSync } = fs;
  const { apply } = Reflect;
  const now = performance.now.bind(performance);
  const wait = setTimeout;
  const { env } = process;
  const descriptor = openSync(plan.pipe, "a");
  const longest = 3_900;
  const repeatMs = 25;
  const tell = (record) => {
    let line = stringify({ p: plan.label, ...record });
    if (line.length > longest) line = stringify({ p: plan.label, i: record.i, cut: true });
    writeSync(descriptor, Buffer.from(`${line}\n`));
  };
  const within = (result) =>
    result instanceof Promise
      ? Promise.race([
          result,
          new Promise((_, fail) => wait(() => fail(new Error("no result in 2 seconds")), 2_000).unref?.()),
        ])
      : result;
  const modules = new Map();
  for (const file of new Set(plan.calls.map(({ m }) => m)))
    try {
      modules.set(file, await load(file));
    } catch (error) {
      tell({ m: file, failed: `${error?.name}: ${error?.message}`.slice(0, 300) });
    }
  if (plan.waitMs) await new Promise((done) => wait(done, plan.waitMs));
  const call = async ({ m, f, a, e }) => {
    const from = modules.get(m);
    const found = f === "module.exports" ? from?.default : (from?.[f] ?? from?.default?.[f]);
    if (typeof found !== "function") return { lost: true };
    const before = {};
    for (const [name, value] of Object.entries(e ?? {})) {
      before[name] = env[name];
      env[name] = value;
    }
    try {
      return { r: encode(await within(apply(found, undefined, a.map(decode)))) };
    } catch (error) {
      return { t: encode(error) };
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete env[name];
        else env[name] = value;
    }
  };
  const ends = new Map();
  const play = async (one) => {
    const first = await call(one);
    ends.set(one, stringify(first));
    let varies = false;
    const until = now() + repeatMs;
    for (let time = 1; time < (plan.times ?? 1) && !varies && now() < until; time += 1)
      varies = stringify(await call(one)) !== ends.get(one);
    tell({ i: one.i, ...first, ...(varies ? { varies } : {}) });
  };
  // Neighbours after the recorded calls: with other arguments one may never come to an end.
  for (const one of [...plan.calls, ...(plan.beside ?? [])]) await play(one);
  // Many calls of the same functions: a result that turns into another one is reported once for each call.
  const until = now() + (plan.soakMs ?? 0);
  const steady = new Set(plan.calls);
  for (let count = 0; steady.size > 0 && count < (plan.soak ?? 0) && now() < until;)
    for (const one of steady) {
      if (now() >= until) break;
      count += 1;
      const again = await call(one);
      if (stringify(again) === ends.get(one)) continue;
      steady.delete(one);
      tell({ i: one.i, ...again, after: count });
    }
  tell({ done: true });
};
