// `web`: serves the page.
import { fail } from "../../core/contract/index.ts";
import { define, type Context, type PairedDevice } from "../context/index.ts";
import { flag, optional, text, whole, withDefault } from "../define/index.ts";

export const web = define({
  name: "web",
  group: "Look",
  summary: "Open the page: all runs over time, and decisions at gates",
  more: "It listens on this machine only. The link is good for one use; Enter gives a new one. A browser that came in by it stays paired for 30 days: then a bookmark is enough. `thehood web devices` lists and ends that.",
  examples: ["thehood web", "thehood web run_0ab1", "thehood web --no-open --port 7467", "thehood web --lan"],
  effect: "decides",
  input: {
    runId: optional(
      text("open the page at this run: its id or the first letters", {
        min: 1,
        max: 64,
        cli: { name: "run" },
      }),
    ),
    noOpen: flag("print the link and leave the browser alone"),
    lan: flag("let one phone in this network in too, over TLS: it sees runs and decides at gates"),
    lanAddress: optional(text("the address for --lan (default: the first one)", { cli: { value: "addr" } })),
    notify: flag("ring and note on the desktop when something waits for you"),
    webhook: optional(
      text("post to this address when something waits for you", {
        pattern: /^https?:\/\/\S+$/,
        words: "an address that begins with https:// or http://",
        cli: { value: "url" },
      }),
    ),
    port: withDefault(whole("the port (default: the one of last time, or a free one)", { min: 0, max: 65_535 }), 0),
    pairedDays: withDefault(
      whole("how many days a browser stays paired; 0: until its tab closes", {
        min: 0,
        max: 365,
        cli: { value: "days" },
      }),
      30,
    ),
  },
  async handle({ runId, noOpen, port, lan, lanAddress, notify, webhook, pairedDays }, context) {
    await context.ports.serveWeb({
      folder: context.folder,
      runId: runId === undefined ? null : await wholeId(runId, context),
      port,
      lan: lan ? (lanAddress ?? true) : null,
      pairedDays,
      notices: { desktop: notify, webhook: webhook ?? null },
      open: !noOpen,
      signal: context.signal,
      terminal: context.spell,
      lines: context.lines?.(),
    });
  },
  cli: { main: true, args: ["runId"] },
});

async function wholeId(beginning: string, context: Context): Promise<string> {
  await using runs = await context.ports.runs(context.folder);
  return runs.find(beginning);
}

export const webDevices = define({
  name: "web devices",
  group: "Look",
  summary: "List the browsers and phones that stay paired with the page, or end a pairing",
  more: "A paired browser holds a key that it cannot give away, and no cookie. Ending a pairing closes its open pages within seconds.",
  examples: ["thehood web devices", "thehood web devices --revoke 3kf0q81mzp2x", "thehood web devices --revoke all"],
  effect: "decides",
  input: {
    revoke: optional(text("end the pairing of this device, or of all", { min: 1, max: 20, cli: { value: "id" } })),
  },
  async handle({ revoke }, { ports }): Promise<{ devices: readonly PairedDevice[]; revoked: readonly string[] }> {
    const paired = await ports.devices();
    const wanted = revoke === "all" ? paired.list().map(({ id }) => id) : revoke === undefined ? [] : [revoke];
    const revoked = wanted.filter((id) => paired.revoke(id));
    if (revoke !== undefined && revoke !== "all" && revoked.length === 0)
      return fail("not_found", `No paired device has the id ${revoke}.`, {
        remedy: "thehood web devices lists them.",
      });
    return { devices: paired.list(), revoked };
  },
  cli: {},
});
