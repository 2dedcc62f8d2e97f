// The engine that drives a web page. A program that is started with another one (tests do it) hands that one in.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import type { BrowserPort, TransportEngine, Site } from "../core/contract/transport/index.ts";
import type { BrowserFound, PageMemory } from "../agents/web/index.ts";

export type OpenBrowser = () => Promise<TransportEngine>;

type Variables = Readonly<Record<string, string | undefined>>;

/** `oracle` and `thehood` share one browser and one profile. */
export function browserHome(): string {
  const set = process.env["ORACLE_HOME_DIR"];
  return set === undefined || set === "" ? join(homedir(), ".oracle") : resolve(set);
}

/** `env` says where the program lies; a run looks for none in its repository. */
export async function openBrowser(env: Variables = process.env): Promise<TransportEngine> {
  const { browserEngine, browserDeps } = await import("../oracle/browser/index.ts");
  return browserEngine(browserDeps(browserHome(), env));
}

/** The browser as a person deals with it. */
export async function openBrowserPort(): Promise<BrowserPort> {
  const { openBrowserPort: open } = await import("../oracle/browser/index.ts");
  return open(browserHome(), process.env);
}

/** Where pages were asked, so that a run finds its conversations again. */
export async function browserMemory(): Promise<PageMemory> {
  const { pageMemory } = await import("../agents/web/conversations/index.ts");
  return pageMemory(join(browserHome(), "browser", "calls"));
}

/** Whether a browser is installed, and whether somebody has logged in to a site with our profile. */
export async function browserFound(env: Variables, site: Site): Promise<BrowserFound> {
  const { findBrowser, loggedInSites } = await import("../oracle/browser/installed/index.ts");
  // A browser that the user runs is there; only its pages know whether the user is logged in.
  if (env["ORACLE_BROWSER_ATTACH"]) return { installed: true, loggedIn: true };
  const installed = findBrowser(env) !== undefined;
  return { installed, loggedIn: installed && loggedInSites(join(browserHome(), "browser")).includes(site) };
}
