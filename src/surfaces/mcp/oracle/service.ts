// `oracle mcp`: the operations of `oracle` that a client may call, as tools, and the sessions as resources.
import { FailureError, diskFailure, type Actor, type Failure } from "../../../core/contract/index.ts";
import type { Transport } from "../../../core/contract/transport/index.ts";
import type { OracleHostContext } from "../../../operations/oracle/host/index.ts";
import { codes, RpcError } from "../wire/message.ts";
import type { RpcCaller, Service } from "../wire/session.ts";
import { pathsIn, rootsOf, type RootDeps } from "./roots.ts";

interface OracleMcpDeps extends RootDeps {
  readonly version: string;
  readonly mayPush: () => Promise<boolean>;
  /** Whether an agent or a check of a run started this process. */
  readonly startedByRun: () => Promise<boolean>;
  readonly transportAt: (cwd: string) => Promise<Transport>;
  fault(error: unknown): void;
}

type Params = Readonly<Record<string, unknown>>;

const tools = async () => (await import("../../../operations/oracle/host/index.ts")).oracleTools;

function contextOf(deps: OracleMcpDeps, caller: RpcCaller, roots: readonly string[]): OracleHostContext {
  const actor: Actor = { kind: "host", surface: "mcp", name: caller.client.name };
  const { mayPush, startedByRun, transportAt } = deps;
  const { signal } = caller;
  return {
    program: "oracle",
    actor,
    ports: { startedByRun },
    signal,
    paths: pathsIn(roots),
    mayPush,
    transportAt,
  };
}

const text = (written: string) => [{ type: "text", text: written }];

const failedTool = ({ code, message, remedy }: Failure) => ({
  content: text(`${code}: ${message}${remedy ? ` ${remedy}` : ""}`),
  isError: true,
});

/** A failure is the output of the tool; a fault goes up and is an error of the protocol. */
async function callTool(deps: OracleMcpDeps, params: Params, caller: RpcCaller): Promise<object> {
  const { findTool } = await import("../tools/tools.ts");
  const tool = findTool(await tools(), String(params["name"]));
  if (!tool)
    throw new RpcError(codes.params, `name: there is no tool ${JSON.stringify(params["name"])?.slice(0, 80)}.`);
  const { toolInput, toolOutput } = await import("../tools/call.ts");
  try {
    const input = toolInput(tool, params["arguments"] ?? {});
    // Only a tool that takes a folder is about the folders of the client.
    const isAboutFolders = Object.hasOwn(tool.input, "cwd");
    const roots = isAboutFolders ? await rootsOf(params["inputResponses"], caller, deps) : [deps.cwd];
    if ("resultType" in roots) return roots;
    const output = await toolOutput(tool, input, contextOf(deps, caller, roots));
    const written = tool.mcp.text?.(output as never) ?? JSON.stringify(output);
    return { content: text(written), structuredContent: output };
  } catch (error) {
    const failure = error instanceof FailureError ? error : diskFailure(error);
    if (failure) return failedTool(failure.failure);
    throw error;
  }
}

export function createOracleService(deps: OracleMcpDeps): Service {
  const resources = () => import("./resources.ts");
  const transport = () => deps.transportAt(deps.cwd);
  const methods: Readonly<Record<string, ReturnType<Service["method"]>>> = {
    "tools/list": async () => ({ tools: await (await import("../tools/tools.ts")).listedTools(await tools()) }),
    "tools/call": (params, caller) => callTool(deps, params, caller),
    "resources/list": async () => (await resources()).listResources(await transport()),
    "resources/templates/list": async () => (await resources()).resourceTemplates,
    "resources/read": async (params) => (await resources()).readResource(params, await transport()),
  };
  return {
    info: { name: "oracle", title: "Oracle", version: deps.version },
    capabilities: { tools: {}, resources: {} },
    method: (name) => (Object.hasOwn(methods, name) ? methods[name] : undefined),
    fault: (error) => deps.fault(error),
  };
}
