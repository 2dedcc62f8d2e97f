// The engine that drives a web page. Tests pass another engine.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { BrowserPort, TransportEngine, Site } from "../core/contract/transport/index.ts";
import type { BrowserFound, PageMemory } from "../agents/web/index.ts";

export type OpenBrowser = () => Promise<TransportEngine>;

type Variables = Readonly<Record<string, string | undefined>>;

/** `oracle` and `thehood` share one browser and one profile. */
export function browserHome(): string {
  const folder = process.env["ORACLE_HOME_DIR"];
  return folder === undefined || folder === "" ? join(homedir(), ".oracle") : resolve(folder);
}

/** `env` has the search path of the browser program; a run never searches in its repository. */
export async function openBrowser(env: Variables = process.env): Promise<TransportEngine> {
  const { browserEngine, browserDeps } = await import("../oracle/browser/index.ts");
  return browserEngine(browserDeps(browserHome(), env));
}

/** The browser for commands of the user. */
export async function openBrowserPort(): Promise<BrowserPort> {
  const { openBrowserPort: open } = await import("../oracle/browser/index.ts");
  return open(browserHome(), process.env);
}

/** The conversations of each run, so that a later process finds them again. */
export async function browserMemory(): Promise<PageMemory> {
  const { pageMemory } = await import("../agents/web/index.ts");
  return pageMemory(join(browserHome(), "browser", "calls"));
}

/** Whether a browser is installed, and whether our profile has a login for a site. */
export async function browserFound(env: Variables, site: Site): Promise<BrowserFound> {
  const { findBrowser, loggedInSites } = await import("../oracle/browser/installed/index.ts");
  // The user's own browser is installed; only its pages know whether the user is logged in.
  if (env["ORACLE_BROWSER_ATTACH"]) return { installed: true, loggedIn: true };
  const installed = findBrowser(env) !== undefined;
  return { installed, loggedIn: installed && loggedInSites(join(browserHome(), "browser")).includes(site) };
}
