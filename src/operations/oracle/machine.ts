// The operations on this machine: what it needs to run `oracle`, and serving MCP on it.
import { text } from "../define/index.ts";
import { define } from "./context.ts";

const group = "Commands";

export const doctor = define({
  name: "doctor",
  group,
  summary: "check what this machine needs to run oracle",
  effect: "reads",
  input: {},
  handle: async (_, context) => ({ lines: await (await context.transport()).doctor() }),
  cli: { exit: ({ lines }) => (lines.some(({ state }) => state === "missing") ? 1 : 0) },
});

export const mcp = define({
  name: "mcp",
  group,
  summary: "serve the tools consult and sessions over MCP on stdin and stdout",
  effect: "moves",
  input: {},
  handle: async (_, context) => {
    await context.serveMcp();
    return null;
  },
  cli: {},
});

/** The body of the process that a run has of its own. */
export const runSession = define({
  name: "run-session",
  group,
  summary: "carry out a session's run, handed over on stdin",
  effect: "moves",
  input: { id: text("the id of a session", { min: 1 }) },
  handle: async ({ id }, context) => ({ code: await context.runSession(id) }),
  cli: { words: ["id"], hidden: true, exit: ({ code }) => code },
});
