// The script behind `npm run …`, started without npm: the variables that npm sets tell the code under it what is running.
import type { CheckSpec } from "../../../core/contract/index.ts";
import { isRecord, parseJsonFile, type TreeFiles } from "../tree.ts";

interface Direct {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
}

/** null where the check is no such script, or one with another script before or after it. */
export async function withoutManager(tree: TreeFiles, spec: CheckSpec, top: string): Promise<Direct | null> {
  const [program, verb, name = ""] = spec.argv;
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program) || verb !== "run") return null;
  const folder = spec.cwd === "" ? "" : `${spec.cwd}/`;
  const manifest = parseJsonFile((await tree.read(`${folder}package.json`)) ?? "");
  const scripts = isRecord(manifest) && isRecord(manifest["scripts"]) ? manifest["scripts"] : {};
  const line = scripts[name];
  if (typeof line !== "string" || scripts[`pre${name}`] !== undefined || scripts[`post${name}`] !== undefined)
    return null;
  if (/\bnpm_|\bnpm run\b|\byarn\b|\bpnpm\b/.test(line)) return null;
  const bins = [...new Set([`${top}/${folder}node_modules/.bin`, `${top}/node_modules/.bin`])];
  return { argv: ["sh", "-c", `PATH=${bins.join(":")}:$PATH; ${line}`], env: {} };
}
