// The part of the player for what goes into a call and comes out of it and is no plain value.
module.exports = ({ encode, decode, stringify }, within) => {
  const { apply } = Reflect;
  /** A function that answers as the callback of the test did, and notes what it is given. */
  const stub = (at, table, calls) => {
    const asked = new Map();
    return (...given) => {
      const a = given.map((one) => encode(one));
      calls.push([at, a]);
      const text = stringify(a);
      const own = table.filter((entry) => stringify(entry[0]) === text);
      const time = asked.get(text) ?? 0;
      asked.set(text, time + 1);
      const { r, t, p, q } = own[Math.min(time, own.length - 1)]?.[1] ?? {};
      if (t !== undefined) throw decode(t);
      if (q !== undefined) return Promise.reject(decode(q));
      return p === undefined ? decode(r ?? { $: "undefined" }) : Promise.resolve(decode(p));
    };
  };
  const isStub = (value) => value?.$ === "callback";
  const withStubs = (value, place, calls) => {
    if (isStub(value)) return stub(place, value.v, calls);
    if (value === null || typeof value !== "object" || Array.isArray(value) || "$" in value) return decode(value);
    const entries = Object.entries(value);
    const made = decode(Object.fromEntries(entries.filter(([, one]) => !isStub(one))));
    for (const [name, one] of entries) if (isStub(one)) made[name] = stub(`${place}.${name}`, one.v, calls);
    return made;
  };
  /** As many steps of a walk as were made under the tests. */
  const walk = async (value, count) => {
    if (typeof value?.next !== "function") return value;
    const steps = [];
    for (let asked = 0; asked < count; asked += 1)
      try {
        const step = await within(value.next());
        steps.push(step?.done ? { done: true, value: step.value } : step?.value);
        if (step?.done) break;
      } catch (error) {
        steps.push({ error });
        break;
      }
    return { steps };
  };
  const channels = [
    ...["log", "info", "warn", "error", "debug"].map((name) => [console, name, name]),
    [process.stdout, "write", "out"],
    [process.stderr, "write", "err"],
  ];
  const listen = () => {
    const found = [];
    let inside = 0;
    const ends = channels.map(([object, name, label]) => {
      const act = object[name];
      object[name] = function (...given) {
        if (inside === 0 && found.length < 30)
          found.push([label, given.filter((one) => typeof one !== "function").map((one) => encode(one))]);
        inside += 1;
        try {
          return apply(act, this, given);
        } finally {
          inside -= 1;
        }
      };
      return () => (object[name] = act);
    });
    return () => {
      for (const end of ends) end();
      return found;
    };
  };
  return { withStubs, walk, listen };
};
