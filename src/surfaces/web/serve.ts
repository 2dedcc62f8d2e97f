// Serves the page on loopback until the signal fires: prints a link, opens the browser, and prints a new link for each typed
// line, because a link works once.
import { aborted, listenOn } from "../../platform/http/index.ts";
import process from "node:process";
import { homeFor } from "./live.ts";
import { notify, type Notices } from "./notify.ts";
import { contextFor } from "./act.ts";
import type { Home } from "../../operations/run-data/index.ts";
import { serveLan } from "./lan.ts";
import { openInBrowser, type BrowserOpener } from "./open.ts";
import { listenAsUsual } from "./ports.ts";
import { createPageService, type PageServerDeps } from "./service.ts";

export interface WebServing {
  readonly deps: PageServerDeps;
  /** The run that a link opens; null for the home. */
  readonly runId: string | null;
  readonly port: number;
  /** Also serve a phone: an address of the local network, or true for the first one. */
  readonly lan: string | true | null;
  /** How many days a browser that is let in stays paired; 0 for the life of its tab. */
  readonly pairedDays: number;
  /** Where ports and the certificate are kept for the next start. */
  readonly keep: string;
  readonly notices: Omit<Notices, "say">;
  /** Null to not open the browser. */
  readonly opener: BrowserOpener | null;
  readonly signal: AbortSignal;
  /** Lines that the user types; undefined without a terminal. */
  readonly lines: AsyncIterable<string> | undefined;
  say(line: string): void;
}

const readHome = async (deps: PageServerDeps, signal: AbortSignal): Promise<Home> =>
  homeFor(await contextFor(deps, undefined, { session: { number: 0 }, reach: "gates", signal }));

export async function serveWeb(serving: WebServing): Promise<void> {
  const { deps, runId, lan, opener, signal, lines, say, pairedDays, keep } = serving;
  let usual = false;
  const service = createPageService(deps, {
    served: { names: [] },
    reach: "all",
    pairedDays: () => (usual ? pairedDays : 0),
  });
  const host = "127.0.0.1";
  const listening = await listenAsUsual(keep, "port", serving.port, (port) => listenOn({ host, port }, service.handle));
  usual = listening.usual;
  const { server } = listening;
  const invite = () => `${server.origin}/#t=${service.sessions.invite()}${runId === null ? "" : `/${runId}`}`;
  const phone =
    lan === null ? null : await serveLan(deps, { address: lan === true ? undefined : lan, pairedDays, folder: keep });
  const show = async (): Promise<void> => {
    const link = invite();
    say(`thehood web: ${link}`);
    if (phone) say(phone.invite());
    if (opener) await openInBrowser(opener, link);
  };
  await show();
  say("The link works once within a minute; Enter prints a new one, Ctrl-C ends.");
  if (!usual) say("Another program has the usual port, so paired browsers need a link this time.");
  else if (pairedDays > 0) say(`A browser that came in stays paired for ${pairedDays} days at ${server.origin}/`);
  const typed = (async () => {
    for await (const _ of lines ?? []) await show();
  })();
  // The end of the input does not end the server.
  typed.catch((error: unknown) => deps.fault(error));
  const notifying = notify(() => readHome(deps, signal), { ...serving.notices, say }, process.platform, signal);
  notifying.catch((error: unknown) => deps.fault(error));
  await aborted(signal);
  await phone?.close();
  await server.close();
}
