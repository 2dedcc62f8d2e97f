// The views: everything that is derived from a run. Views only show.
export { buildAgentBoard, type AgentBoard, type BoardCard } from "./agent-board.ts";
export { crewLanes } from "./crew-lanes.ts";
export { amountText, roleLanes } from "./role-lanes.ts";
export {
  canonicalMemory,
  rememberedOf,
  type CanonicalMemory,
  type Provenance,
  type RecentRun,
} from "./canonical-memory.ts";
export { attemptOf, rankAttempts, whyBehind, type Attempt, type AttemptStanding } from "./attempts.ts";
export { claims, type Claim } from "./claims.ts";
export { describeEvent, type EventDescription, withOtherNames } from "./describe-event.ts";
export { commitText } from "./commit-text.ts";
export { currentFailure } from "./current-failure.ts";
export { buildFinalReport, endReport, type RunEnding, type FinalReport } from "./final-report.ts";
export { figuresOf, sumOfRuns, sumsBy, type FiguresRow, type FiguresTotal, type RunFigures } from "./figures.ts";
export { requestText } from "./request-text.ts";
export { handoffs, revisionTrails } from "./handoffs.ts";
export {
  monitor,
  type Monitor,
  compactStatus,
  fullView,
  snapshotOf,
  rowOf,
  runBrief,
  type CompactStatus,
  type FullView,
  type Snapshot,
  type RunBrief,
} from "./status.ts";
export { momentText } from "./moment.ts";
export { nextActions } from "./next-actions.ts";
export { buildProgressPacket, type ProgressPacket } from "./progress-packet.ts";
export { responsibilities, reviewLanes } from "./rows.ts";
export { linesAbove, linesBelow } from "./gate/lead.ts";
export { asksForResult, branchName, gateSummaries, gateSummary } from "./gate/summary.ts";
export type * from "./gate/shapes.ts";
export type { GateRisk } from "../gate/table.ts";
export { worstRisk } from "./risk.ts";
export type * from "./shapes.ts";
export {
  timeline,
  type Bar,
  type Moment,
  type Timeline,
  type Whose,
  checkViews,
  passViews,
  type CheckView,
  type PassView,
} from "./timeline.ts";
