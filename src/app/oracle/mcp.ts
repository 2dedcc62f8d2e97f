// Serves the transport's MCP tools on the standard streams. The code of a tool is loaded when it is called.
import process from "node:process";
import { createOracleService, serveLines } from "../../surfaces/mcp/index.ts";
import type { OpenBrowser } from "../browser.ts";
import { faultReport, isDescendantOfRun } from "../../platform/system/index.ts";
import { version } from "../environment.ts";

export async function serveOracleMcp(openBrowser: OpenBrowser, signal: AbortSignal): Promise<void> {
  const transport = () => import("./transport.ts");
  const service = createOracleService({
    version,
    cwd: process.cwd(),
    configuredRoot: async () => (await transport()).mcpRoot(),
    startedByRun: async () => isDescendantOfRun(),
    mayPush: async () => (await transport()).mcpMayPush(),
    transportAt: async (folder) => (await transport()).openTransport(openBrowser, folder),
    fault: faultReport("oracle mcp"),
  });
  await serveLines(service, { input: process.stdin, output: process.stdout }, signal);
}
