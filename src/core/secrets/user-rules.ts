// Rules from the user's configuration, run by RE2, whose time is linear in the text for any pattern. The engine is loaded
// only when there are such rules.
import { fail } from "../contract/index.ts";
import type { FoundSecret } from "./rule.ts";

interface UserRule {
  /** lower_snake, as it will be reported. */
  readonly label: string;
  /** RE2 syntax. Where it has a group, the first group is the secret. */
  readonly pattern: string;
}

/** Compiled rules. A match may not be longer than `reach` characters. */
export interface UserRules {
  readonly find: (text: string) => FoundSecret[];
}

const mostMatches = 10_000;

export async function compileUserRules(definitions: readonly UserRule[]): Promise<UserRules> {
  const { RE2JS } = await import("re2js");
  const compiled = definitions.map(({ label, pattern }) => {
    if (!/^[a-z][a-z0-9_]{0,63}$/.test(label)) {
      fail("invalid_config", `The secret rule's label "${label}" is not lower_snake.`, {
        remedy: "Name the rule with a-z, 0-9 and _ only, such as `internal_token`.",
      });
    }
    try {
      return { label, pattern: RE2JS.compile(pattern) };
    } catch (error) {
      return fail("invalid_config", `The pattern of secret rule "${label}" is not valid: ${String(error)}`, {
        remedy: "Use RE2 syntax: no look-around and no back references.",
      });
    }
  });
  return {
    find(text) {
      const found: FoundSecret[] = [];
      for (const { label, pattern } of compiled) {
        const matcher = pattern.matcher(text);
        while (found.length < mostMatches && matcher.find()) {
          const group = matcher.groupCount() > 0 && matcher.start(1) >= 0 ? 1 : 0;
          const start = matcher.start(group);
          const end = matcher.end(group);
          if (end > start) found.push({ label, rank: 1, start, end });
        }
      }
      return found;
    },
  };
}
