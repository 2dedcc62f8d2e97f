// The door to reports: runners tell their results over a channel of ours, beside what they print.
export { attachReporter, refusedReporter } from "./attach.ts";
export { openChannel } from "./channel.ts";
export { goReader, goReporting } from "./go.ts";
export { reportOf, type TestReport } from "./runner-session.ts";
