// The door to the operations of `oracle`.
export { ask, type AskOutcome, type ModelOutcome, type SeveralOutcomes } from "./ask.ts";
export type { OracleContext } from "./context.ts";
export { oracleOperations } from "./list.ts";
export type { Cancelled, Cleared, ListedSessions, ShownSession } from "./sessions.ts";
export { perform } from "../perform.ts";
