// `oracle serve`: lends the browser of this machine to oracle on other machines of the user, over TLS with a token, or on the
// standard streams, which is how SSH brings them.
import { hostname } from "node:os";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { Duplex } from "node:stream";
import { diskFailure, fail } from "../../core/contract/index.ts";
import type { ServeHooks } from "../../core/contract/transport/index.ts";
import { systemCode } from "../../platform/system/index.ts";
import { type BrowserDeps, mustDisplay, mustExecutable } from "./deps.ts";
import { openLink } from "./lease.ts";
import { loggedInSites } from "./installed/index.ts";
import { Relay, removeLeftFiles } from "./remote/relay.ts";
import { secureServer } from "./remote/secure.ts";
import { servingToken, tokenPath } from "./remote/token.ts";

const mostConnections = 32;

const relay = (deps: BrowserDeps, stream: Duplex, { signal, log }: ServeHooks): Relay =>
  new Relay(stream, {
    openLink: () => openLink(deps, signal),
    loggedIn: () => loggedInSites(deps.folder),
    onHello: (host) => log(`connected: ${host.replaceAll(/[^\w.-]/g, "_").slice(0, 60)}`),
  });

export async function serve(deps: BrowserDeps, hooks: ServeHooks): Promise<void> {
  if (deps.attach === undefined) {
    mustExecutable(deps);
    mustDisplay(deps);
  }
  removeLeftFiles();
  return hooks.listen === null ? await serveStreams(deps, hooks) : await serveAddress(deps, hooks, hooks.listen);
}

/** Until the other side closes its end. */
async function serveStreams(deps: BrowserDeps, hooks: ServeHooks): Promise<void> {
  const stream = Duplex.from({ readable: process.stdin, writable: process.stdout });
  relay(deps, stream, hooks);
  await new Promise<void>((resolve) => {
    const end = () => {
      stream.destroy();
      resolve();
    };
    process.stdin.once("end", end);
    stream.once("close", end);
    hooks.signal.addEventListener("abort", end, { once: true });
  });
}

function addressOf(listen: string): { host: string; port: number } {
  const [, host = "", port = ""] = /^(\[[\da-f:]+\]|[^:]+):(\d{1,5})$/i.exec(listen) ?? [];
  if (host !== "" && Number(port) < 65_536) return { host: host.replaceAll(/[[\]]/g, ""), port: Number(port) };
  return fail("invalid_input", `--listen ${listen} is no address.`, {
    remedy: "For example --listen 192.168.1.5:9473",
  });
}

async function serveAddress(deps: BrowserDeps, hooks: ServeHooks, listen: string): Promise<void> {
  const { host, port } = addressOf(listen);
  const { log, signal } = hooks;
  const server = secureServer(servingToken(deps.folder), (socket) => relay(deps, socket, hooks));
  server.maxConnections = mostConnections;
  server.on("tlsClientError", () => log("refused: a connection without our token"));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  }).catch((error: unknown) => {
    throw diskFailure(error) ?? unusable(listen, error);
  });
  const bound = (server.address() as AddressInfo).port;
  log(`lending the browser of ${hostname()} at ${host}:${bound}; the token is in ${tokenPath(deps.folder)}`);
  await new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  server.close();
}

function unusable(listen: string, error: unknown): unknown {
  const code = systemCode(error);
  if (code === undefined) return error;
  try {
    return fail("invalid_input", `${listen} cannot be listened on (${code}).`, {
      remedy: "Name another port, and an address that this machine has: --listen HOST:PORT",
    });
  } catch (failure) {
    return failure;
  }
}
