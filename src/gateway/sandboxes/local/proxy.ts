// The HTTP proxy of a local sandbox, on our side of its socket: it connects to the hosts of a list. An allowed name that
// resolves to this machine or its network is refused, unless the list names that address.
import { lookup } from "node:dns/promises";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect, isIP } from "node:net";
import type { Duplex } from "node:stream";
import { isInner, namesAddress, ruleFor, type HostRule } from "../../rules/index.ts";

const connectMs = 15_000;

class Closed extends Error {}

/** The address of an allowed host; rejects with a message for the program in the sandbox. */
async function addressOf(rules: readonly HostRule[], host: string, port: number): Promise<string> {
  const rule = ruleFor(rules, host, port);
  if (!rule) throw new Closed(`${host}:${port} is not on the list of allowed hosts of this gateway (--allow-host).`);
  const name = host.replace(/^\[|\]$/g, "");
  const address = isIP(name) ? name : (await lookup(name)).address;
  if (isInner(address) && !namesAddress(rule))
    throw new Closed(`${host} resolves to an address of this machine's own network.`);
  return address;
}

/** The status and the message of a refusal. */
const refusalOf = (error: unknown): { status: number; why: string } =>
  error instanceof Closed ? { status: 403, why: error.message } : { status: 502, why: "The host cannot be reached." };

async function tunnel(rules: readonly HostRule[], authority: string, client: Duplex, head: Buffer): Promise<void> {
  const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(authority) ?? [];
  const address = await addressOf(rules, host, Number(port));
  const server = connect({ host: address, port: Number(port), timeout: connectMs });
  const end = (): void => {
    server.destroy();
    client.destroy();
  };
  server.once("connect", () => {
    server.setTimeout(0);
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    server.write(head);
    server.pipe(client).pipe(server);
  });
  server.once("timeout", end).on("error", end).on("close", end);
  client.on("close", end);
}

/** A plain request with an absolute address. */
async function forward(rules: readonly HostRule[], asked: IncomingMessage): Promise<IncomingMessage> {
  const url = URL.parse(asked.url ?? "");
  if (url?.protocol !== "http:") throw new Closed("Use an absolute http address, or CONNECT.");
  const port = Number(url.port || 80);
  const host = await addressOf(rules, url.hostname, port);
  const headers = Object.entries(asked.headers).filter(([name]) => !/^(proxy-|connection$)/.test(name));
  return new Promise((resolve, reject) => {
    const path = `${url.pathname}${url.search}`;
    const target = { host, port, path, method: asked.method, timeout: connectMs };
    const sent = request({ ...target, headers: { ...Object.fromEntries(headers), host: url.host } }, resolve);
    sent.once("error", reject).once("timeout", () => sent.destroy(new Error("timeout")));
    asked.pipe(sent);
  });
}

async function answerPlain(rules: readonly HostRule[], asked: IncomingMessage, answer: ServerResponse): Promise<void> {
  const from = await forward(rules, asked);
  answer.writeHead(from.statusCode ?? 502, from.headers);
  from.on("error", () => answer.destroy()).pipe(answer);
}

export function createProxy(rules: readonly HostRule[]): Server {
  const server = createServer((asked, answer) => {
    answerPlain(rules, asked, answer).catch((error: unknown) => {
      const { status, why } = refusalOf(error);
      answer.writeHead(status, { "Content-Type": "text/plain" }).end(`${why}\n`);
    });
  });
  server.on("connect", (asked, client, head) => {
    client.on("error", () => client.destroy());
    tunnel(rules, asked.url ?? "", client, head).catch((error: unknown) => {
      const { status, why } = refusalOf(error);
      client.end(`HTTP/1.1 ${status} Refused\r\nContent-Type: text/plain\r\n\r\n${why}\n`);
    });
  });
  return server;
}
