// On which sites somebody has logged in with our profile. Only names and times: the logins themselves are the browser's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { type Site, sites } from "../../../core/contract/transport/index.ts";
import { systemCode, writeDurably } from "../../../platform/system/index.ts";

type Logins = Partial<Record<Site, { readonly at: string }>>;

const pathIn = (folder: string) => join(folder, "logins.json");

function read(folder: string): Logins {
  try {
    return JSON.parse(readFileSync(pathIn(folder), "utf8")) as Logins;
  } catch (error) {
    if (systemCode(error) === "ENOENT" || error instanceof SyntaxError) return {};
    throw error;
  }
}

function write(folder: string, logins: Logins): void {
  const path = pathIn(folder);
  writeDurably(path, `${path}.${process.pid}`, Buffer.from(`${JSON.stringify(logins, null, 2)}\n`));
}

export const loggedInSites = (folder: string): Site[] => {
  const known = read(folder);
  return sites.filter((site) => known[site] !== undefined);
};

export function rememberLogin(folder: string, site: Site): void {
  write(folder, { ...read(folder), [site]: { at: new Date().toISOString() } });
}

export function forgetLogin(folder: string, site: Site): void {
  const { [site]: gone, ...rest } = read(folder);
  if (gone !== undefined) write(folder, rest);
}
