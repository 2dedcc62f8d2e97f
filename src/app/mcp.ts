// Serves `thehood mcp`: the standard streams, or loopback HTTP.
import { sep } from "node:path";
import process from "node:process";
import { refuseWholeHome, servedRoots, trustedEnvironment } from "../surfaces/host-config/server/index.ts";
import type { Ports, ServeOptions } from "../operations/index.ts";
import { createService, serveLines, type McpServerDeps } from "../surfaces/mcp/index.ts";
import { keepHeapSmall } from "../platform/http/index.ts";
import { faultReport, lazy } from "../platform/system/index.ts";
import { evidenceDir, readEnvironment, type Environment, version } from "./environment.ts";
import { createPorts } from "./ports.ts";

export async function serveMcp(options: ServeOptions): Promise<void> {
  const roots = servedRoots(options.roots);
  const environment = trustedEnvironment(readEnvironment(), roots);
  if (!options.named) refuseWholeHome(roots[0] ?? sep, environment.home);
  // A process that we start for a run must not inherit this permission.
  delete process.env["THEHOOD_ALLOW_DIRECT_EDIT"];
  const plain = createPorts(lazy(() => environment));
  let close = async (): Promise<void> => undefined;
  const shared = lazy(async () => {
    const { createSharedRuns } = await import("../runtime/runs/repositories/index.ts");
    const made = createSharedRuns((folder) => plain.runs(folder));
    close = async () => made[Symbol.asyncDispose]();
    return made;
  });
  const ports: Ports = { ...plain, runs: async (folder) => (await shared()).open(folder) };
  const deps: McpServerDeps = {
    ports,
    version,
    roots,
    fault: faultReport("thehood mcp"),
    terminal: options.terminal,
    allTools: options.allTools,
  };
  try {
    keepHeapSmall();
    if (options.http) await overHttp(deps, options.http, options.signal, environment);
    else await serveLines(createService(deps), { input: process.stdin, output: process.stdout }, options.signal);
  } finally {
    await close();
  }
  // All output is written; a read that is still open must not keep the process alive.
  process.exit(0);
}

const tunnels =
  "from ChatGPT or another host elsewhere, reach it by a secure MCP tunnel, without an open port: docs/guides/mcp-tunnels.md";

async function overHttp(
  deps: McpServerDeps,
  { host, port, remote, keepToken }: NonNullable<ServeOptions["http"]>,
  signal: AbortSignal,
  environment: Environment,
): Promise<void> {
  const { serveHttp } = await import("../surfaces/mcp/wire/http/index.ts");
  const { storedToken, newToken } = await import("../surfaces/host-config/server/index.ts");
  const { userKey } = await import("../workspace/evidence/index.ts");
  const stored = (): string => storedToken(environment.stateDir, userKey(evidenceDir(environment)).sign);
  await serveHttp(createService(deps), {
    host,
    port,
    remote,
    signal,
    token: () => (keepToken ? stored() : newToken()),
    ready: (url, token) =>
      process.stderr.write(
        [`listening on ${url}`, `token ${token}`, tunnels].map((line) => `thehood mcp: ${line}\n`).join(""),
      ),
  });
}
