// The things this room is given: places, programs, limits. Nothing is read from the environment here.
import { fail } from "../../core/contract/index.ts";
import { thisProcess } from "../../platform/system/index.ts";
import { type BrowserMode, type KeeperLink, RefusedError, connectKeeper } from "./process/index.ts";
import { type PagePrograms, Tab } from "./tab/index.ts";

export interface BrowserDeps {
  /** Profile, keeper, the user's own site data: a private folder of ours. */
  readonly folder: string;
  /** The debugging port of a browser that the user runs and wants used instead of ours. */
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

/** A browser of the user's own has a keeper of its own beside ours. */
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

export interface Leased {
  readonly tab: Tab;
  /** A dead process of the same run had this tab before us. */
  readonly taken: boolean;
}

/** Waits for a tab as long as the run may last: other runs give theirs back. */
export async function leaseTab(
  deps: BrowserDeps,
  key: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Leased> {
  // A keeper that ends just now takes nobody any more; its successor does.
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
