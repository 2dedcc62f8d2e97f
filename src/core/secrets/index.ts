// Secrets for other rooms: find them in a text and redact them.
export { marker, type SecretOptions } from "./rule.ts";
export { createRedactor, findSecrets, redact } from "./redact.ts";
export { valueRules } from "./value-rules.ts";
export { compileUserRules } from "./user-rules.ts";
/** For tests, and to list the kinds of secrets. */
export { ruleTable as secretRules } from "./rules/table.ts";
