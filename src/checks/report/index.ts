// The door to reports: runners tell their results over a channel of ours, beside what they print.
export { attach, refusedReporter, type Attached } from "./attach.ts";
export { openChannel, type Channel } from "./channel.ts";
export { goReader, goReporting, type GoReader } from "./go.ts";
export { reportOf, type Report, type Session } from "./told.ts";
