// The browser as a person uses it, with the folders of this machine.
import { join } from "node:path";
import type { BrowserPort } from "../../core/contract/transport/index.ts";
import { browserDeps } from "./deps-of-computer.ts";
import { browserStatus, checkSite, login, stopBrowser } from "./manage.ts";
import { makeReport } from "./report.ts";

export function openBrowserPort(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
): BrowserPort {
  const deps = browserDeps(home, env);
  // A person needs a window, whatever runs use afterwards.
  const window = env["ORACLE_BROWSER_MODE"] ? deps : { ...deps, mode: "visible" as const };
  return {
    login: (site, hooks) => login(window, site, hooks),
    status: () => browserStatus(deps),
    stop: () => stopBrowser(deps),
    check: (site, hooks) => checkSite(deps, site, hooks),
    report: (session) => makeReport({ sessions: join(home, "sessions"), folder: deps.folder }, session),
  };
}
