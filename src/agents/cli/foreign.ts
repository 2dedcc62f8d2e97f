// Folders by which a repository, or one around it, would configure an agent: they can start programs and set variables.
import { dirname, join } from "node:path";

/** Folders of these names at and above `dir`, but for those in the user's own home. */
export function foreignFolders(dir: string, names: readonly string[], home: string): string[] {
  const found: string[] = [];
  for (let at = dir; at !== dirname(at); at = dirname(at))
    if (at !== home) found.push(...names.map((name) => join(at, name)));
  return found;
}
