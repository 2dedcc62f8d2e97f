// Finds files that are shipped with the package. The bundler may put the calling code into any folder of dist/.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const runsFromSources = import.meta.url.endsWith(".ts");

/**
 * The path of a shipped file or folder: `built` is its name in dist/, `source` its path in a checkout that runs from
 * its sources (by default the copy of the last build; null when only a build has it).
 */
export function findInstalled(built: string, source: string | null = `dist/${built}`): string | undefined {
  const name = runsFromSources ? source : built;
  if (name === null) return undefined;
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Like findInstalled, and throws when the installation lacks the file. */
export function installedFile(built: string, source?: string): string {
  const path = findInstalled(built, source);
  if (path === undefined) throw new Error(`${built} is missing from this installation; reinstall the package`);
  return path;
}

/** The expression that a CommonJS file exports, as text that runs in another program. */
export const exportedExpression = (path: string): string =>
  readFileSync(path, "utf8")
    .replace(/^[^]*?\nmodule\.exports = /, "")
    .replace(/;\s*$/, "");
