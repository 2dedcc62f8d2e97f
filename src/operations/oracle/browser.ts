// The operations on the browser that runs in web pages share.
import { sites } from "../../core/contract/transport/index.ts";
import { choice, flag, optional, text, whole, withDefault } from "../define/index.ts";
import { defineFor } from "../define/index.ts";
import type { BrowserContext } from "./context.ts";

const define = defineFor<BrowserContext>();

const group = "Browser";
const site = withDefault(choice(sites, `the site: ${sites.join(", ")}`), "chatgpt");

export const browserLogin = define({
  name: "browser login",
  group,
  summary: "open a window with oracle's own profile and log in there yourself",
  more: "The window closes when the page shows that you are in. Passwords and cookies stay in the browser.",
  effect: "decides",
  input: {
    site,
    minutes: withDefault(whole("how long to wait for you (20)", { min: 1, max: 240, cli: { value: "count" } }), 20),
  },
  handle: async ({ site: where, minutes }, context) => {
    const log = (line: string) => context.say(line);
    await (await context.browser()).login(where, { signal: context.signal, log, waitMs: minutes * 60_000 });
    return { site: where };
  },
  cli: { args: ["site"] },
});

export const serve = define({
  name: "serve",
  group,
  summary: "lend this machine's browser to oracle on other machines of yours (--remote)",
  more: "Over TLS with the token in ~/.oracle/browser/serve-token; --remote ssh://HOST needs no server and no token.",
  effect: "decides",
  input: {
    listen: withDefault(
      text("the address to listen on (127.0.0.1:9473)", { min: 1, cli: { value: "host:port" } }),
      "127.0.0.1:9473",
    ),
    stdio: flag("serve one connection on stdin and stdout, as SSH does"),
  },
  handle: async ({ listen, stdio }, context) => {
    const log = (line: string) => context.say(line);
    await (await context.browser()).serve({ signal: context.signal, log, listen: stdio ? null : listen });
    return null;
  },
  cli: {},
});

export const browserState = define({
  name: "browser status",
  group,
  summary: "show the browser, where you are logged in, and which runs use it",
  effect: "reads",
  input: {},
  handle: async (_, context) => await (await context.browser()).status(),
  cli: {},
});

export const browserStop = define({
  name: "browser stop",
  group,
  summary: "end the browser; runs that use it fail and can be restarted",
  effect: "moves",
  input: {},
  handle: async (_, context) => ({ stopped: await (await context.browser()).stop() }),
  cli: {},
});

export const browserCheck = define({
  name: "browser check",
  group,
  summary: "check whether a site's page has changed; sends nothing",
  effect: "reads",
  input: { site },
  handle: async ({ site: where }, context) => {
    const log = (line: string) => context.say(line);
    return await (await context.browser()).check(where, { signal: context.signal, log });
  },
  cli: { args: ["site"], exit: ({ ok }) => (ok ? 0 : 1) },
});

export const browserReport = define({
  name: "browser report",
  group,
  summary: "make a bug report of the last step that failed in a page, or a data file of a check",
  effect: "moves",
  input: {
    id: optional(
      text("the id of a session; the newest one with a failed step without it; with --as-data a site", { min: 1 }),
    ),
    asData: optional(flag("make a data file of the last check of a site, to edit and point to")),
  },
  handle: async ({ id, asData }, context) => {
    const browser = await context.browser();
    return asData === true ? browser.data(id ?? null) : browser.report(id ?? null);
  },
  cli: { args: ["id"] },
});
