// `web`: serves the page.
import { define, type Context } from "../context/index.ts";
import { flag, optional, text, whole, withDefault } from "../define/index.ts";

export const web = define({
  name: "web",
  group: "Look",
  summary: "Open the page: all runs over time, and decisions at gates",
  more: "It listens on this machine only, on a free port. The link is good for one use; Enter gives a new one.",
  examples: ["thehood web", "thehood web run_0ab1", "thehood web --no-open --port 7467", "thehood web --lan"],
  effect: "decides",
  input: {
    runId: optional(
      text("open the page at this run: its id, or a unique beginning of it", {
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
    port: withDefault(whole("the port (default: a free one)", { min: 0, max: 65_535 }), 0),
  },
  async handle({ runId, noOpen, port, lan, lanAddress, notify, webhook }, context) {
    await context.ports.serveWeb({
      folder: context.folder,
      runId: runId === undefined ? null : await wholeId(runId, context),
      port,
      lan: lan ? (lanAddress ?? true) : null,
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
