// The variables of a session: reserved names, and the text of a generated env file. Values are quoted, so no value can start
// another line.
import type { EnvFile } from "./tools.ts";

/** dotenv, shells and Docker Compose read it alike: double quotes with escapes; `$` and backquotes stay literal. */
function quoted(value: string): string {
  if (/^[A-Za-z0-9_./:@%+,=-]*$/.test(value)) return value;
  if (!/['\n\r]/.test(value)) return `'${value}'`;
  const inner = value
    .replaceAll("\\", "\\\\")
    .replaceAll('"', '\\"')
    .replaceAll("$", "\\$")
    .replaceAll("`", "\\`")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n");
  return `"${inner}"`;
}

export type EnvFileText =
  | { readonly path: string; readonly text: string }
  | { readonly path: string; readonly missing: readonly string[] };

/** An env file that misses a required value is not written. */
export function envFileText(file: EnvFile, values: Readonly<Record<string, string>>): EnvFileText {
  const path = file.workspacePath === "." ? file.path : `${file.workspacePath}/${file.path}`;
  const has = (key: string) => Object.hasOwn(values, key);
  const missing = file.keys.filter(({ key, required }) => required && !has(key)).map(({ key }) => key);
  if (missing.length > 0) return { path, missing };
  const rows = file.keys.filter(({ key }) => has(key)).map(({ key }) => `${key}=${quoted(values[key] ?? "")}\n`);
  return { path, text: rows.join("") };
}

const reserved =
  /^(?:PROLIFERATE_|SANDBOX_|OPENCODE_|THEHOOD_|LD_|DYLD_|NODE_OPTIONS$|BASH_ENV$|ENV$|PATH$|HOME$|SHELL$|IFS$|ANTHROPIC_(?:API_KEY|BASE_URL|AUTH_TOKEN)$|LLM_PROXY_)/;

/** Names that change how the sandbox runs or where it connects. */
export const isReservedVariable = (key: string): boolean => reserved.test(key);
