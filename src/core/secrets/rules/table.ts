// The table of all rules, in the order in which they are tested.
import type { SecretRule } from "../rule.ts";
import { assignmentRules } from "./assignment.ts";
import { cloudRules } from "./clouds.ts";
import { codeHostRules } from "./code-hosts.ts";
import { configFileRules } from "./config-file.ts";
import { formatRules } from "./formats.ts";
import { headerRules } from "./header.ts";
import { namedServiceRules } from "./named-service.ts";
import { prefixRules } from "./prefixes.ts";
import { jwtRule } from "./token.ts";
import { privateKeyRules, wrappedRules } from "./private-key.ts";
import { serviceRules } from "./services.ts";
import { shapeRules } from "./shapes.ts";
import { urlRules } from "./url.ts";

export const ruleTable: readonly SecretRule[] = [
  ...privateKeyRules,
  ...codeHostRules,
  ...serviceRules,
  ...cloudRules,
  ...formatRules,
  ...prefixRules,
  ...shapeRules,
  jwtRule,
  ...wrappedRules,
  ...urlRules,
  ...headerRules,
  ...configFileRules,
  ...assignmentRules,
  ...namedServiceRules,
];
