// The door to "is it safe to open?": what in a folder would execute or steer an agent, found by reading files only.
export { inspectRepository, type Inspection, type InspectLimits } from "./inspect.ts";
export { findingKinds, type FindingKind, type RepositoryFinding, type Severity } from "./finding.ts";
export { reportHidden } from "./rules/instructions.ts";
