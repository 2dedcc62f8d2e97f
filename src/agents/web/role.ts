// A role played in a web page that a browser engine drives. The page has no tools: the directive goes in, one answer
// comes out, and a worker's change is a diff in it.
import { type ProviderCall, type ProviderHealth, type ProviderPort, fail } from "../../core/contract/index.ts";
import type { EngineOpening, TransportEngine } from "../../core/contract/transport/index.ts";
import { type PageMemory, handleOf } from "./conversations.ts";
import { type KnownModels, resolveModel, slugOf } from "../registry/registry.ts";

interface WebSite {
  readonly id: string;
  readonly about: string;
  readonly url: string;
  readonly site: "chatgpt" | "copilot" | "gemini";
  /** The first is "default": a page does not show its own default beforehand. */
  readonly models: readonly [string, ...string[]];
}

export const chatGptWeb: WebSite = {
  id: "chatgpt-web",
  about: "ChatGPT in a browser, with the account that is logged in there",
  url: "https://chatgpt.com/",
  site: "chatgpt",
  models: ["chatgpt-pro", "chatgpt-thinking", "chatgpt-instant"],
};

const copilotWeb: WebSite = {
  id: "copilot-web",
  about: "GitHub Copilot in a browser, with the account that is logged in there",
  url: "https://github.com/copilot/",
  site: "copilot",
  // The model that the page has selected; its name is read there.
  models: ["current"],
};

const geminiWeb: WebSite = {
  id: "gemini-web",
  about: "Gemini in a browser, with the account that is logged in there",
  url: "https://gemini.google.com/app",
  site: "gemini",
  models: ["gemini-pro", "gemini-thinking", "gemini-fast"],
};

export const webSites: readonly WebSite[] = [chatGptWeb, copilotWeb, geminiWeb];

export interface BrowserFound {
  readonly installed: boolean;
  /** A user has logged in to the site with our profile; only the page itself knows whether that still holds. */
  readonly loggedIn: boolean;
}

interface WebHost {
  /** The user's short names. */
  readonly aliases: Readonly<Record<string, string>>;
  engine(): Promise<TransportEngine>;
  /** Where pages were asked; a folder of the browser's home. */
  memory(): Promise<PageMemory>;
  /** Looked at without an engine. */
  found(site: WebSite["site"]): Promise<BrowserFound>;
}

const absent = (id: string) => ({
  problem: `${id} needs a browser, and no Chrome or Chromium was found.`,
  remedy: "Install one, or name it in ORACLE_BROWSER; or give the role to another agent; see: thehood models.",
});

export function createWebRole(site: WebSite, host: WebHost): ProviderPort {
  const { id, about } = site;
  const models: KnownModels = { provider: id, known: site.models, aliases: host.aliases };
  const nameOf = (model: string) => slugOf(models, model) ?? (model === "default" ? site.models[0] : undefined);
  const pageFor = async (call: ProviderCall, signal: AbortSignal) => {
    const { problem, remedy } = absent(id);
    if (!(await host.found(site.site)).installed) return fail("provider_unavailable", problem, { remedy });
    const opening = openingOf(site, nameOf(call.model) ?? call.model);
    return { id, engine: await host.engine(), opening, call, signal, memory: await host.memory() };
  };
  return {
    id,
    traits: { boundary: "external", modelBacked: true, edits: "patch", about },
    resolve(model) {
      const slug = nameOf(model);
      return slug === undefined ? resolveModel(models, model) : { ok: true, identity: `${id}:${slug}` };
    },
    handle: handleOf,
    async send(call, signal) {
      const { sendToPage } = await import("./call.ts");
      return sendToPage(await pageFor(call, signal));
    },
    async reattach(handle, call, signal) {
      const { reattachToPage } = await import("./call.ts");
      return reattachToPage(await pageFor(call, signal), handle);
    },
    async examine(): Promise<ProviderHealth> {
      const { installed, loggedIn } = await host.found(site.site);
      const remedy = loggedIn ? null : `Log in once in a window: oracle browser login ${site.site}`;
      return {
        installed,
        version: null,
        where: site.url,
        login: loggedIn ? "present" : "unknown",
        models: ["default", ...site.models],
        sandbox: "a page; changes only as a diff",
        ...(installed ? { problem: null, remedy } : absent(id)),
      };
    },
  };
}

const openingOf = ({ url, site }: WebSite, model: string): EngineOpening => ({
  model,
  browser: { url, site, domSnapshotMs: null, folder: "" },
  api: null,
});
