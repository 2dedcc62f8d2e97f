// Leasing a tab of the browser: of this machine, of the user's own browser, or of another machine.
import { fail } from "../../core/contract/index.ts";
import { thisProcess } from "../../platform/system/index.ts";
import { type BrowserDeps, mustDisplay, mustExecutable } from "./deps.ts";
import { RefusedError, connectKeeper, type KeeperLink } from "./process/connect.ts";
import { postedKeeper } from "./process/location.ts";
import { reachRemote } from "./remote/reach.ts";
import { Tab } from "./tab/tab.ts";

const virtualDisplayOf = ({ mode, display }: BrowserDeps): { virtualDisplay?: string } =>
  mode === "hidden" && display !== null && display !== "screen" ? { virtualDisplay: display.xvfb } : {};

/** A browser of the user's own has a separate keeper. */
export const keeperFolder = ({ folder, attach }: BrowserDeps): string =>
  attach === undefined ? folder : `${folder}/attached-${attach.port}`;

export async function openLink(deps: BrowserDeps, signal: AbortSignal): Promise<KeeperLink> {
  const { mode, args, noSandbox, maxTabs, idleMs, orphanMs, leaseMs, attach } = deps;
  const folder = keeperFolder(deps);
  mustDisplay(deps);
  const launch =
    attach === undefined
      ? {
          executable: mustExecutable(deps),
          profile: `${folder}/profile`,
          mode,
          args,
          noSandbox,
          ...virtualDisplayOf(deps),
        }
      : { executable: "", profile: "", mode, args: [], noSandbox, attach };
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
  remote?: string,
): Promise<Leased> {
  if (remote !== undefined) {
    log(`using the browser of ${remote}`);
    return await leaseFrom((await reachRemote(remote, deps.remote)).link, deps, key, signal, log);
  }
  if (deps.attach !== undefined && postedKeeper(keeperFolder(deps)) === undefined)
    log(`connecting to your browser at port ${deps.attach.port}; it may ask you to allow that`);
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
