// The methods of the server, each a few lines over the operations. Nothing here is loaded before it is asked for.
import { FailureError, type Actor, type Spell } from "../../contract/index.ts";
import type { Asking, Given } from "../../operations/index.ts";
import { personAt } from "./person.ts";
import { folderFor } from "./roots.ts";
import { spelling } from "./spell.ts";
import { findTool, tools } from "./tools/table.ts";
import { codes, RpcError } from "./wire/message.ts";
import type { Caller, Method, Service } from "./wire/session.ts";
import { instructions } from "./words.ts";

export interface McpWorld {
  readonly given: Given;
  readonly version: string;
  /** Real paths; the first is the one that is meant when none is named. */
  readonly roots: readonly string[];
  fault(error: unknown): void;
  /** How a person types a suggestion in a terminal. */
  readonly terminal: Spell;
  /** How long a person may take to answer a form. */
  readonly patienceMs?: number | undefined;
}

type Params = Readonly<Record<string, unknown>>;

const recordOf = (value: unknown, name: string): Params => {
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Params;
  throw new RpcError(codes.params, `${name}: must be an object.`);
};

function asking(world: McpWorld, caller: Caller, repo: string): Asking {
  const by: Actor = { kind: "host", surface: "mcp", name: caller.client.name };
  return {
    given: world.given,
    repo,
    by,
    signal: caller.signal,
    say: (line) => caller.progress(line),
    person: personAt(caller, world.patienceMs),
  };
}

async function hostMayApprove({ given }: McpWorld): Promise<boolean> {
  try {
    return await given.hostMayApprove();
  } catch (error) {
    // A configuration that cannot be read allows nothing.
    if (error instanceof FailureError) return false;
    throw error;
  }
}

async function listTools(world: McpWorld) {
  const { inputSchema } = await import("./tools/schema.ts");
  const may = await hostMayApprove(world);
  const offered = tools.filter(({ decides }) => decides === undefined || may);
  return {
    tools: await Promise.all(
      offered.map(async (tool) => ({
        name: tool.name,
        title: tool.title,
        description: tool.description,
        inputSchema: await inputSchema(tool),
        annotations: tool.annotations,
      })),
    ),
  };
}

async function callTool(world: McpWorld, params: Params, caller: Caller) {
  const { name } = params;
  const tool = typeof name === "string" ? findTool(name) : undefined;
  if (!tool)
    throw new RpcError(codes.params, `name: there is no tool ${JSON.stringify(name)?.slice(0, 80)}.`);
  const { repo_path: wanted, ...args } = recordOf(params["arguments"], "arguments");
  const { callTool: call, failed } = await import("./tools/call.ts");
  let repo: string;
  try {
    repo = folderFor(world.roots, wanted);
  } catch (error) {
    if (error instanceof FailureError) return failed(error.failure);
    throw error;
  }
  return call(tool, args, asking(world, caller, repo), spelling(world.terminal), (error) =>
    world.fault(error),
  );
}

async function complete(world: McpWorld, params: Params, caller: Caller) {
  const ref = recordOf(params["ref"], "ref");
  const { name, value } = recordOf(params["argument"], "argument");
  const typed = typeof value === "string" ? value.slice(0, 100) : "";
  const aboutRuns =
    (ref["type"] === "ref/prompt" && name === "run_id") || (ref["type"] === "ref/resource" && name === "id");
  const values = aboutRuns
    ? await (await import("./resources.ts")).completeRun(typed, asking(world, caller, world.roots[0] ?? ""))
    : [];
  return { completion: { values, total: values.length, hasMore: false } };
}

export function createService(world: McpWorld): Service {
  const here = (caller: Caller) => asking(world, caller, world.roots[0] ?? "");
  const resources = () => import("./resources.ts");
  const prompts = () => import("./prompts.ts");
  const methods: Readonly<Record<string, Method>> = {
    "tools/list": () => listTools(world),
    "tools/call": (params, caller) => callTool(world, params, caller),
    "resources/list": async (_, caller) => (await resources()).listResources(here(caller)),
    "resources/templates/list": async () => (await resources()).resourceTemplates,
    "resources/read": async (params, caller) =>
      (await resources()).readResource(params, here(caller), spelling(world.terminal)),
    "prompts/list": async () => (await prompts()).listPrompts(),
    "prompts/get": async (params) => (await prompts()).getPrompt(params),
    "completion/complete": (params, caller) => complete(world, params, caller),
  };
  return {
    info: { name: "thehood", title: "TheHood", version: world.version },
    instructions,
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    method: (name) => (Object.hasOwn(methods, name) ? methods[name] : undefined),
    fault: (error) => world.fault(error),
  };
}
