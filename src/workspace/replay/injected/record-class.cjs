// The part of the recorder for classes: `new`, methods, static methods and properties that are read. The object of a call is
// written down as its fields; where they do not hold all of it, as what it was made of and the calls since then.
module.exports = ({
  encode,
  stringify,
  textOf,
  report,
  known,
  lost,
  recordedFunction,
  walked,
  proxies,
  ownClasses,
}) => {
  const { apply, construct, getPrototypeOf, ownKeys } = Reflect;
  const { defineProperty, getOwnPropertyDescriptor } = Object;
  const mostBefore = 12;
  const walks = new Map([
    [Symbol.iterator, "@@iterator"],
    [Symbol.asyncIterator, "@@asyncIterator"],
  ]);
  /** Prototype → the name under which its class is exported. */
  const names = new Map();
  /** Object → how it was made and what was called on it. */
  const made = new WeakMap();
  const isWhole = (value) => !/\{"\$":"(?:lost|instance)"/.test(stringify(value));
  const fieldsOf = (object) => encode({ ...object });
  const text = (cls) => apply(textOf, cls, []);

  /** Fields hold all of an object whose classes have no private names and are no part of the language. */
  const isOpen = (cls) => {
    for (let one = cls; typeof one === "function" && one !== Function.prototype; one = getPrototypeOf(one))
      if (!/^class\b/.test(text(one)) || /#[\p{L}_$]/u.test(text(one))) return false;
    return true;
  };
  const open = new Map();

  function receiver(self, name, history) {
    const above = getPrototypeOf(self);
    const own = names.get(above);
    if (own === undefined) return null;
    const of = own === name ? {} : { n: own };
    const s = open.get(above) ? fieldsOf(self) : null;
    if (!history.tangled && stringify(fieldsOf(self)) !== history.fields) history.tangled = true;
    const isMade = !history.tangled && history.n === own;
    const made = isMade ? { c: history.c, h: [...history.h] } : null;
    if (s !== null && isWhole(s)) return { s, ...made, ...of };
    return made === null ? null : { ...made, ...of };
  }

  /** Later calls on the same object are repeated after this one. */
  function remember(history, self, member, a) {
    history.fields = stringify(fieldsOf(self));
    if (member === null) return;
    history.h.push([member, a]);
    if (history.h.length > mostBefore || !isWhole(a)) history.tangled = true;
  }

  /** `before`: the name under which the call is repeated before later ones; null for one that only reads. */
  const method = (name, full, before, act) => {
    const proxy = new Proxy(act, {
      apply(target, self, given) {
        const plain = (all = given) => apply(target, self, all);
        if (self === null || typeof self !== "object") return plain();
        const history = made.get(self) ?? { depth: 0, pending: 0, h: [], tangled: true };
        // A call inside of another one of the same object is repeated with that one; two at once cannot be.
        if (history.depth > 0) return plain();
        if (history.pending > 0) history.tangled = true;
        const o = receiver(self, name, history);
        const a = given.map((one) => encode(one));
        let result;
        history.depth += 1;
        try {
          if (o === null) lost(full, "receiver");
          result = o === null ? plain() : report(full, given, { o }, plain, () => encode(self));
        } finally {
          history.depth -= 1;
          if (!history.tangled && !(result instanceof Promise)) remember(history, self, before, a);
        }
        if (!history.tangled && result instanceof Promise) {
          history.pending += 1;
          const settled = () => {
            history.pending -= 1;
            if (!history.tangled) remember(history, self, before, a);
          };
          result.then(settled, settled);
        }
        return result;
      },
    });
    proxies.add(proxy);
    return proxy;
  };

  /** Also those of a class above it that is not exported itself. */
  function membersOf(prototype) {
    const all = new Map();
    for (let above = prototype; above && above !== Object.prototype; above = getPrototypeOf(above)) {
      if (above !== prototype && (names.has(above) || !ownClasses.includes(above.constructor?.name))) break;
      for (const key of ownKeys(above)) if (!all.has(key)) all.set(key, getOwnPropertyDescriptor(above, key));
    }
    return all;
  }

  function recordMembers(name, cls) {
    const { prototype } = cls;
    for (const [key, found] of membersOf(prototype)) {
      const member = walks.get(key) ?? key;
      if (member === "constructor" || typeof member !== "string" || !found.configurable) continue;
      const full = `${name}.${member}`;
      const { value, get } = found;
      if (typeof value !== "function" && !get) continue;
      known(full);
      if (value && !walked && /^[^{(]*\*/.test(text(value))) lost(full, "generator");
      else if (value) defineProperty(prototype, key, { ...found, value: method(name, full, member, value) });
      else defineProperty(prototype, key, { ...found, get: method(name, full, null, get) });
    }
    for (const member of ownKeys(cls)) {
      const found = getOwnPropertyDescriptor(cls, member);
      if (typeof member !== "string" || typeof found.value !== "function" || !found.configurable) continue;
      if (member === "prototype" || /^class\b/.test(text(found.value)) || !found.writable) continue;
      defineProperty(cls, member, { ...found, value: recordedFunction(`${name}.${member}`, found.value) });
    }
  }

  const done = new WeakMap();
  return (name, cls) => {
    if (done.has(cls)) return done.get(cls);
    done.set(cls, cls);
    names.set(cls.prototype, name);
    open.set(cls.prototype, isOpen(cls));
    recordMembers(name, cls);
    // A private static name is not found on anything but the class.
    if (/\bstatic\b[^{;=(]*#/.test(text(cls))) return cls;
    known(`new ${name}`);
    const outside = new Proxy(cls, {
      construct(target, given, by) {
        const isOwn = by === outside;
        const plain = (all = given) => construct(target, all, isOwn ? target : by);
        if (!isOwn) return plain();
        const c = given.map((one) => encode(one));
        const object = report(`new ${name}`, given, {}, plain);
        const fields = stringify(fieldsOf(object));
        made.set(object, { n: name, c, h: [], depth: 0, pending: 0, tangled: !isWhole(c), fields });
        return object;
      },
    });
    done.set(cls, outside);
    return outside;
  };
};
