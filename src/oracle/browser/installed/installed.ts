// The browser program of this machine, and the sites where the user is logged in with oracle's profile (names and times).
import { existsSync, readFileSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import process from "node:process";
import { sites, type Site } from "../../../core/contract/transport/index.ts";
import { systemCode, writeDurably } from "../../../platform/system/index.ts";

type Logins = Partial<Record<Site, { readonly at: string }>>;

const pathIn = (folder: string) => join(folder, "logins.json");

function read(folder: string): Logins {
  try {
    return JSON.parse(readFileSync(pathIn(folder), "utf8")) as Logins;
  } catch (error) {
    // A home folder that is a file has no logins; what uses it to store something says so.
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || error instanceof SyntaxError) return {};
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

/** The environment variables, read by the app. */
export type Variables = Readonly<Record<string, string | undefined>>;

export const valueOf = (env: Variables, name: string): string | undefined => env[name] || undefined;

const programs = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge"];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
  "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
];

/** Only absolute folders: a relative one may belong to a repository. */
export function findBrowser(env: Variables): string | undefined {
  const named = valueOf(env, "ORACLE_BROWSER");
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const candidates = foldersOf(env).flatMap((folder) => programs.map((name) => join(folder, name)));
  return [...candidates, ...places].find((path) => existsSync(path));
}

const foldersOf = (env: Variables): string[] =>
  (valueOf(env, "PATH") ?? "").split(delimiter).filter((folder) => isAbsolute(folder));

export const findProgram = (env: Variables, name: string): string | undefined =>
  foldersOf(env)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));

/** Where a window can be: on the screen, on a virtual display of that program, or nowhere. */
export type Display = "screen" | { readonly xvfb: string } | null;

/** macOS and Windows have a screen wherever a person is logged in. */
export function displayOf(env: Variables): Display {
  if (process.platform === "darwin" || process.platform === "win32") return "screen";
  if (valueOf(env, "DISPLAY") !== undefined || valueOf(env, "WAYLAND_DISPLAY") !== undefined) return "screen";
  const xvfb = findProgram(env, "Xvfb");
  return xvfb === undefined ? null : { xvfb };
}
