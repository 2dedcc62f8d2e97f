// The operations on the browser that runs in web pages share.
import { sites } from "../../core/contract/transport/index.ts";
import { choice, optional, text, whole, withDefault } from "../define/index.ts";
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
  summary: "say which parts of a site's page are no longer where its data says; sends nothing",
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
  summary: "make a bug report of the last step that failed in a page",
  effect: "moves",
  input: {
    id: optional(text("the id of a session; the newest one with a failed step without it", { min: 1 })),
  },
  handle: async ({ id }, context) => (await context.browser()).report(id ?? null),
  cli: { args: ["id"] },
});
