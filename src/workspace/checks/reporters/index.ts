// The door to reports: runners send their results over a private channel, apart from their output.
export { attachReporter, refusedReporter } from "./attach.ts";
export { openChannel } from "./channel.ts";
export { goReader, goReporting } from "./go.ts";
export { reportOf, type TestReport } from "./runner-session.ts";
