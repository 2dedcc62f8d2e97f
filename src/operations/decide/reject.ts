// `reject`: refuses what the gate asks.
import { define } from "../context/index.ts";
import { exitOf } from "../run-data/exit.ts";
import { waitSeconds } from "../run-data/fields.ts";
import { statusOutput } from "../run-data/output.ts";
import { decisionFields, sha256, undoToo } from "./fields.ts";

export const reject = define({
  name: "reject",
  group: "Decide",
  summary: "Refuse what the gate asks; the run ends",
  examples: ['thehood reject run_0mwh --message "wrong direction"'],
  effect: "decides",
  input: { ...decisionFields, undo: undoToo, sha256, waitSeconds },
  handle: async (input, context) =>
    (await import("../run-data/decide.ts")).decideGate(context, "reject", input),
  cli: { main: true, words: ["runId"], exit: ({ standing }) => exitOf(standing) },
  mcp: {
    tool: "thehood_reject",
    main: true,
    title: "Ask the person to reject",
    description: "Put an open gate before the person at this client, to reject it; the run then ends.",
    output: { ...statusOutput, answered: "object" },
    annotations: { openWorldHint: false },
    present: async ({ standing, gate, answer }) =>
      (await import("../run-data/host-status.ts")).hostStatus(standing, { answered: { gate, answer } }),
  },
});
