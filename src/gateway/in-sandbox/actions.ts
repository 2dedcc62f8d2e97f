// `proliferate actions` in a sandbox: integrations that the user connected, used through the gateway. Their keys stay outside.
// Output is JSON on stdout; a problem is one line on stderr. A repeated `run` with the same --id acts once.
import { askGateway } from "./callback.ts";
import { sandboxDeps } from "./runtime.ts";

const usage = `Usage: proliferate actions <command>

  list                                        the connected integrations and their actions
  guide --integration <i>                     how to use one
  run --integration <i> --action <a> [--params <json>] [--id <id>]
                                              perform an action; one that writes waits for the user
`;

/** Exit codes: 1 for a problem, 2 for wrong usage. */
class Ended extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

function optionsOf(words: readonly string[]): Record<string, string> {
  const options: Record<string, string> = {};
  for (let at = 0; at < words.length; at += 2) {
    const [name = "", value] = words.slice(at, at + 2);
    if (!/^--(integration|action|params|id)$/.test(name) || value === undefined)
      throw new Ended(2, `${name} is not understood.\n${usage}`);
    options[name.slice(2)] = value;
  }
  return options;
}

const needed = (options: Readonly<Record<string, string>>, name: string): string => {
  const value = options[name];
  if (!value) throw new Ended(2, `--${name} is missing.\n${usage}`);
  return value;
};

interface Reply {
  readonly status: number;
  readonly body: {
    readonly error?: string;
    readonly result?: unknown;
    readonly integrations?: readonly unknown[];
    readonly guide?: string;
    readonly invocation?: {
      readonly id: string;
      readonly status: string;
      readonly result?: unknown;
      readonly error?: string;
    };
  };
}

async function ask(method: "GET" | "POST", path: string, body?: object): Promise<Reply> {
  const request = { method, path: `actions/${path}`, ...(body ? { body } : {}) };
  const answer = await askGateway(request, new AbortController().signal, sandboxDeps);
  if ("problem" in answer) throw new Ended(1, answer.problem);
  const text = answer.text.trim();
  const reply = { status: answer.status, body: text.startsWith("{") ? (JSON.parse(text) as Reply["body"]) : {} };
  if (reply.status >= 400) throw new Ended(1, reply.body.error ?? `The gateway answered ${reply.status}.`);
  return reply;
}

const pollMs = 2_000;
/** The gateway gives up an action that no person decides within 5 minutes. */
const mostPolls = 160;

async function run(options: Readonly<Record<string, string>>): Promise<unknown> {
  let params: unknown;
  try {
    params = JSON.parse(options["params"] ?? "{}");
  } catch {
    throw new Ended(2, "--params must be JSON.");
  }
  const id = options["id"] ?? crypto.randomUUID();
  const asked = { integration: needed(options, "integration"), action: needed(options, "action"), params };
  let { body } = await ask("POST", "invoke", { tool_call_id: id, ...asked });
  for (let polls = 0; body.invocation?.status === "pending" && polls < mostPolls; polls += 1) {
    if (polls === 0) process.stderr.write("Waiting for the user to approve the action.\n");
    await sandboxDeps.sleep(pollMs);
    ({ body } = await ask("GET", `invocations/${encodeURIComponent(body.invocation.id)}`));
  }
  const { invocation } = body;
  if (invocation && invocation.status !== "completed")
    throw new Ended(1, `The action is ${invocation.status}: ${invocation.error ?? "the user did not decide."}`);
  return body.result ?? invocation?.result ?? null;
}

async function perform([group, command, ...words]: readonly string[]): Promise<string> {
  if ([group, command, ...words].some((word) => word === "--help" || word === "-h")) return usage;
  if (group !== "actions" || command === undefined) throw new Ended(2, usage);
  const options = optionsOf(words);
  if (command === "list") {
    const { body } = await ask("GET", "available");
    if ((body.integrations ?? []).length === 0)
      process.stderr.write(
        "No integration is connected to this session. The user can connect one; do not ask for its key.\n",
      );
    return JSON.stringify(body);
  }
  if (command === "guide")
    return (await ask("GET", `guide/${encodeURIComponent(needed(options, "integration"))}`)).body.guide ?? "";
  if (command === "run") return JSON.stringify(await run(options));
  throw new Ended(2, usage);
}

perform(process.argv.slice(2)).then(
  (text) => void process.stdout.write(`${text}\n`),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof Ended ? error.code : 1;
  },
);
