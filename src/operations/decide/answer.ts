// Answers at a gate.
import { flag, optional, text, withDefault, number, spelled, whole } from "../define/index.ts";
import { keepSecrets, waitingRun, waitSeconds } from "../run-data/fields.ts";
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { productGlobs, startFields } from "../start/fields.ts";
import { statusOutput } from "../run-data/output.ts";

export const decisionFields = {
  runId: waitingRun,
  message: withDefault(
    text("your words; a gate with a phrase wants it here", { only: "cli", cli: { short: "m" } }),
    "",
  ),
  gate: optional(
    text("the gate you mean; refused when another one is open", {
      min: 1,
      max: 64,
      cli: { value: "id" },
      mcp: { name: "gate_id", about: "The open gate, as thehood_status tells it.", required: true },
    }),
  ),
  sign: optional(
    text("sign your answer with this SSH key; `thehood verify --signers` tells by whom", {
      only: "cli",
      cli: { value: "file" },
    }),
  ),
  noContinue: flag("record the decision and stop", { only: "cli" }),
  keepSecrets,
};

export const undoToo = flag("also take its work out of the checkout again", { only: "cli" });

/** The caller names the hash of what was shown, so that the answer is about exactly that (B-4). */
export const sha256 = optional(
  text("the hash of what you were shown, as thehood status tells it; needed where no terminal can show it", {
    pattern: /^[0-9a-f]{64}$/,
    words: "the hash of what the gate shows, 64 hex digits",
    cli: { name: "shown", value: "hash" },
    mcp: { about: "The hash of what the gate shows, as thehood_status tells it.", required: true },
  }),
);

export const approve = define({
  name: "approve",
  group: "Decide",
  summary: "Answer yes at the gate of a run, and go on",
  more: "What you approve is exactly what thehood status shows now; if it has changed meanwhile, the answer is refused.",
  examples: [
    "thehood approve",
    'thehood approve run_0mwh --message "apply isolated patch"',
    "thehood approve run_0mwh --branch fix/rounding --pr",
    "thehood approve run_0mwh --add-tokens 200000",
    'thehood approve run_0mwh --remember --message "invoke openai-api; send repo context to openai-api"',
  ],
  effect: "decides",
  input: {
    ...decisionFields,
    toBranch: optional(
      text("put the work on this new branch as a commit, and not into the checkout", {
        min: 1,
        max: 200,
        only: "cli",
        cli: { name: "branch", value: "name" },
      }),
    ),
    pullRequest: flag("also push that branch and open a draft pull request", { only: "cli", cli: { name: "pr" } }),
    accept: flag("take the work as it is, as your own decision, where the gate offers it", { only: "cli" }),
    retry: flag("send a call again whose outcome is unknown", { only: "cli" }),
    remember: flag("also allow later transfers to this destination, within the bounds that the gate shows", {
      only: "cli",
    }),
    keepTests: flag("also write the blind tests of the run into the checkout, as new files of yours", { only: "cli" }),
    addTokens: optional(whole("extend the token budget", { min: 1, only: "cli" })),
    addMinutes: optional(number("extend the time budget", { positive: true, only: "cli" })),
    addAnswers: optional(whole("let the run have more answers", { min: 1, only: "cli" })),
    addUsd: optional(number("extend the money budget, in US dollars", { positive: true, only: "cli" })),
    productPaths: spelled(productGlobs, { only: "cli" }),
    goal: optional(
      text("the goal, instead of the one that the gate of the start shows", {
        trim: true,
        min: 1,
        max: 20_000,
        only: "cli",
      }),
    ),
    acceptanceCriteria: spelled(startFields.acceptanceCriteria, {
      only: "cli",
      help: "what must be true at the end, instead of what the gate of the start shows",
    }),
    sha256,
    waitSeconds,
  },
  async handle({ accept, retry, remember, ...input }, context) {
    const { decideGate } = await import("../run-data/decide.ts");
    const { addTokens, addMinutes, addAnswers, addUsd } = input;
    const extends_ = [addTokens, addMinutes, addAnswers, addUsd].some((amount) => amount !== undefined);
    const other = accept ? "accept" : retry ? "retry" : remember ? "remember" : "approve";
    const answer = extends_ ? "extend" : other;
    return decideGate(context, answer, input);
  },
  cli: { main: true, args: ["runId"], exit: ({ standing }) => exitOf(standing) },
  mcp: {
    tool: "thehood_approve",
    main: true,
    title: "Ask the person to approve",
    description: "Put an open gate before the person at this client; only their answer passes it.",
    output: { ...statusOutput, answered: "object" },
    present: async ({ standing, gate, answer }) =>
      (await import("../run-data/for-program.ts")).hostStatus(standing, { answered: { gate, answer } }),
  },
});

export const reject = define({
  name: "reject",
  group: "Decide",
  summary: "Refuse what the gate asks; the run ends",
  examples: ['thehood reject run_0mwh --message "wrong direction"'],
  effect: "decides",
  input: { ...decisionFields, undo: undoToo, sha256, waitSeconds },
  handle: async (input, context) => (await import("../run-data/decide.ts")).decideGate(context, "reject", input),
  cli: { args: ["runId"], exit: ({ standing }) => exitOf(standing) },
  mcp: {
    tool: "thehood_reject",
    main: true,
    title: "Ask the person to reject",
    description: "Put an open gate before the person at this client, to reject it; the run then ends.",
    output: { ...statusOutput, answered: "object" },
    annotations: { openWorldHint: false },
    present: async ({ standing, gate, answer }) =>
      (await import("../run-data/for-program.ts")).hostStatus(standing, { answered: { gate, answer } }),
  },
});

export const revise = define({
  name: "revise",
  group: "Decide",
  summary: "Send the work back with a message",
  examples: ['thehood revise run_0mwh --message "keep the old name exported"'],
  effect: "decides",
  input: decisionFields,
  handle: async (input, context) => (await import("../run-data/decide.ts")).decideGate(context, "revise", input),
  cli: { main: true, args: ["runId"], exit: ({ standing }) => exitOf(standing) },
});
