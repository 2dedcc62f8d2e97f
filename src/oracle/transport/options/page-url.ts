// The page of a browser run: a full URL from the option, and the driver for it (T-2 to T-5).
import { fail } from "../../../core/contract/index.ts";
import {
  sites,
  type Options,
  type PageTool,
  type RunRequest,
  type Site,
} from "../../../core/contract/transport/index.ts";

/** `modelOfUser`: the model that the user chose where the command names no page. */
export function resolveBrowser(options: Options, modelOfUser?: string): NonNullable<RunRequest["browser"]> {
  const given = options.browserUrl === undefined ? undefined : normalizeBrowserUrl(options.browserUrl);
  if (options.copilot === true && given !== undefined && siteOf(given) !== "copilot")
    return fail("invalid_input", `--copilot and --browser-url ${given} name two different pages.`, {
      remedy: "Give only one of them.",
    });
  const usual = given ?? (options.copilot === true ? copilotUrl : defaultBrowserUrl);
  const url = siteOf(usual) === "chatgpt" && isOfGemini(modelOfUser) ? geminiUrl : usual;
  return {
    url,
    site: siteOf(url),
    domSnapshotMs: options.domSnapshot ?? null,
    ...(options.reasoningEffort === undefined ? {} : { effort: options.reasoningEffort }),
    ...toolOf(options),
    ...(options.remote === undefined ? {} : { remote: options.remote }),
  };
}

function toolOf({ research, search }: Options): { tool?: PageTool } {
  if (research !== true) return search === true ? { tool: "search" } : {};
  if (search === undefined) return { tool: "research" };
  return fail("invalid_input", "--research searches the web by itself.", { remedy: "Leave out --search." });
}

export const defaultBrowserUrl = "https://chatgpt.com/";
export const copilotUrl = "https://github.com/copilot/";

const geminiUrl = "https://gemini.google.com/app";

/** ChatGPT has no model of this name. */
const isOfGemini = (model = "") => /^gemini\b/i.test(model.trim());

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;
const unsafe = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\\]/;

const loopback = (host: string) =>
  host === "localhost" || host === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);

function refuse(given: string, why: string): never {
  return fail("invalid_input", `"${given}" cannot be used as a browser URL: ${why}.`, {
    remedy: "Give a full https URL or a host and path, e.g. --browser-url github.com/copilot",
  });
}

export function normalizeBrowserUrl(given: string): string {
  const text = given.trim();
  if (text === "") return refuse(given, "it is empty");
  if (unsafe.test(text)) return refuse(given, "it holds a blank, a backslash or an invisible character");
  const full = scheme.test(text) ? text : `https://${text.replace(/^\/+/, "")}`;
  if (!URL.canParse(full)) return refuse(given, "it is not a valid address");
  const url = new URL(full);
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse(given, "only https is used");
  if (url.protocol === "http:" && !loopback(url.hostname))
    return refuse(given, "plain http is for this machine (loopback) only");
  if (url.username !== "" || url.password !== "") return refuse(given, "it carries a name or password");
  return url.href;
}

/** Host (with a port, if it is not the usual one) and path of each page we have a driver for. */
const pages: readonly { site: Site; hosts: readonly string[]; path: RegExp }[] = [
  { site: "chatgpt", hosts: ["chatgpt.com", "www.chatgpt.com", "chat.openai.com"], path: /^\// },
  { site: "copilot", hosts: ["github.com", "www.github.com"], path: /^\/copilot(\/|$)/ },
  { site: "gemini", hosts: ["gemini.google.com"], path: /^\// },
];

export function siteOf(url: string): Site {
  const { host, pathname } = new URL(url);
  const page = pages.find(({ hosts, path }) => hosts.includes(host) && path.test(pathname));
  if (page) return page.site;
  return fail("invalid_input", `There is no driver for ${url}.`, {
    remedy: `Supported sites: ${sites.join(", ")} (chatgpt.com, github.com/copilot, gemini.google.com).`,
  });
}
