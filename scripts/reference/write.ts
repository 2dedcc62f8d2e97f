// Writes the list of operations and the reference pages; with --check it says which of them are stale.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { listFile, operationsList } from "../build/operations.ts";
import { isStale, jsonText, top, writeIfStale } from "./keep.ts";

const check = process.argv.includes("--check");

function keep(file: string, text: string): void {
  if (!check) return writeIfStale(file, text);
  if (!isStale(file, text)) return;
  process.stderr.write(`${file} is stale; run: node scripts/reference.mjs\n`);
  process.exitCode = 1;
}

keep(listFile, await operationsList(top));

// The pages are derived from the list as it now is.
const { operations } = await import("../../src/operations/index.ts");
const { hoodProgram } = await import("../../src/surfaces/cli/index.ts");
const { cliPage, exitPage, mcpPage } = await import("./pages.ts");
/** Help is derived without asking anything of the ports. */
keep("docs/reference/cli.md", cliPage(hoodProgram({} as never, operations)));
keep("docs/reference/mcp.md", mcpPage(operations));

const { configPage, configSchema, schemaFiles } = await import("./config.ts");
keep("docs/reference/configuration.md", configPage());
for (const { name, file } of schemaFiles) keep(file, jsonText(configSchema(name)));

const { exitRows, oracleExits } = await import("./exits.ts");
keep("docs/reference/exit-codes.md", exitPage(exitRows, oracleExits));

const { canonPages } = await import("./canon.ts");
const { withParts } = await import("./parts.ts");
for (const [file, parts] of Object.entries(canonPages))
  keep(file, withParts(readFileSync(join(top, file), "utf8"), parts));
