// The door to "is it safe to open?": what in a folder would execute or steer an agent, found by reading files only.
export { inspectRepository } from "./inspect.ts";
export { type FindingKind, type Severity } from "./finding.ts";
