// `approve`: passes the gate a run stands at.
import { define } from "../context/index.ts";
import { flag, number, optional, spelled, whole } from "../define/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { waitSeconds } from "../run-data/fields.ts";
import { productGlobs } from "../start/fields.ts";
import { decisionFields, sha256 } from "./fields.ts";
import { statusOutput } from "../run-data/output.ts";

export const approve = define({
  name: "approve",
  group: "Decide",
  summary: "Answer yes at the gate of a run, and go on",
  more: "What you approve is exactly what thehood status shows now; if it has changed meanwhile, the answer is refused.",
  examples: [
    "thehood approve",
    'thehood approve run_0mwh --message "apply isolated patch"',
    "thehood approve run_0mwh --add-tokens 200000",
  ],
  effect: "decides",
  input: {
    ...decisionFields,
    accept: flag("take the work as it is, as your own decision, where the gate offers it", { only: "cli" }),
    retry: flag("send a call again whose outcome is unknown", { only: "cli" }),
    addTokens: optional(whole("extend the token budget", { min: 1, only: "cli" })),
    addMinutes: optional(number("extend the time budget", { positive: true, only: "cli" })),
    addAnswers: optional(whole("let the run have more answers", { min: 1, only: "cli" })),
    addUsd: optional(number("extend the money budget, in US dollars", { positive: true, only: "cli" })),
    productPaths: spelled(productGlobs, { only: "cli" }),
    sha256,
    waitSeconds,
  },
  async handle({ accept, retry, ...input }, context) {
    const { decideGate } = await import("../run-data/decide.ts");
    const { addTokens, addMinutes, addAnswers, addUsd } = input;
    const extends_ = [addTokens, addMinutes, addAnswers, addUsd].some((amount) => amount !== undefined);
    const answer = extends_ ? "extend" : accept ? "accept" : retry ? "retry" : "approve";
    return decideGate(context, answer, input);
  },
  cli: { main: true, words: ["runId"], exit: ({ standing }) => exitOf(standing) },
  mcp: {
    tool: "thehood_approve",
    main: true,
    title: "Ask the person to approve",
    description: "Put an open gate before the person at this client; only their answer passes it.",
    output: { ...statusOutput, answered: "object" },
    present: async ({ standing, gate, answer }) =>
      (await import("../run-data/host-status.ts")).hostStatus(standing, { answered: { gate, answer } }),
  },
});
