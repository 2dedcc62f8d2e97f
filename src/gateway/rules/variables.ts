// The text of a generated env file. Values are quoted so that no value can begin another line.
import type { EnvFile } from "./tools.ts";

/** Read alike by dotenv, by shells and by Docker Compose: double quotes with escapes; `$` and backquotes stay literal. */
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

/** Nothing is written when a required value is missing: half a file would look whole. */
export function envFileText(file: EnvFile, values: Readonly<Record<string, string>>): EnvFileText {
  const path = file.workspacePath === "." ? file.path : `${file.workspacePath}/${file.path}`;
  const has = (key: string) => Object.hasOwn(values, key);
  const missing = file.keys.filter(({ key, required }) => required && !has(key)).map(({ key }) => key);
  if (missing.length > 0) return { path, missing };
  const rows = file.keys
    .filter(({ key }) => has(key))
    .map(({ key }) => `${key}=${quoted(values[key] ?? "")}\n`);
  return { path, text: rows.join("") };
}

const reserved =
  /^(?:PROLIFERATE_|SANDBOX_|OPENCODE_|THEHOOD_|LD_|DYLD_|NODE_OPTIONS$|BASH_ENV$|ENV$|PATH$|HOME$|SHELL$|IFS$|ANTHROPIC_(?:API_KEY|BASE_URL|AUTH_TOKEN)$|LLM_PROXY_)/;

/** Names that would change how the sandbox itself runs, or whom it speaks to. */
export const isReservedVariable = (key: string): boolean => reserved.test(key);
