// The browser engine: carries one conversation in one tab of the shared browser.
import { fail } from "../../core/contract/index.ts";
import type { Conversation, TransportEngine, EngineOpening, OpenHooks } from "../../core/contract/transport/index.ts";
import { PageConversation } from "./conversation.ts";
import { loggedInSites } from "./installed/index.ts";
import { reachRemote } from "./remote/reach.ts";
import { loadSite } from "./sites/load.ts";
import { type BrowserDeps, mustDisplay, mustExecutable } from "./deps.ts";
import { leaseTab } from "./lease.ts";

function pageOf({ browser }: EngineOpening): NonNullable<EngineOpening["browser"]> {
  if (browser === null) throw new TypeError("a browser run without a page");
  return browser;
}

export function browserEngine(deps: BrowserDeps): TransportEngine {
  return {
    kind: "browser",
    async check(opening) {
      const { site, remote } = pageOf(opening);
      loadSite(site, deps);
      if (remote !== undefined) return await checkRemote(deps, remote, site);
      // In a browser of the user's own only the page shows whether the user is logged in.
      if (deps.attach !== undefined) return;
      mustExecutable(deps);
      mustDisplay(deps);
      if (loggedInSites(deps.folder).length === 0)
        fail("login_required", "The browser engine has no login: log in with oracle's own profile first.", {
          remedy: `Log in once: oracle browser login ${site}. Or use an API: set OPENAI_API_KEY and use --engine api.`,
        });
    },
    open: (opening, hooks) => openConversation(deps, opening, hooks),
  };
}

async function checkRemote(deps: BrowserDeps, remote: string, site: string): Promise<void> {
  const { link, loggedIn } = await reachRemote(remote, deps.remote);
  link.close();
  if (!loggedIn.includes(site))
    fail("login_required", `The browser of ${remote} has no login for ${site}.`, {
      remedy: `Log in once on that machine: oracle browser login ${site}`,
    });
}

async function openConversation(
  deps: BrowserDeps,
  opening: EngineOpening,
  hooks: OpenHooks = { signal: new AbortController().signal, log: () => undefined },
): Promise<Conversation> {
  const page = pageOf(opening);
  const site = loadSite(page.site, deps);
  const key = page.key ?? `run-${Math.random().toString(36).slice(2)}`;
  const { tab, taken } = await leaseTab(deps, key, hooks.signal, hooks.log, page.remote);
  tab.traffic.hosts = site.trafficHosts.map((pattern) => new RegExp(pattern));
  const conversation = new PageConversation({ deps, tab, site, page, model: opening.model, key, taken });
  try {
    if (page.reattach !== true) await conversation.begin(hooks);
    return conversation;
  } catch (error) {
    await conversation.close();
    throw error;
  }
}
