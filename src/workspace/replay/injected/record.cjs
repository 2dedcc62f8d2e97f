// Reports each call of an exported function, with its arguments and its result. Its text is put into a changed file of a
// scratch tree, so it runs inside the user's test runner. `pipe` is a named pipe: what was written cannot be taken back.
module.exports = (fs, pipe, file, { encode, stringify }) => {
  const { openSync, writeSync } = fs;
  const { apply } = Reflect;
  const { random } = Math;
  const { env } = process;
  const first = { ...env };
  const longest = 3_900;
  const mostLines = 3_000;
  const firstKept = 100;
  let descriptor = null;
  let lines = 0;
  const seen = new Map();

  const write = (record) => {
    try {
      descriptor ??= openSync(pipe, "a");
      let line = stringify(record);
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
  write({ m: file, program: process.execPath });
  return (name, value) => {
    if (typeof value !== "function" || /^class\b/.test(Function.prototype.toString.call(value))) return value;
    write({ m: file, f: name, known: true });
    return new Proxy(value, {
      apply(target, self, given) {
        const a = given.map((one) => encode(one));
        const call = { n: lines, m: file, f: name, a, ...changed() };
        const kept = isKept(name, stringify(a));
        const tell = (end) => kept && write({ ...call, ...end });
        let result;
        try {
          result = apply(target, self, given);
        } catch (error) {
          tell({ t: encode(error) });
          throw error;
        }
        if (!(result instanceof Promise)) tell({ r: encode(result) });
        else
          result.then(
            (value) => tell({ r: encode(value) }),
            (error) => tell({ t: encode(error) }),
          );
        return result;
      },
    });
  };
};
