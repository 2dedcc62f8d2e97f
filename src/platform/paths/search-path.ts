// The folders in which the user's programs are searched. A repository must not be able to add itself to them.
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, sep } from "node:path";

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

/** A program that a variable names: a plain name, or a whole address that leads nowhere into the repository. */
export function namedProgram(value: string | undefined, repository: string, home: string): string | undefined {
  if (!value) return undefined;
  if (!isAbsolute(value)) return value.includes(sep) ? undefined : value;
  const places = [value, real(value) ?? value].map((file) => dirname(file));
  return places.every((folder) => searchPath(folder, repository, home) !== "") ? value : undefined;
}
