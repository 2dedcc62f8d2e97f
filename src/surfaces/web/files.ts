// The files of the page, as the build made them: read once, held in memory, named by their content.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";

export interface PageFile {
  readonly bytes: Buffer;
  readonly type: string;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The folder beside the program, wherever the build has put the part that asks. */
const places = ["web", "../web", "../../../dist/web"].map((place) => join(import.meta.dirname, place));

/** By their path in an address: `/` is the page itself. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = places.find((place) => existsSync(join(place, "index.html")));
  if (folder === undefined)
    throw new Error("the page is missing from this installation; reinstall the package");
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[extname(name)];
      const path = name === "index.html" ? "/" : `/${name}`;
      return type ? [[path, { bytes: readFileSync(join(folder, name)), type }] as const] : [];
    }),
  );
}
