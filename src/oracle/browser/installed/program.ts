// Finds the browser program of this machine.
import { existsSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** The variables of the environment, as the app read them. */
export type Variables = Readonly<Record<string, string | undefined>>;

export const valueOf = (env: Variables, name: string): string | undefined => env[name] || undefined;

const programs = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
  "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
];

/** Only in folders with a whole address: a folder named in part may be a repository's own. */
export function findBrowser(env: Variables): string | undefined {
  const named = valueOf(env, "ORACLE_BROWSER");
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const folders = (valueOf(env, "PATH") ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const candidates = folders.flatMap((folder) => programs.map((name) => join(folder, name)));
  return [...candidates, ...places].find((path) => existsSync(path));
}
