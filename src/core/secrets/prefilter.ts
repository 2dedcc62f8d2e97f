// Finds the literals of all rules in one pass over the text. A literal has at least 3 characters, so testing every second
// pair of neighbours meets each literal. The third character selects the candidates, and each offset that is left is
// passed to its rules. Every offset is tested: a finding does not depend on the text before it.
import type { SecretRule } from "./rule.ts";

interface Prefilter {
  /** Calls `visit` for each offset at which a literal starts, in order, with all rules of that literal. */
  readonly places: (text: string, visit: (at: number, rules: readonly SecretRule[]) => void) => void;
}

interface Entry {
  readonly literal: string;
  readonly rules: readonly SecretRule[];
}

/** A table by pairs of characters: 0 for a pair that no literal has, else a row of `groups`, indexed by the third character. */
interface Table {
  readonly rows: Uint16Array;
  readonly groups: Uint16Array;
}

export function createPrefilter(rules: readonly SecretRule[]): Prefilter {
  const entries = entriesOf(rules);
  const groups: Entry[][] = [[]];
  /** Which tables have a pair: bit 1 for `starting`, bit 2 for `inside`. */
  const either = new Uint8Array(128 * 128);
  const starting = tableOf(entries, groups, either, 1, [0, 1, 2]);
  const inside = tableOf(entries, groups, either, 2, [1, 2, 0]);
  const entryAt = (text: string, at: number, table: Table, pair: number, third: number): Entry | undefined => {
    const group = third < 128 ? table.groups[((table.rows[pair] ?? 0) << 7) | third] : 0;
    return group ? groups[group]?.find(({ literal }) => text.startsWith(literal, at)) : undefined;
  };

  return {
    places(text, visit) {
      for (let at = 0; at < text.length; at += 2) {
        const first = text.charCodeAt(at);
        const second = text.charCodeAt(at + 1);
        if (first > 127 || !(second < 128)) continue;
        const pair = (first << 7) | second;
        const kind = either[pair] ?? 0;
        if (kind === 0) continue;
        if (kind & 2 && at > 0) {
          const entry = entryAt(text, at - 1, inside, pair, text.charCodeAt(at - 1));
          if (entry) visit(at - 1, entry.rules);
        }
        if (kind & 1) {
          const entry = entryAt(text, at, starting, pair, text.charCodeAt(at + 2));
          if (entry) visit(at, entry.rules);
        }
      }
    },
  };
}

function tableOf(
  entries: readonly Entry[],
  groups: Entry[][],
  either: Uint8Array,
  mark: number,
  /** Which characters of a literal are the pair, and which is the third. */
  [first, second, third]: readonly [number, number, number],
): Table {
  const rows = new Uint16Array(128 * 128);
  const table = { rows, groups: new Uint16Array((entries.length + 1) * 128) };
  let count = 0;
  for (const entry of entries) {
    const pair = (entry.literal.charCodeAt(first) << 7) | entry.literal.charCodeAt(second);
    const row = rows[pair] || (count += 1);
    rows[pair] = row;
    either[pair] = (either[pair] ?? 0) | mark;
    const slot = (row << 7) | entry.literal.charCodeAt(third);
    const group = table.groups[slot] || groups.push([]) - 1;
    table.groups[slot] = group;
    groups[group]?.push(entry);
  }
  return table;
}

/** The longest literals first; each also with the rules of its prefixes, in the order of the table. */
function entriesOf(rules: readonly SecretRule[]): Entry[] {
  const owners = new Map<string, number[]>();
  rules.forEach((rule, index) => {
    for (const literal of rule.literals) {
      const known = owners.get(literal);
      if (known === undefined) owners.set(literal, [index]);
      else if (known.at(-1) !== index) known.push(index);
    }
  });
  // Sorted, a prefix comes before the literals that start with it, and only such literals are between them.
  const prefixes: { readonly literal: string; readonly owners: readonly number[] }[] = [];
  const entries: Entry[] = [];
  for (const literal of [...owners.keys()].sort()) {
    if (literal.length < 3 || /[^ -~]/.test(literal)) throw new Error(`"${literal}" cannot be a literal`);
    while (prefixes.length > 0 && !literal.startsWith(prefixes.at(-1)?.literal ?? "")) prefixes.pop();
    const before = prefixes.at(-1)?.owners ?? [];
    const own = owners.get(literal) ?? [];
    const all = before.length === 0 ? own : [...new Set([...before, ...own])].sort((a, b) => a - b);
    prefixes.push({ literal, owners: all });
    entries.push({ literal, rules: all.flatMap((index) => rules[index] ?? []) });
  }
  return entries.sort((a, b) => b.literal.length - a.literal.length);
}
