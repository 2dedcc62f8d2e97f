// The browser engine: carries one conversation in one tab of the shared browser.
import { type AbortSignalLike, fail } from "../contract/index.ts";
import type { Conversation, TransportEngine, EngineOpening, OpenHooks } from "../contract/transport/index.ts";
import { PageConversation } from "./conversation.ts";
import { loggedInSites } from "./found/index.ts";
import { loadSite } from "./sites/index.ts";
import { type BrowserWorld, leaseTab, mustExecutable } from "./world.ts";

const patient: AbortSignalLike = {
  aborted: false,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
};

function pageOf({ browser }: EngineOpening): NonNullable<EngineOpening["browser"]> {
  if (browser === null) throw new TypeError("a browser run without a page");
  return browser;
}

export function browserEngine(world: BrowserWorld): TransportEngine {
  return {
    kind: "browser",
    async check(opening) {
      const { site } = pageOf(opening);
      loadSite(site, world.folder);
      // In a browser of the user's own only the page knows who is logged in.
      if (world.attachPort !== undefined) return;
      mustExecutable(world);
      if (loggedInSites(world.folder).length === 0)
        fail(
          "login_required",
          "The browser engine has no login: nobody has logged in with oracle's own profile yet.",
          {
            remedy: `Log in once: oracle browser login ${site}. Or use an API: set OPENAI_API_KEY and use --engine api.`,
          },
        );
    },
    open: (opening, hooks) => openConversation(world, opening, hooks),
  };
}

async function openConversation(
  world: BrowserWorld,
  opening: EngineOpening,
  hooks: OpenHooks = { signal: patient, log: () => undefined },
): Promise<Conversation> {
  const page = pageOf(opening);
  const site = loadSite(page.site, world.folder);
  const key = page.key ?? `run-${Math.random().toString(36).slice(2)}`;
  const { tab, taken } = await leaseTab(world, key, hooks.signal, hooks.log);
  const conversation = new PageConversation({ world, tab, site, page, model: opening.model, key, taken });
  try {
    if (page.reattach !== true) await conversation.begin(hooks);
    return conversation;
  } catch (error) {
    await conversation.close();
    throw error;
  }
}
