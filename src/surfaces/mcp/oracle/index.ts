// `oracle mcp`: the transport as two tools.
import type { Transport } from "../../../core/contract/transport/index.ts";
import { codes, RpcError } from "../wire/message.ts";
import type { RpcCaller, Service } from "../wire/session.ts";
import type { RootDeps } from "./roots.ts";
import { toolNames } from "./text.ts";

export interface OracleMcpDeps extends RootDeps {
  readonly version: string;
  /** By the user's own configuration: a client never says it for itself. */
  readonly mayPush: () => Promise<boolean>;
  readonly transportAt: (cwd: string) => Promise<Transport>;
  fault(error: unknown): void;
}

type Params = Readonly<Record<string, unknown>>;

async function callTool(deps: OracleMcpDeps, params: Params, caller: RpcCaller): Promise<object> {
  const name = toolNames.find((known) => known === params["name"]);
  if (name === undefined)
    throw new RpcError(
      codes.params,
      `name: there is no tool ${JSON.stringify(params["name"])?.slice(0, 80)}.`,
    );
  const { performTool } = await import("./tools.ts");
  return performTool(name, params, caller, deps);
}

export function createOracleService(deps: OracleMcpDeps): Service {
  return {
    info: { name: "oracle", title: "Oracle", version: deps.version },
    capabilities: { tools: {} },
    method: (name) => {
      if (name === "tools/list") return async () => (await import("./tools.ts")).listed;
      return name === "tools/call" ? (params, caller) => callTool(deps, params, caller) : undefined;
    },
    fault: (error) => deps.fault(error),
  };
}
