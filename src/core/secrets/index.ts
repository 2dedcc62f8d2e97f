// The door of this room: find secrets in a text and take them out.
export { marker, type SecretOptions } from "./rule.ts";
export { createRedactor, findSecrets, redact } from "./redact.ts";
export { compileUserRules } from "./user-rules.ts";
/** For tests and for people who ask what is looked for. */
export { ruleTable as secretRules } from "./rules/table.ts";
