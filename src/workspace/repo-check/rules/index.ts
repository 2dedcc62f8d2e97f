// Every rule about files of the tree.
import { agentRules } from "./agents.ts";
import { editorRules } from "./editors.ts";
import { environmentRules } from "./environments.ts";
import { gitFileRules } from "./git-files.ts";
import { instructionRules } from "./instructions.ts";
import { packageRules } from "./packages.ts";
import type { Rule } from "./rule.ts";

export const rules: readonly Rule[] = [
  ...gitFileRules,
  ...agentRules,
  ...editorRules,
  ...environmentRules,
  ...packageRules,
  ...instructionRules,
];
