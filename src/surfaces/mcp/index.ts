// The MCP server: the operations as tools, runs and artifacts as resources, over the standard streams or loopback HTTP.
export { createService, type McpServerDeps } from "./service.ts";
export { createOracleService } from "./oracle/service.ts";
export { serveLines } from "./wire/lines.ts";
