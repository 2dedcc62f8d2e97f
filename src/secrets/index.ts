// The door of this room: find secrets in a text and take them out.
export { type Allowed, marker, type SecretOptions } from "./options.ts";
export { createRedactor, findSecrets, redact, type Redactor } from "./redact.ts";
export { compileUserRules, type UserRule, type UserRules } from "./user-rules.ts";
/** For tests and for people who ask what is looked for. */
export { rules as secretRules } from "./rules/table.ts";
