// One pass over the text for the literals of all rules; each place found is handed to the rules it can concern.
import type { Rule } from "./rule.ts";

export interface Prefilter {
  /** Calls `visit` for each place where literals start, in order, with every rule that has one there. */
  readonly places: (text: string, visit: (at: number, rules: readonly Rule[]) => void) => void;
}

const escaped = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);

export function createPrefilter(rules: readonly Rule[]): Prefilter {
  const literals = [...new Set(rules.flatMap((rule) => rule.literals))];
  // Alternatives are tried in order: the longest first, and its rules include those of its own beginnings.
  literals.sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const byLiteral = new Map(
    literals.map((literal) => [
      literal,
      rules.filter((rule) => rule.literals.some((own) => literal.startsWith(own))),
    ]),
  );
  const pattern = new RegExp(literals.map(escaped).join("|"), "g");
  return {
    places(text, visit) {
      pattern.lastIndex = 0;
      for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
        visit(match.index, byLiteral.get(match[0]) ?? []);
        // Every place counts, also one inside of the last literal: what is found must not depend on what came before.
        pattern.lastIndex = match.index + 1;
      }
    },
  };
}
