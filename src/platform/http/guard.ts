// The guard of all our HTTP servers: the right host, no foreign page behind the request, the token. It decides
// before any body is read. A page of another port of this machine is foreign too.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";

export interface Served {
  /** Names beside the loopback ones under which a person has put the server. */
  readonly names: readonly string[];
  /** The server uses TLS. */
  readonly secure?: boolean;
  /** The server has no proxy: the port and the scheme of a given name must be its own. */
  readonly exact?: boolean;
}

export interface Guard extends Served {
  readonly token: string;
}

interface Turned {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface Authority {
  readonly name: string;
  readonly port: number;
}

/** `localhost:3000` → its name and port; undefined for text that cannot be a host. */
function authorityOf(text: string, usualPort: number): Authority | undefined {
  const [, name, port] = /^(\[[0-9a-f:.]{2,50}\]|[a-z0-9._-]{1,255})(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (name === undefined) return undefined;
  return { name: name.toLowerCase(), port: port === undefined ? usualPort : Number(port) };
}

/** On this machine another port is another program; a name that a person gave may be behind a proxy. */
function ours(authority: Authority | undefined, { names, exact }: Served, port: number): boolean {
  if (!authority) return false;
  if (loopback.has(authority.name)) return authority.port === port;
  return names.includes(authority.name) && (!exact || authority.port === port);
}

const usual = { http: 80, https: 443 } as const;

function isOwnOrigin(origin: string, served: Served, port: number): boolean {
  const [, scheme, rest = ""] = /^(https?):\/\/(.*)$/.exec(origin) ?? [];
  if (scheme !== "http" && scheme !== "https") return false;
  const from = authorityOf(rest, usual[scheme]);
  // A proxy before a given name may use TLS where the server does not; loopback has no proxy.
  const own = served.secure ? "https" : "http";
  return ours(from, served, port) && (scheme === own || (!served.exact && !loopback.has(from?.name ?? "")));
}

/** Why this request is not for us: a name that another site has bound to this machine, or a page of another origin. */
export function foreign(headers: IncomingHttpHeaders, served: Served, port: number): Turned | undefined {
  const { host, origin } = headers;
  if (!ours(authorityOf(host ?? "", usual[served.secure ? "https" : "http"]), served, port))
    return { status: 403, message: "This host name and port are not served." };
  if (origin !== undefined && !isOwnOrigin(origin, served, port))
    return { status: 403, message: "Pages of this origin may not call the server." };
  const site = headers["sec-fetch-site"];
  const opened = site === "none" || (site !== "same-origin" && isNavigation(headers));
  if (site !== undefined && site !== "same-origin" && !opened)
    return { status: 403, message: "Pages of another site or port may not call the server." };
  return undefined;
}

/** A person followed a link to the page itself. It carries no token, so that nothing but the empty page answers it. */
const isNavigation = (headers: IncomingHttpHeaders): boolean =>
  headers["sec-fetch-mode"] === "navigate" &&
  headers["sec-fetch-dest"] === "document" &&
  headers.authorization === undefined;

const digest = (text: string) => createHash("sha256").update(text).digest();

/** Compared in constant time, whatever the lengths. */
export const sameSecret = (given: string, held: string): boolean => timingSafeEqual(digest(given), digest(held));

export const bearerOf = (headers: IncomingHttpHeaders): string =>
  /^bearer +([\x21-\x7e]{1,512})$/i.exec(headers.authorization ?? "")?.[1] ?? "";

export const needsToken = (message: string): Turned => ({
  status: 401,
  message,
  headers: { "WWW-Authenticate": 'Bearer realm="thehood"' },
});

/** Why this request goes no further, or undefined. A page that rebinds a name to loopback fails by Host and by Origin. */
export function turnAway(headers: IncomingHttpHeaders, guard: Guard, port: number): Turned | undefined {
  const turned = foreign(headers, guard, port);
  if (turned) return turned;
  if (sameSecret(bearerOf(headers), guard.token)) return undefined;
  return needsToken("A bearer token is needed; the server printed it when it started.");
}

export const isJson = (headers: IncomingHttpHeaders): boolean =>
  /^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "");

/** Whether an address to listen on stays on this machine. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
