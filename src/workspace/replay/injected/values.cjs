// Values as plain JSON, so that a call can be repeated in another process. Text of this file is put into the files that are
// recorded, so it uses nothing but the language, and takes what it uses before any judged code runs.
module.exports = (() => {
  const { isArray, from } = Array;
  const { keys, getPrototypeOf, is } = Object;
  const { isFinite } = Number;
  const { toString } = Object.prototype;
  const { stringify, parse } = JSON;
  const [text, number, big] = [String, Number, BigInt];
  const deepest = 8;
  const mostEntries = 200;

  const fields = (value, depth) => {
    const made = {};
    for (const key of keys(value).sort().slice(0, mostEntries)) made[key] = encode(value[key], depth + 1);
    return made;
  };
  const list = (value, depth) =>
    from(value)
      .slice(0, mostEntries)
      .map((one) => encode(one, depth + 1));
  const tagged = (tag, v) => ({ $: tag, v });
  const byKind = {
    "[object Date]": (value) => tagged("date", number(value)),
    "[object RegExp]": (value) => tagged("regexp", [value.source, value.flags]),
    "[object Map]": (value, depth) => tagged("map", list(value, depth)),
    "[object Set]": (value, depth) => tagged("set", list(value, depth)),
    "[object Error]": (value) => tagged("error", [text(value.name), text(value.message)]),
    "[object Promise]": () => tagged("lost", "promise"),
    "[object Generator]": () => tagged("lost", "generator"),
  };

  function encodeObject(value, depth) {
    if (depth > deepest) return tagged("lost", "deep");
    if (isArray(value)) return value.length > mostEntries ? tagged("lost", "long") : list(value, depth);
    const kind = toString.call(value);
    if (byKind[kind]) return byKind[kind](value, depth);
    if (ArrayBuffer.isView(value))
      return tagged("bytes", [
        value.constructor.name,
        from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice(0, 2000)),
      ]);
    const above = getPrototypeOf(value);
    const isPlain = above === null || (getPrototypeOf(above) === null && kind === "[object Object]");
    if (!isPlain) return tagged("instance", [text(value.constructor?.name), fields(value, depth)]);
    const made = fields(value, depth);
    return "$" in made ? tagged("plain", made) : made;
  }

  function encode(value, depth = 0) {
    if (value === null || typeof value === "boolean" || typeof value === "string") return value;
    if (value === undefined) return tagged("undefined");
    if (typeof value === "number")
      return isFinite(value) && !is(value, -0) ? value : tagged("number", is(value, -0) ? "-0" : text(value));
    if (typeof value === "bigint") return tagged("bigint", text(value));
    if (typeof value !== "object") return tagged("lost", typeof value);
    try {
      return encodeObject(value, depth);
    } catch {
      return tagged("lost", "unreadable");
    }
  }

  const rebuild = {
    undefined: () => undefined,
    number: (v) => number(v),
    bigint: (v) => big(v),
    date: (v) => new Date(v),
    regexp: ([source, flags]) => new RegExp(source, flags),
    map: (v) => new Map(v.map(decode)),
    set: (v) => new Set(v.map(decode)),
    plain: (v) => plain(v),
    bytes: ([name, v]) => (name === "Buffer" ? Buffer.from(v) : new globalThis[name](Uint8Array.from(v).buffer)),
    error: ([name, message]) =>
      Object.assign(new (globalThis[name] ?? Error)(message), name in globalThis ? {} : { name }),
  };
  const plain = (value) => Object.fromEntries(keys(value).map((key) => [key, decode(value[key])]));
  function decode(value) {
    if (value === null || typeof value !== "object") return value;
    if (isArray(value)) return value.map(decode);
    return "$" in value ? rebuild[value.$](value.v) : plain(value);
  }
  return { encode, decode, stringify, parse };
})();
