// The door to what operations tell of runs: surfaces show it.
export { baselineWords, resultWords, seconds } from "./baseline-words.ts";
export { attended } from "./attended.ts";
export { answerText } from "./answer-text.ts";
export type { Home, HomeGroup, HomeRow } from "./everywhere.ts";
export { laidOpen, type GatePart, type LaidOpen, type OpenGate } from "./laid-open.ts";
export { briefOf, compactRow, listRuns, type ListedRuns } from "./row.ts";
export type { Beside, SideResult } from "./beside.ts";
export type { Decided } from "./decide.ts";
export type { Demo } from "./demo.ts";
export type { Executed } from "./exec.ts";
export type { ReadableGate, ReadablePart, ReadableSheet } from "./readable.ts";
export type { RunRecord } from "./record.ts";
export { reportText } from "./report-text.ts";
export { sheetOf, type GateSheet } from "./sheet.ts";
export type { Story } from "./story.ts";
export type { Standing } from "./standing.ts";
export type { Watched } from "./watched.ts";
export type { Undone } from "./undo.ts";
