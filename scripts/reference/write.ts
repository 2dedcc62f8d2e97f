// Writes the reference pages; with --check it says which of them are stale.
import { mkdirSync, readFileSync, writeFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { operations } from "../../src/operations/index.ts";
import { hoodProgram } from "../../src/surfaces/cli/index.ts";
import { cliPage, mcpPage } from "./pages.ts";

const folder = join(import.meta.dirname, "../../docs/reference");
/** Help is derived without asking anything of the ports. */
const pages = { "cli.md": cliPage(hoodProgram({} as never, operations)), "mcp.md": mcpPage(operations) };

const stale = Object.entries(pages).filter(([name, text]) => {
  const file = join(folder, name);
  return !existsSync(file) || readFileSync(file, "utf8") !== text;
});
if (process.argv.includes("--check")) {
  for (const [name] of stale)
    process.stderr.write(`docs/reference/${name} is stale; run: node scripts/reference.mjs\n`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(pages)) writeFileSync(join(folder, name), text);
}
