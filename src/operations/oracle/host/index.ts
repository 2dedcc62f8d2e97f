// The operations of `oracle` that an MCP client may call.
export { perform } from "../../perform.ts";
export { oracleTools, type OracleHostContext } from "./tools.ts";
export type { HostPaths, LocatedPath } from "./paths.ts";
