// Every rule about files of the tree.
import { agentRules } from "./agents.ts";
import { editorRules } from "./editors.ts";
import { environmentRules } from "./environments.ts";
import { gitFileRules } from "./git-files.ts";
import { instructionRules } from "./instructions.ts";
import { loadedCodeRules } from "./loaded-code.ts";
import { packageRules } from "./packages.ts";
import { gateOf, mayTake, subjectOf } from "./gate.ts";
import type { FileRule } from "./rule.ts";

const rules: readonly FileRule[] = [
  ...gitFileRules,
  ...agentRules,
  ...editorRules,
  ...environmentRules,
  ...packageRules,
  ...loadedCodeRules,
  ...instructionRules,
];

interface Pattern {
  readonly rule: FileRule;
  readonly pattern: RegExp;
  readonly gate: ReturnType<typeof gateOf>;
}

export const patterns: readonly Pattern[] = rules.flatMap((rule) =>
  [rule.path].flat().map((pattern) => ({ rule, pattern, gate: gateOf(pattern) })),
);

/** The rules that have something to say about a file, by its path. */
export function rulesAbout(path: string): Set<FileRule> {
  const subject = subjectOf(path);
  const asked = patterns.filter(({ pattern, gate }) => mayTake(gate, subject) && pattern.test(path));
  return new Set(asked.map(({ rule }) => rule));
}
