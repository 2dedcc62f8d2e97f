// The ways into the page: a link, and a paired browser that signs a challenge; and the pairing itself. A paired key counts on
// the port where it was made, so that a program that takes the port meanwhile gets nothing that counts anywhere else.
import type { IncomingHttpHeaders } from "node:http";
import { isRecord } from "../../core/contract/index.ts";
import type { PageReach } from "./act.ts";
import { deviceName, isDeviceKey, type PairedDevices } from "./devices.ts";
import type { PageSessions } from "./sessions.ts";

interface DoorDeps {
  readonly sessions: PageSessions;
  readonly devices: PairedDevices;
  readonly reach: PageReach;
  readonly secure: boolean;
  /** How many days a browser that is let in stays paired; 0 for never. */
  pairedDays(): number;
}

interface Caller {
  readonly headers: IncomingHttpHeaders;
  readonly port: number;
  readonly bearer: string;
}

interface Reply {
  readonly status: number;
  readonly body: object;
}

type Door = (given: Readonly<Record<string, unknown>>, caller: Caller) => Reply;

const refused = (message: string): Reply => ({
  status: 401,
  body: { ok: false, code: "refused", message, remedy: null },
});

/** The object of a body; empty where it is none. */
export function readJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const given: unknown = JSON.parse(text);
    return isRecord(given) ? given : {};
  } catch {
    return {};
  }
}

const textOf = (value: unknown): string => (typeof value === "string" && value.length <= 200 ? value : "");

/** The text under a signature of the page; `src/surfaces/page/pairing.ts` builds the same. */
const signedText = (id: string, challenge: string, origin: string): string => `thehood ${id} ${challenge} ${origin}`;

const notPaired = "This browser is not paired with this server, or not any more.";

export function pageDoors({ sessions, devices, reach, secure, pairedDays }: DoorDeps): Readonly<Record<string, Door>> {
  return {
    "/api/login": ({ token }) => {
      const entered = sessions.enter(textOf(token));
      if (!entered) return refused("This link was used already, or is older than a minute.");
      const { bearer, session } = entered;
      return { status: 200, body: { ok: true, bearer, session: session.number, reach, pairedDays: pairedDays() } };
    },
    "/api/pair": ({ key, old }, { headers, port, bearer }) => {
      if (!sessions.of(bearer)) return refused("The server does not know this tab; open a new link.");
      const days = pairedDays();
      if (days === 0 || !isDeviceKey(key)) return refused("This browser cannot be paired here.");
      // A browser that came by a new link has one pairing, not two.
      const before = devices.list().find(({ id }) => id === old);
      if (before?.port === port && before.reach === reach) devices.revoke(before.id);
      const { x, y } = key;
      const name = deviceName(headers["user-agent"] ?? "");
      const { id, until } = devices.add({ name, reach, port, key: { x, y }, days });
      sessions.bind(bearer, id);
      return { status: 200, body: { ok: true, id, until } };
    },
    "/api/challenge": ({ id }) => {
      const device = textOf(id);
      if (!devices.has(device)) return refused(notPaired);
      return { status: 200, body: { ok: true, challenge: sessions.challenge(device) } };
    },
    "/api/return": ({ id, challenge, signature }, { headers, port }) => {
      const [device, text] = [textOf(id), textOf(challenge)];
      const origin = `${secure ? "https" : "http"}://${headers.host ?? ""}`;
      const proof = { id: device, reach, port, text: signedText(device, text, origin), signature: textOf(signature) };
      if (!sessions.takeChallenge(device, text) || !devices.proves(proof)) return refused(notPaired);
      const { bearer, session } = sessions.admit(device);
      return { status: 200, body: { ok: true, bearer, session: session.number, reach } };
    },
  };
}
