// Values that are known to be secret: each is found wherever it stands, together with what the other rules find.
import type { FoundSecret } from "./rule.ts";
import type { UserRules } from "./user-rules.ts";

const mostMatches = 10_000;

export function valueRules(values: readonly string[], others: UserRules | undefined): UserRules {
  return {
    find(text) {
      const found: FoundSecret[] = others?.find(text) ?? [];
      for (const value of values)
        for (
          let at = text.indexOf(value);
          at >= 0 && found.length < mostMatches;
          at = text.indexOf(value, at + value.length)
        )
          found.push({ label: "included_file_value", rank: 1, start: at, end: at + value.length });
      return found;
    },
  };
}
