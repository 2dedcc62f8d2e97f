// A person works with one session of the gateway: messages, evidence, snapshots, the diff, the ledger and the configuration.
// Help loads these literals, so the longer handlers are in a file of their own.
import { define, type ShownLedger } from "../context/index.ts";
import { flag, optional, source, text, whole, withDefault } from "../define/index.ts";

export const sessionId = text("a session", { min: 1, max: 100, cli: { value: "session" } });
export const pathOf = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;

export const gatewaySend = define({
  name: "gateway send",
  group: "Connect",
  summary: "Send the agent of a session a message",
  more: "A secret does not belong in a message: use thehood gateway answer.",
  examples: ['thehood gateway send ses_0mx "now run the tests" --wait', "thehood gateway send ses_0mx --file task.md"],
  effect: "moves",
  input: {
    sessionId,
    message: optional(text("the message", { min: 1, max: 100_000 })),
    file: optional(source("a file with the message; - for standard input")),
    wait: flag("wait for the end of the agent's turn, and print its answer"),
    timeout: withDefault(
      whole("with --wait: the most seconds to wait; the agent goes on after that", { min: 1, max: 86_400 }),
      3600,
    ),
  },
  handle: async (input, context) => (await import("./handle-work.ts")).send(input, context),
  cli: { args: ["sessionId", "message"] },
});

export const gatewayStart = define({
  name: "gateway start",
  group: "Connect",
  summary: "Start a session again: a new sandbox from its last snapshot",
  examples: ["thehood gateway start ses_0mx"],
  effect: "moves",
  input: { sessionId },
  async handle({ sessionId: id }, { ports, tell }) {
    tell("· starting the sandbox and the agent");
    const { status } = (await ports.gateway.ask("POST", `${pathOf(id)}/start`)) as { status: string };
    return { sessionId: id, status };
  },
  cli: { args: ["sessionId"] },
});

export const gatewayEvidence = define({
  name: "gateway evidence",
  group: "Connect",
  summary: "List the evidence of a session; write its files into a folder with --out",
  examples: ["thehood gateway evidence ses_0mx", "thehood gateway evidence ses_0mx --out evidence"],
  effect: "reads",
  input: {
    sessionId,
    out: optional(text("a new or empty folder for the files", { min: 1, max: 4096, cli: { value: "dir" } })),
    ref: optional(text("show this one file, by its ref of the list", { max: 80, cli: { value: "ref" } })),
  },
  decides: ({ out }) => out !== undefined,
  handle: async (input, context) => (await import("./handle-work.ts")).evidence(input, context),
  cli: { args: ["sessionId"] },
});

export const gatewaySnapshots = define({
  name: "gateway snapshots",
  group: "Connect",
  summary: "List the snapshots of a session; save one with --save, go back to one with --restore",
  more: "--restore starts the session again from the snapshot. The present state is saved as a snapshot first.",
  examples: [
    "thehood gateway snapshots ses_0mx",
    'thehood gateway snapshots ses_0mx --save "tests pass"',
    "thehood gateway snapshots ses_0mx --restore snap_1f2",
  ],
  effect: "reads",
  input: {
    sessionId,
    message: optional(
      text("save a snapshot of the running sandbox, with this line about it", { max: 2000, cli: { name: "save" } }),
    ),
    restore: optional(text("start the session again from this snapshot", { max: 200, cli: { value: "snapshot" } })),
  },
  decides: ({ message, restore }) => message !== undefined || restore !== undefined,
  handle: async (input, context) => (await import("./handle-work.ts")).snapshots(input, context),
  cli: { args: ["sessionId"] },
});

export const gatewayActions = define({
  name: "gateway actions",
  group: "Connect",
  summary: "List connected integrations and actions that wait for you; decide with --approve or --deny",
  examples: ["thehood gateway actions ses_0mx", "thehood gateway actions ses_0mx --approve 1f2e"],
  effect: "reads",
  input: {
    sessionId,
    approve: optional(text("perform this action", { max: 600, cli: { value: "id" } })),
    deny: optional(text("do not perform this action", { max: 600, cli: { value: "id" } })),
  },
  decides: ({ approve, deny }) => approve !== undefined || deny !== undefined,
  handle: async (input, context) => (await import("./handle-work.ts")).actions(input, context),
  cli: { args: ["sessionId"] },
});

export const gatewayDiff = define({
  name: "gateway diff",
  group: "Connect",
  summary: "Print the change of a session's workspace as a patch",
  examples: ["thehood gateway diff ses_0mx", "thehood gateway diff ses_0mx | git apply --check"],
  effect: "reads",
  input: { sessionId },
  async handle({ sessionId: id }, { ports }) {
    const { patch } = (await ports.gateway.ask("GET", `${pathOf(id)}/diff`)) as { patch: string };
    return { sessionId: id, patch };
  },
  cli: { args: ["sessionId"] },
});

export const gatewayLedger = define({
  name: "gateway ledger",
  group: "Connect",
  summary: "List the tool calls of a session: tool, outcome, effects",
  examples: ["thehood gateway ledger ses_0mx --json"],
  effect: "reads",
  input: { sessionId },
  async handle({ sessionId: id }, { ports }): Promise<ShownLedger> {
    const answer = await ports.gateway.ask("GET", `${pathOf(id)}/tool-invocations`);
    return { sessionId: id, ...(answer as Pick<ShownLedger, "invocations">) };
  },
  cli: { args: ["sessionId"] },
});

export const gatewayConfig = define({
  name: "gateway config",
  group: "Connect",
  summary: "Show the configuration of a session: services, env files, names of stored values",
  examples: ["thehood gateway config ses_0mx"],
  effect: "reads",
  input: { sessionId },
  handle: async (input, context) => (await import("./handle-work.ts")).config(input, context),
  cli: { args: ["sessionId"] },
});
