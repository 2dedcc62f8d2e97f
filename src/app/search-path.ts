// The folders in which programs of the user's are looked for. A repository must not be able to put itself among them.
import { realpathSync } from "node:fs";
import { isAbsolute, sep } from "node:path";

function real(folder: string): string | undefined {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

/** Only whole addresses, and none inside the repository, whatever link leads there. */
export function searchPath(path: string | undefined, repository: string): string {
  const root = real(repository) ?? repository;
  return (path ?? "")
    .split(":")
    .filter((folder) => {
      const place = isAbsolute(folder) ? real(folder) : undefined;
      return place !== undefined && place !== root && !place.startsWith(root === sep ? root : root + sep);
    })
    .join(":");
}
