// The files of the page, as the build made them: read once, held in memory, named by their content.
import { readFileSync, readdirSync } from "node:fs";
import { extname, join } from "node:path";
import { installedFile } from "../../platform/system/index.ts";

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

/** By their path in an address: `/` is the page itself. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = installedFile("web");
  return new Map(
    readdirSync(folder).flatMap((name) => {
      const type = types[extname(name)];
      const path = name === "index.html" ? "/" : `/${name}`;
      return type ? [[path, { bytes: readFileSync(join(folder, name)), type }] as const] : [];
    }),
  );
}
