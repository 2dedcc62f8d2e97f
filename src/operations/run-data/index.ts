// The door to what operations tell of runs: surfaces show it.
export { describeBaseline, describeResult, seconds } from "./describe-baseline.ts";
export { withProcessState } from "./process-state.ts";
export { answerText } from "./answer-text.ts";
export type { Home, HomeGroup, HomeRow } from "./everywhere.ts";
export { attemptLines } from "./attempt-lines.ts";
export type { Attempts } from "./attempts.ts";
export type { FailingCheck } from "./failing.ts";
export { gateDetails, type GateDetails, type OpenGate } from "./gate-details.ts";
export { fullResult, fullRows } from "./sections.ts";
export {
  offeredAnswer,
  numbersOf,
  rowBrief,
  reasonText,
  stateText,
  compactRow,
  listRuns,
  type ListedRuns,
} from "./row.ts";
export type { SideTaskOutcome, SideResult } from "./side-task.ts";
export type { Decided } from "./decide.ts";
export type { Demo } from "./demo.ts";
export type { Executed } from "./exec.ts";
export type { ReadableGate, ReadablePart, GateDetailsView } from "./gate-details-view.ts";
export type { RunRecord } from "./record.ts";
export { lastAnswer } from "./answer-text.ts";
export { reportText } from "./answer-text.ts";
export { sheetOf, type GateSheet } from "./gate-details-view.ts";
export type { RunStory } from "./record.ts";
export type { QueuedState, QueueRow, QueueView } from "./queue.ts";
export type { Stats } from "./stats.ts";
export type { RunSnapshot } from "./snapshot.ts";
export type { Watched } from "./watched.ts";
export type { Undone } from "./undo.ts";
export type {
  EvidenceRow,
  RequestedRow,
  SessionConfig,
  SessionEventRow,
  SessionRow,
  ShownActions,
  ShownEvidence,
  ShownLedger,
  ShownSandboxSession,
  ShownSnapshots,
} from "../context/index.ts";
export { describeManifest } from "./manifest-text.ts";
export type { MessageResult } from "./tell.ts";
