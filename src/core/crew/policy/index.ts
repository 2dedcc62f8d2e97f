// Policy choice: the user's layers, and the rule that others may only tighten.
export { loosened } from "./loosened.ts";
export { namedChecks, runPolicy, effectivePolicy, type PolicyOverrides } from "./run-policy.ts";
export { overruled, tightenPolicy, type TighterPolicy, userPolicy, type UserPolicy } from "./tighten.ts";
