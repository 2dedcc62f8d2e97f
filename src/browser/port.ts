// The browser as a person uses it, with the folders of this machine.
import { join } from "node:path";
import type { BrowserPort } from "../contract/transport/index.ts";
import { browserWorld } from "./machine.ts";
import { browserStatus, checkSite, login, stopBrowser } from "./manage.ts";
import { makeReport } from "./report.ts";

export function openBrowserPort(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): BrowserPort {
  const world = browserWorld(home, env);
  // A person needs a window, whatever runs use afterwards.
  const window = env["ORACLE_BROWSER_MODE"] ? world : { ...world, mode: "visible" as const };
  return {
    login: (site, hooks) => login(window, site, hooks),
    status: () => browserStatus(world),
    stop: () => stopBrowser(world),
    check: (site, hooks) => checkSite(world, site, hooks),
    report: (session) => makeReport({ sessions: join(home, "sessions"), folder: world.folder }, session),
  };
}
