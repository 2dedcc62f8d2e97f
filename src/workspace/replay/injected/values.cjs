// Values as plain JSON, so that a call can be repeated in another process. Text of this file is put into the files that are
// recorded, so it uses nothing but the language, and takes what it uses before any judged code runs.
module.exports = (() => {
  const { isArray, from } = Array;
  const { keys, getOwnPropertyNames, getOwnPropertyDescriptor, defineProperty, getPrototypeOf, is } = Object;
  const { isFinite } = Number;
  const { ownKeys } = Reflect;
  const { prototype: ofObjects } = Object;
  const { toString } = ofObjects;
  const { stringify, parse } = JSON;
  const [text, number, big] = [String, Number, BigInt];
  const deepest = 8;
  const mostEntries = 5_000;
  /** Of one value, with all that is in it. */
  const mostValues = 20_000;
  let count = 0;
  let all = 0;

  const fields = (value, depth) => {
    const made = {};
    for (const key of keys(value).slice(0, mostEntries)) made[key] = encode(value[key], depth + 1);
    return made;
  };
  const list = (value, depth) =>
    from(value)
      .slice(0, mostEntries)
      .map((one) => encode(one, depth + 1));
  const tagged = (tag, v) => ({ $: tag, v });
  /** Properties that a list, an error or a walk over the keys does not show. */
  const more = (value, depth, isMore) => {
    const made = {};
    for (const name of getOwnPropertyNames(value).slice(0, mostEntries)) {
      const found = getOwnPropertyDescriptor(value, name);
      if ("value" in found && isMore(name, found)) made[name] = encode(found.value, depth + 1);
    }
    return keys(made).length === 0 ? null : made;
  };
  const withMore = (made, value, depth, isMore) => {
    const found = more(value, depth, isMore);
    return found === null ? made : tagged("with", [made, found]);
  };
  const ofLists = (name, { enumerable }) => !(enumerable && /^\d+$/.test(name)) && name !== "length";
  const hidden = (_, { enumerable }) => !enumerable;
  const ofErrors = (name, { value }) => !/^(?:name|message|stack)$/.test(name) && typeof value !== "function";
  const byKind = {
    "[object Date]": (value) => tagged("date", number(value)),
    "[object RegExp]": (value) => tagged("regexp", [value.source, value.flags]),
    "[object Map]": (value, depth) => tagged("map", list(value, depth)),
    "[object Set]": (value, depth) => tagged("set", list(value, depth)),
    "[object Error]": (value, depth) => {
      const found = more(value, depth, ofErrors);
      return tagged("error", [text(value.name), text(value.message), ...(found === null ? [] : [found])]);
    },
    "[object Promise]": () => tagged("lost", "promise"),
    "[object Generator]": () => tagged("lost", "generator"),
  };

  function encodeObject(value, depth) {
    if (depth > deepest) return tagged("lost", "deep");
    if (isArray(value))
      return value.length > mostEntries ? tagged("lost", "long") : withMore(list(value, depth), value, depth, ofLists);
    const kind = toString.call(value);
    if (byKind[kind]) return byKind[kind](value, depth);
    if (ArrayBuffer.isView(value))
      return tagged("bytes", [
        value.constructor.name,
        from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength).slice(0, 2000)),
      ]);
    const above = getPrototypeOf(value);
    const isPlain = above === null || (getPrototypeOf(above) === null && kind === "[object Object]");
    // A class without methods is nothing but its fields.
    const isRecord = !isPlain && getPrototypeOf(above) === ofObjects && ownKeys(above).length === 1;
    if (!isPlain)
      return tagged(isRecord ? "record" : "instance", [text(value.constructor?.name), fields(value, depth)]);
    const made = fields(value, depth);
    return withMore("$" in made ? tagged("plain", made) : made, value, depth, hidden);
  }

  function encode(value, depth = 0) {
    if (depth === 0) count = 0;
    all += 1;
    if ((count += 1) > mostValues) return tagged("lost", "long");
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
    record: ([name, found]) => {
      const { [name]: made } = { [name]: function () {} };
      return Object.assign(Object.create(made.prototype), plain(found));
    },
    map: (v) => new Map(v.map(decode)),
    set: (v) => new Set(v.map(decode)),
    plain: (v) => plain(v),
    bytes: ([name, v]) => (name === "Buffer" ? Buffer.from(v) : new globalThis[name](Uint8Array.from(v).buffer)),
    error: ([name, message, found = {}]) =>
      Object.assign(new (globalThis[name] ?? Error)(message), name in globalThis ? {} : { name }, plain(found)),
    with: ([main, found]) => {
      const made = decode(main);
      for (const name of keys(found))
        defineProperty(made, name, { value: decode(found[name]), writable: true, configurable: true });
      return made;
    },
  };
  const plain = (value) => Object.fromEntries(keys(value).map((key) => [key, decode(value[key])]));
  function decode(value) {
    if (value === null || typeof value !== "object") return value;
    if (isArray(value)) return value.map(decode);
    return "$" in value ? rebuild[value.$](value.v) : plain(value);
  }
  const sorted = (value) => {
    if (value === null || typeof value !== "object") return value;
    if (isArray(value)) return value.map(sorted);
    const made = {};
    for (const key of keys(value).sort()) made[key] = sorted(value[key]);
    return made;
  };
  /** What stands for a value that is too long to be written down: equal values have equal ones. */
  function digest(value) {
    const all = stringify(sorted(value));
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < all.length; at += 1) {
      const code = all.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    return tagged("digest", [`${high >>> 0}.${low >>> 0}`, all.length]);
  }
  return { encode, decode, digest, stringify, parse, written: () => all };
})();
