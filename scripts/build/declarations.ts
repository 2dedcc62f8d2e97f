// The texts of one declaration file. A type that is written more than once, or that has a name in the sources, becomes a
// declaration; every other type is written where it is used. Two types with the same text are one.

export interface Slot {
  readonly token: string;
  /** The name in the sources, or one made from the path of properties that leads here. */
  name: string;
  /** Declared under its name even if it is used once. */
  declared: boolean;
  exported: boolean;
  /** `<N extends …>` of a generic alias. */
  parameters: string;
  doc: string;
  body: string;
}

const tokens = /\u0001(\d+)\u0002/g;
const onlyToken = /^\u0001(\d+)\u0002$/;
/** A shorter text is written where it is used. */
const shortBody = 60;

export interface Declarations {
  readonly slots: readonly Slot[];
  open(name: string, declared: boolean): Slot;
  /** The slot that holds the body: another one if its text is the same and the names agree. */
  close(slot: Slot, body: string): Slot;
  /** The exported values, and all declarations that they and the exported types reach. `nameFor` makes a name unique. */
  write(values: readonly string[], types: readonly string[], nameFor: (wanted: string) => string): string;
}

/** A type without a name of its own takes that of an equal one. */
export function promote(twin: Slot, { name, declared, doc }: Pick<Slot, "name" | "declared" | "doc">): Slot {
  return declared && !twin.declared ? Object.assign(twin, { name, declared, doc }) : twin;
}

/** Types that were written before refer to the slot: its text becomes a reference to the other one. */
function replace(slot: Slot, twin: Slot): Slot {
  promote(twin, slot);
  Object.assign(slot, { declared: false, body: twin.token });
  return twin;
}

export function createDeclarations(): Declarations {
  const slots: Slot[] = [];
  const byBody = new Map<string, Slot[]>();
  return {
    slots,
    open(name, declared) {
      const token = `\u0001${slots.length}\u0002`;
      const slot = { token, name, declared, exported: false, parameters: "", doc: "", body: "" };
      slots.push(slot);
      return slot;
    },
    close(slot, body) {
      slot.body = body;
      const inner = slots[Number(onlyToken.exec(body)?.[1])];
      if (inner && !inner.declared) return replace(slot, inner);
      const same = byBody.get(body) ?? [];
      const twin = same.find((other) => !other.declared || !slot.declared || other.name === slot.name);
      if (twin) return replace(slot, twin);
      byBody.set(body, [...same, slot]);
      return slot;
    },
    write: (values, types, nameFor) => write(slots, values, types, nameFor),
  };
}

function usesOf(slots: readonly Slot[], roots: readonly string[]): ReadonlyMap<Slot, number> {
  const uses = new Map<Slot, number>();
  const texts = [...roots];
  for (const text of texts)
    for (const [, index] of text.matchAll(tokens)) {
      const slot = slots[Number(index)];
      if (!slot) continue;
      const before = uses.get(slot) ?? 0;
      if (before === 0) texts.push(slot.parameters, slot.body);
      uses.set(slot, before + 1);
    }
  return uses;
}

function write(
  slots: readonly Slot[],
  values: readonly string[],
  types: readonly string[],
  nameFor: (wanted: string) => string,
): string {
  const uses = usesOf(slots, [...values, ...types]);
  const names = new Map<Slot, string>();
  for (const slot of uses.keys()) if (slot.exported) names.set(slot, slot.name);
  for (const [slot, count] of uses) {
    const separate = slot.declared || (count > 1 && slot.body.length > shortBody);
    if (separate && !slot.exported) names.set(slot, nameFor(slot.name));
  }
  const expand = (text: string): string =>
    text.replaceAll(tokens, (token, index: string) => {
      const slot = slots[Number(index)];
      if (!slot) return token;
      return names.get(slot) ?? expand(slot.body);
    });
  const declarations = [...names].map(([slot, name]) => {
    const head = `${slot.doc}${slot.exported ? "export " : ""}`;
    const body = expand(slot.body);
    // Objects inside are references, so a text that begins with a brace is one object.
    return slot.body.startsWith("{\n")
      ? `${head}interface ${name} ${body}\n`
      : `${head}type ${name}${expand(slot.parameters)} = ${body};\n`;
  });
  return indent([...values.map(expand), ...declarations].join("\n"));
}

function indent(text: string): string {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("}")) depth -= 1;
      const written = line === "" ? "" : `${"  ".repeat(depth)}${line}`;
      if (line.endsWith("{")) depth += 1;
      return written;
    })
    .join("\n");
}
