// The actions of a person on the browser: log in, status, stop, check a site, report a failed step.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fail } from "../../core/contract/index.ts";
import type { BrowserHooks, BrowserPort, BrowserStatus, Site } from "../../core/contract/transport/index.ts";
import { checkSite, draftData } from "./check.ts";
import { browserDeps, type BrowserDeps } from "./deps.ts";
import { keeperFolder, leaseTab } from "./lease.ts";
import { loggedInSites, rememberLogin } from "./installed/index.ts";
import { findKeeper } from "./process/connect.ts";
import { makeReport } from "./report.ts";
import { loadSite } from "./sites/load.ts";
import { snapshotPage, type Drive } from "./steps/context.ts";
import { openPage } from "./steps/ready.ts";

export function openBrowserPort(home: string, env: Readonly<Record<string, string | undefined>>): BrowserPort {
  const deps = browserDeps(home, env);
  // Logging in needs a window, whatever mode runs use.
  const window = env["ORACLE_BROWSER_MODE"] ? deps : { ...deps, mode: "visible" as const };
  return {
    login: (site, hooks) => login(window, site, hooks),
    status: () => browserStatus(deps),
    stop: () => stopBrowser(deps),
    check: (site, hooks) => checkSite(deps, site, hooks),
    report: (session) => makeReport({ ...deps, sessions: join(home, "sessions") }, session),
    data: (site) => draftData(deps, site),
    serve: async (hooks) => await (await import("./serve.ts")).serve(deps, hooks),
  };
}

export async function browserStatus(deps: BrowserDeps): Promise<BrowserStatus> {
  const link = await findKeeper(keeperFolder(deps));
  const running = link ? await link.view() : null;
  link?.close();
  const profile = join(deps.folder, "profile");
  return {
    executable: deps.executable ?? null,
    profile,
    profileExists: existsSync(profile),
    loggedIn: loggedInSites(deps.folder),
    running,
  };
}

/** True when a browser ran. Resolves when it has exited. */
export async function stopBrowser(deps: BrowserDeps): Promise<boolean> {
  const link = await findKeeper(keeperFolder(deps));
  if (!link) return false;
  await link.ask({ ask: "stop" });
  for (let tries = 0; tries < 300; tries += 1) {
    const other = await findKeeper(keeperFolder(deps));
    if (!other) return true;
    other.close();
    await pause(50);
  }
  return fail("browser_gone", "The browser did not end.", { remedy: "End its process yourself." });
}

/** `waitMs`: the time for the person to log in. */
type LoginHooks = BrowserHooks & { readonly waitMs: number };

/** Opens a window and waits until the page shows that the user is logged in. Types nothing, reads no password. */
export async function login(deps: BrowserDeps, site: Site, hooks: LoginHooks): Promise<void> {
  const data = loadSite(site, deps);
  await endHiddenBrowser(deps);
  const { tab } = await leaseTab(deps, `login-${site}`, hooks.signal, hooks.log);
  const drive: Drive = { tab, site: data, signal: hooks.signal, log: hooks.log, mode: deps.mode };
  try {
    await openPage(drive, data.url);
    hooks.log(`log in to ${data.name} in the window; this command ends when the page shows that you are in`);
    const home = new URL(data.url).host;
    for (const end = Date.now() + hooks.waitMs; Date.now() < end;) {
      const snapshot = await snapshotPage(drive);
      if (snapshot.loggedIn && snapshot.composer !== null && new URL(snapshot.url).host === home) {
        rememberLogin(deps.folder, site);
        return;
      }
      await pause(Math.min(500, data.times.pollMs));
    }
    fail("login_required", `There was no login to ${data.name} within ${Math.round(hooks.waitMs / 60_000)} minutes.`, {
      remedy: `Try again: oracle browser login ${site}`,
    });
  } finally {
    await tab.close();
    // Runs get a browser without a window.
    if (deps.mode === "visible" && (await browserStatus(deps)).running?.tabs.length === 0) await stopBrowser(deps);
  }
}

/** Ends a browser without a window, unless a run uses it: it cannot become visible. */
async function endHiddenBrowser(deps: BrowserDeps): Promise<void> {
  const { running } = await browserStatus(deps);
  if (running === null || running.mode === deps.mode) return;
  if (running.tabs.length > 0)
    fail("tabs_busy", `${running.tabs.length} runs use the browser; a window cannot be opened beside them.`, {
      remedy: "Wait for them (oracle status), or end the browser: oracle browser stop",
    });
  await stopBrowser(deps);
}
