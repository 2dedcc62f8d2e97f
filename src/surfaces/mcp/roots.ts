// The folders this server is about. They are given when it starts; nothing a client says adds one.
import { realpathSync, statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import { fail } from "../../core/contract/index.ts";

export const isUnder = (root: string, path: string) =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);

/** A served folder, or one below it; links are followed before that is decided. */
export function folderFor(roots: readonly string[], wanted: unknown): string {
  const first = roots[0] ?? "";
  if (wanted === undefined) return first;
  if (typeof wanted !== "string" || wanted.length > 4_096 || wanted.includes("\0"))
    return fail("invalid_input", "repo_path: must be the path of a folder.", {
      remedy: `Served: ${roots.join(", ")}`,
    });
  const real = realOf(isAbsolute(wanted) ? wanted : resolve(first, wanted));
  if (real !== undefined && roots.some((root) => isUnder(root, real))) {
    if (statSync(real).isDirectory()) return real;
    return fail("invalid_input", "repo_path: is a file, not a folder.", {
      remedy: `Name a folder. Served: ${roots.join(", ")}`,
    });
  }
  // The same answer for what is not there and what is elsewhere: a client learns nothing about other folders.
  return fail("permission_denied", "repo_path: not one of the folders this server was started for.", {
    remedy: `Served: ${roots.join(", ")}. A person adds another with: thehood mcp --root DIR`,
  });
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}
