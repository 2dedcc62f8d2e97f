// A person's words to a run that is under way.
import { define } from "../context/index.ts";
import { flag, needed, number, optional, text, whole } from "../define/index.ts";
import { keepSecrets, latestRun } from "../run-data/fields.ts";
import { startFields } from "../start/fields.ts";

export const tell = define({
  name: "tell",
  group: "Decide",
  summary: "Say something to a run that is under way, or narrow it",
  more: "Every call from then on gets your words; without an option the one in progress goes on. They are recorded with your name, stand in the report, and reviewers judge the work by them. They may narrow what the run may change at once; paths, criteria and budget beyond what you approved at its start are a question to you first.",
  examples: [
    'thehood tell run_0mwh "keep the old name exported"',
    'thehood tell run_0mwh "not that file: use the parser" --now --disallowed-path "src/legacy/**"',
    'thehood tell run_0mwh "the docs too" --allowed-path "docs/**" --acceptance "the guide names the option"',
    'thehood tell run_0mwh "wait, I must look first" --cancel',
  ],
  effect: "decides",
  input: {
    runId: latestRun,
    message: needed(text("your words", { trim: true, min: 1, max: 4_000 })),
    next: flag("with the next call (the default)"),
    now: flag("stop the call in progress and ask it again with your words; what it wrote is kept"),
    cancel: flag("stop the call in progress, keep what it wrote, and wait for your decision"),
    disallowedPaths: startFields.disallowedPaths,
    allowedPaths: startFields.allowedPaths,
    acceptanceCriteria: startFields.acceptanceCriteria,
    addTokens: optional(whole("more tokens", { min: 1 })),
    addMinutes: optional(number("more minutes", { positive: true })),
    addAnswers: optional(whole("more model calls", { min: 1 })),
    addUsd: optional(number("more US dollars", { positive: true })),
    keepSecrets,
  },
  handle: async (input, context) => (await import("../run-data/tell.ts")).tellRun(input, context),
  cli: { main: true, args: ["runId", "message"] },
});
