// Serves the transport's MCP tools on the standard streams.
import { join } from "node:path";
import process from "node:process";
import { finished } from "node:stream/promises";
import { userConfigSchema } from "../../contract/transport/schema/index.ts";
import { serve } from "../../surfaces/oracle/mcp/index.ts";
import { readJsonc } from "../../config/index.ts";
import type { OpenBrowser } from "../browser.ts";
import { version } from "../version.ts";
import { openDesk, oracleHome } from "./desk.ts";

export async function serveMcp(openBrowser: OpenBrowser, signal: AbortSignal): Promise<void> {
  const user = readJsonc(join(oracleHome(), "config.json"), userConfigSchema);
  const handle = serve({
    version,
    cwd: process.cwd(),
    configured: user?.mcpRoot ?? null,
    deskAt: (folder) => openDesk(openBrowser, folder),
    signal,
    onError: (error) => process.stderr.write(`oracle mcp: ${error.message}\n`),
  });
  await finished(process.stdin, { writable: false, signal }).catch((error: unknown) => {
    // A signal or a broken pipe ends the service as its regular end does.
    if (!signal.aborted && !(error instanceof Error)) throw error;
  });
  await handle.close();
}
