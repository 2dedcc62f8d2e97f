// The guard of the server: the right host, no foreign page behind it, and the token. Decided before any body is read.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

export interface Guard {
  readonly token: string;
  /** Names beside the loopback ones under which a person has put the server. */
  readonly names: readonly string[];
}

export interface Turned {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]", "::1"]);

interface Authority {
  readonly name: string;
  readonly port: number;
}

/** `localhost:3000` → its name and port; undefined for what is no host. */
function authorityOf(text: string, usualPort = 80): Authority | undefined {
  if (!/^[A-Za-z0-9.:[\]_-]{1,255}$/.test(text)) return undefined;
  const url = URL.parse(`http://${text}`);
  if (!url || url.username !== "" || url.pathname !== "/") return undefined;
  return { name: url.hostname.toLowerCase(), port: url.port === "" ? usualPort : Number(url.port) };
}

/** On this machine another port is another program; a name that a person gave may stand behind a proxy. */
function ours(authority: Authority | undefined, { names }: Guard, port: number): boolean {
  if (!authority) return false;
  return loopback.has(authority.name) ? authority.port === port : names.includes(authority.name);
}

const digest = (text: string) => createHash("sha256").update(text).digest();

function hasToken(headers: IncomingHttpHeaders, token: string): boolean {
  const given = /^bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(token));
}

/** Why this request goes no further, or undefined. A page that rebinds a name to loopback fails by Host and by Origin. */
export function turnAway(headers: IncomingHttpHeaders, guard: Guard, port: number): Turned | undefined {
  if (!ours(authorityOf(headers.host ?? ""), guard, port))
    return { status: 403, message: "This host name and port are not served." };
  const { origin } = headers;
  if (origin !== undefined) {
    const [, scheme, rest] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
    const from = rest === undefined ? undefined : authorityOf(rest, scheme === "https" ? 443 : 80);
    if (!ours(from, guard, port))
      return { status: 403, message: "Pages of this origin may not call the server." };
  }
  if (!hasToken(headers, guard.token))
    return {
      status: 401,
      message: "A bearer token is needed; the server printed it when it started.",
      headers: { "WWW-Authenticate": 'Bearer realm="thehood"' },
    };
  return undefined;
}

/** Whether an address to listen on stays on this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
