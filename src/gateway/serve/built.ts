// Files that run inside a sandbox: built beside the programs; from sources, taken as they are or from the last build.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

function found(name: string, ...places: readonly string[]): string {
  const here = import.meta.dirname;
  const path = [...places, name, `../${name}`, `../../../dist/${name}`]
    .map((place) => join(here, place))
    .find((place) => existsSync(place));
  if (path === undefined) throw new Error(`${name} is missing from this installation; reinstall the package`);
  return path;
}

/** The first program of a local box. */
export const initProgram = (): string => found("gateway-init.js", "../inside/init.ts");

/** The text of the package that the tools of a sandbox import. */
export const toolCode = (): string => readFileSync(found("gateway-tools.txt"), "utf8");
