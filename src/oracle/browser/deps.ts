// The dependencies of the browser engine: folders, programs and limits of this machine, and leasing a tab.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fail } from "../../core/contract/index.ts";
import { redact } from "../../core/secrets/index.ts";
import { installedFile, lazy, thisProcess } from "../../platform/system/index.ts";
import { findBrowser, valueOf, type Variables } from "./installed/index.ts";
import { RefusedError, connectKeeper, type KeeperLink } from "./process/connect.ts";
import { browserModes, type BrowserMode } from "./process/protocol.ts";
import { Tab, type PagePrograms } from "./tab/tab.ts";

/** The environment variables that a browser needs for its home and a screen. Keys of the user are not passed. */
const handedOn =
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TEMP|TMP|DISPLAY|XAUTHORITY|WAYLAND_DISPLAY|XDG_.*|DBUS_SESSION_BUS_ADDRESS|SYSTEMROOT|WINDIR|APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES.*|(HTTPS?|NO|ALL)_PROXY)$/i;

function environment(env: Variables): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => handedOn.test(entry[0]) && entry[1] !== undefined),
  );
}

function modeOf(env: Variables): BrowserMode {
  const given = valueOf(env, "ORACLE_BROWSER_MODE") ?? "headless";
  const known = browserModes.find((mode) => mode === given);
  return (
    known ??
    fail("invalid_input", `ORACLE_BROWSER_MODE=${given} is not known.`, {
      remedy: `Use one of: ${browserModes.join(", ")}`,
    })
  );
}

function whole(env: Variables, name: string, otherwise: number): number {
  const given = valueOf(env, name);
  if (given === undefined) return otherwise;
  if (/^\d{1,9}$/.test(given) && Number(given) > 0) return Number(given);
  return fail("invalid_input", `${name}=${given} is not a whole number.`, {
    remedy: `Correct or unset ${name}.`,
  });
}

function attachOf(env: Variables): { attachPort?: number } {
  const given = valueOf(env, "ORACLE_BROWSER_ATTACH");
  if (given === undefined) return {};
  if (/^\d{1,5}$/.test(given) && Number(given) > 0 && Number(given) < 65_536) return { attachPort: Number(given) };
  return fail("invalid_input", `ORACLE_BROWSER_ATTACH=${given} is not a port of this machine.`, {
    remedy: "Name the debugging port of a browser that you started, e.g. ORACLE_BROWSER_ATTACH=9222.",
  });
}

export function browserDeps(home: string, env: Variables): BrowserDeps {
  return {
    folder: join(home, "browser"),
    executable: findBrowser(env),
    ...attachOf(env),
    mode: modeOf(env),
    args: (valueOf(env, "ORACLE_BROWSER_ARGS") ?? "").split(/\s+(?=--)/).filter((arg) => arg !== ""),
    // Chromium refuses to run as root with its sandbox.
    noSandbox: process.getuid?.() === 0,
    maxTabs: whole(env, "ORACLE_BROWSER_TABS", 3),
    idleMs: whole(env, "ORACLE_BROWSER_IDLE_MS", 30_000),
    orphanMs: whole(env, "ORACLE_BROWSER_ORPHAN_MS", 60_000),
    leaseMs: 6 * 3_600_000,
    keeperProgram: installedFile("browser-keeper.js"),
    environment: environment(env),
    programs: lazy(() => ({
      page: readFileSync(installedFile("browser-page.txt"), "utf8"),
      clipboard: readFileSync(installedFile("browser-clipboard.txt"), "utf8"),
    })),
    redact: (text) => redact(text).text,
  };
}

export interface BrowserDeps {
  /** A private folder with the profile, the keeper's files and the user's own site data. */
  readonly folder: string;
  /** The debugging port of a browser of the user's own, to be used instead of oracle's. */
  readonly attachPort?: number;
  /** Undefined where no Chrome or Chromium is installed. */
  readonly executable: string | undefined;
  readonly mode: BrowserMode;
  readonly args: readonly string[];
  readonly noSandbox: boolean;
  readonly maxTabs: number;
  readonly idleMs: number;
  readonly orphanMs: number;
  readonly leaseMs: number;
  readonly keeperProgram: string;
  readonly environment: Readonly<Record<string, string>>;
  programs(): PagePrograms;
  redact(text: string): string;
}

export function mustExecutable({ executable }: BrowserDeps): string {
  if (executable !== undefined) return executable;
  return fail("browser_missing", "No Chrome or Chromium was found.", {
    remedy:
      "Install one (Debian: apt-get install chromium; macOS and Windows: Google Chrome), or name it in ORACLE_BROWSER. " +
      "Without a browser: set OPENAI_API_KEY and use --engine api.",
  });
}

/** A browser of the user's own has a separate keeper. */
export const keeperFolder = ({ folder, attachPort }: BrowserDeps): string =>
  attachPort === undefined ? folder : `${folder}/attached-${attachPort}`;

async function openLink(deps: BrowserDeps, signal: AbortSignal): Promise<KeeperLink> {
  const { mode, args, noSandbox, maxTabs, idleMs, orphanMs, leaseMs, attachPort } = deps;
  const folder = keeperFolder(deps);
  const launch =
    attachPort === undefined
      ? { executable: mustExecutable(deps), profile: `${folder}/profile`, mode, args, noSandbox }
      : { executable: "", profile: "", mode, args: [], noSandbox, attachPort };
  const settings = { folder, launch, maxTabs, idleMs, orphanMs, leaseMs };
  const { keeperProgram: program, environment } = deps;
  return await connectKeeper({ program, settings, environment }, signal);
}

interface Leased {
  readonly tab: Tab;
  /** A dead process of the same run had leased this tab before. */
  readonly taken: boolean;
}

/** Waits for a free tab until the deadline of the run. */
export async function leaseTab(
  deps: BrowserDeps,
  key: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Leased> {
  // A keeper that is ending refuses; a retry reaches its successor.
  for (let tries = 0; ; tries += 1) {
    try {
      return await leaseFrom(await openLink(deps, signal), deps, key, signal, log);
    } catch (error) {
      if (!(error instanceof RefusedError) || tries >= 5) throw error;
    }
  }
}

async function leaseFrom(
  link: KeeperLink,
  deps: BrowserDeps,
  key: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Leased> {
  const view = await link.view();
  if (view.tabs.length >= view.maxTabs && !view.tabs.some(({ state }) => state === "orphan"))
    log(`waiting for a tab: ${view.tabs.length} runs use the browser`);
  const onAbort = () => link.close();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const { taken } = await link.ask({ ask: "lease", key, owner: thisProcess() });
    const tab = new Tab(link, deps.programs(), signal);
    await tab.prepare();
    return { tab, taken: taken === true };
  } catch (error) {
    link.close();
    if (signal.aborted) return fail("tabs_busy", "Stopped while waiting for a free tab.");
    throw error;
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
