// Every command, as data. Bodies are loaded when they are called.
import { checkTable } from "./commands/check-table.ts";
import { runTable } from "./commands/run-table.ts";
import { mcpTable } from "./commands/mcp-table.ts";
import { setupTable } from "./commands/setup-table.ts";
import type { CommandSpec } from "./spec.ts";

export const table: readonly CommandSpec[] = [
  ...runTable,
  ...checkTable,
  ...mcpTable,
  ...setupTable(() => table),
];
