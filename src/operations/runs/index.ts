// The door of the operations on runs.
export { answerGate, gateToAnswer, type Answer } from "./answer.ts";
export { askApproval, askRejection } from "./ask.ts";
export { attended, isUnattended } from "./attended.ts";
export { askedAfter, workOffBeside } from "./beside.ts";
export { consult, orchestrate, plan } from "./begin.ts";
export { runs } from "./list.ts";
export { agentBoard, readArtifact, status } from "./look.ts";
export { abort, resume } from "./move.ts";
export { parseInput } from "../parse.ts";
export { briefOf, compactRow, standingRows } from "./row.ts";
export {
  captureEvidence,
  fanout,
  reconcile,
  sideResults,
  summon,
  summonItem,
  toSummon,
  type SideResult,
} from "./side.ts";
export { startRun, type StartRun, type StartRunInput } from "./start.ts";
