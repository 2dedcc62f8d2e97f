// The operations on this machine: what it needs to run `oracle`, and serving MCP on it.
import type { ModelLine } from "../../core/contract/transport/index.ts";
import { flag, optional, text } from "../define/index.ts";
import { define } from "./context.ts";

const group = "Commands";

export const doctor = define({
  name: "doctor",
  group,
  summary: "check what this machine needs to run oracle",
  effect: "reads",
  input: {},
  handle: async (_, context) => ({ lines: await (await context.transport()).doctor() }),
  cli: { exit: ({ lines }) => (lines.some(({ state }) => state === "blocker") ? 1 : 0) },
});

export const models = define({
  name: "models",
  group,
  summary: "list where runs can go, or ask whether one model can be used; sends nothing that costs",
  effect: "reads",
  input: {
    model: optional(text("a model to ask about", { min: 1 })),
    check: flag("ask every provider whether the key and the model are right"),
  },
  handle: async ({ model, check }, context) => ({
    lines: await (await context.transport()).models(model ?? null, check, context.signal),
    tested: model !== undefined || check,
  }),
  cli: {
    args: ["model"],
    exit: ({ lines, tested }) => (tested && lines.some(isUnready) ? 1 : 0),
  },
});

/** A page without a login does not make the answer about a provider wrong. */
const isUnready = ({ engine, state }: ModelLine) => engine === "api" && state === "unready";

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

/** The main function of a run's own process. */
export const runSession = define({
  name: "run-session",
  group,
  summary: "carry out a session's run, handed over on stdin",
  effect: "moves",
  input: { id: text("the id of a session", { min: 1 }) },
  handle: async ({ id }, context) => ({ code: await context.runSession(id) }),
  cli: { args: ["id"], hidden: true, exit: ({ code }) => code },
});
