// The real programs that `npm run test:agents` installed.
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import programs from "./programs.json" with { type: "json" };

/** Where `scripts/agents.mjs` puts them; outside of node_modules, because they are large. */
export const agentsDir =
  process.env["THEHOOD_AGENTS_DIR"] ||
  join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "thehood", "agents");

export const binDir = join(agentsDir, "node_modules", ".bin");

/** The pinned program, or the name by which its tests are skipped. */
export function installed(bin: string): { readonly path: string } | { readonly missing: string } {
  const program = programs.find((one) => one.bin === bin);
  if (!program) throw new Error(`tests/agents/programs.json does not name ${bin}`);
  const about = join(agentsDir, "node_modules", program.package, "package.json");
  const found = existsSync(about)
    ? (JSON.parse(readFileSync(about, "utf8")) as { version: string }).version
    : undefined;
  const finished = program.finish === undefined || existsSync(join(about, "..", ".finished"));
  if (found === program.version && finished) return { path: join(binDir, bin) };
  return { missing: `${program.name} ${program.version} is not installed` };
}

export const missing = (...bins: readonly string[]): string | undefined =>
  bins.map(installed).flatMap((one) => ("missing" in one ? [one.missing] : []))[0];

/** A title that says why the test is skipped, when it is. */
export const titled = (title: string, ...bins: readonly string[]): string => {
  const why = missing(...bins);
  return why === undefined ? title : `${title} (skipped: ${why})`;
};
