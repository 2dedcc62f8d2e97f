// The secrets of a checkout that a confined agent does not see: files that hold logins by their name, and logins in git's
// own configuration, of which a copy without them is shown. A worktree holds only what is committed, and is left as it is.
import { lstatSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { HiddenSecrets } from "../../core/contract/index.ts";
import { isSecretPath } from "../paths/index.ts";
import { findGitFolders } from "./git-folders.ts";

const skipped = new Set([".git", "node_modules", ".thehood", ".thehood-work", ".venv", "vendor", "target"]);
const mostEntries = 50_000;
const mostDepth = 12;

const isAllowed = (path: string, allowed: readonly string[]): boolean =>
  allowed.some((one) => path === one || path.startsWith(`${one.replace(/\/$/, "")}/`));

/** Files below a folder that hold logins by their name. The look ends at a bound. */
function secretFilesBelow(root: string, allowed: readonly string[]): string[] {
  const found: string[] = [];
  let seen = 0;
  const walk = (folder: string, depth: number) => {
    for (const entry of readable(folder)) {
      if ((seen += 1) > mostEntries) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name) && depth < mostDepth) walk(path, depth + 1);
      } else if (isSecretPath(relative(root, path)) && !isAllowed(relative(root, path), allowed)) found.push(path);
    }
  };
  walk(root, 0);
  return found;
}

function readable(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // A folder that we may not read is not read by an agent of the same user either.
    if (["EACCES", "ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return [];
    throw error;
  }
}

/** Git's configuration without logins: those in addresses, and settings that are a login as a whole. */
export const withoutLogins = (config: string): string =>
  config
    .replaceAll(/(\b[a-z][a-z0-9+.-]*:\/\/)[^/@\s"]+@/gi, "$1")
    .replaceAll(/^(\s*)[\w.-]*(extraheader|password|passwd|token|secret|cookiefile|helper)\s*=.*$/gim, "$1");

/** A path whose name and real target differ. */
export interface Replaced {
  readonly path: string;
  readonly from: string;
}

function shownConfig(folder: string, copies: string, index: number): Replaced[] {
  const path = join(folder, "config");
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return [];
  const text = readFileSync(path, "utf8");
  const open = withoutLogins(text);
  if (open === text) return [];
  mkdirSync(copies, { recursive: true, mode: 0o700 });
  const from = join(copies, `git-config-${index}`);
  writeFileSync(from, open, { mode: 0o600 });
  return [{ path, from }];
}

export function secretPaths(
  folders: readonly string[],
  { allowed, copies }: HiddenSecrets,
): { readonly hidden: readonly string[]; readonly replaced: readonly Replaced[] } {
  const places = folders.map(findGitFolders);
  const tops = new Set(places.flatMap((place) => place.tops));
  const isCheckout = (top: string) => lstatSync(join(top, ".git"), { throwIfNoEntry: false })?.isDirectory();
  const gitFolders = [...new Set(places.flatMap((place) => place.folders))].filter((folder) =>
    lstatSync(folder, { throwIfNoEntry: false })?.isDirectory(),
  );
  return {
    hidden: [...tops].filter(isCheckout).flatMap((top) => secretFilesBelow(top, allowed)),
    replaced: gitFolders.flatMap((folder, index) => shownConfig(folder, copies, index)),
  };
}
