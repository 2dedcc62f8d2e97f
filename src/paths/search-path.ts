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

const within = (place: string, root: string): boolean =>
  place === root || place.startsWith(root === sep ? root : root + sep);

/**
 * Only whole addresses, and none inside the repository, also not by a link. A folder that holds the user's own
 * home is theirs altogether: they installed the programs there.
 */
export function searchPath(path: string | undefined, repository: string, home: string): string {
  const root = real(repository) ?? repository;
  const theirs = within(real(home) ?? home, root);
  return (path ?? "")
    .split(":")
    .filter((folder) => {
      const place = isAbsolute(folder) ? real(folder) : undefined;
      return place !== undefined && (theirs || !within(place, root));
    })
    .join(":");
}
