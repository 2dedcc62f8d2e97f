// The server on loopback HTTP, by the official client and by bare requests.
import { spawn } from "node:child_process";
import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished } from "vitest";
import { bin } from "../cli/program.ts";
import { call, hello, openBench, stubCrew, toolCall, type Bench, type Status } from "./client.ts";
import { waitUntil } from "../support/wait-until.ts";

interface Server {
  /** What it wrote on stderr when it was ready. */
  readonly said: string;
  readonly url: string;
  readonly token: string;
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

async function serve(bench: Bench, args: readonly string[] = []): Promise<Server> {
  const child = spawn(process.execPath, [bin, "mcp", "--http", ...args], {
    cwd: bench.repo.dir,
    env: bench.env,
  });
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let said = "";
  for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
    said += chunk.toString("utf8");
    if (/token \S+\n.*\n/.test(said)) break;
  }
  const url = /listening on (\S+)/.exec(said)?.[1];
  const token = /token (\S+)/.exec(said)?.[1];
  if (!url || !token) throw new Error(`no address: ${said}`);
  return {
    said,
    url,
    token,
    stop(signal) {
      child.kill(signal);
      return exit;
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
}

/** A request exactly as written: `fetch` would not send a foreign Host. */
function bare(
  { url, token }: Server,
  body: string,
  headers: Record<string, string | undefined> = {},
  method = "POST",
): Promise<Answer> {
  const { hostname, port, pathname } = new URL(url);
  const given = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: `Bearer ${token}`,
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        hostname,
        port,
        path: pathname,
        method,
        headers: Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Record<
          string,
          string
        >,
      },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString("utf8")));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }));
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

const opening = JSON.stringify(hello());
async function session(server: Server): Promise<string> {
  const { headers } = await bare(server, opening);
  return String(headers["mcp-session-id"]);
}

async function connectHttp({ url, token }: Server, capabilities = {}): Promise<Client> {
  const client = new Client({ name: "http-client", version: "1" }, { capabilities });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { Authorization: `Bearer ${token}` } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

describe("thehood mcp --http", () => {
  it("[S-14] listens on loopback, and the official client drives a run with progress", async () => {
    const bench = openBench();
    const server = await serve(bench);
    expect(new URL(server.url).hostname).toBe("127.0.0.1");
    const client = await connectHttp(server);
    expect((await client.listTools()).tools).toHaveLength(14);
    const lines: string[] = [];
    const result = await client.callTool(
      { name: "thehood_orchestrate", arguments: { goal: "Make add() add", wait_seconds: 120 } },
      { onprogress: ({ message }) => lines.push(message ?? ""), timeout: 180_000 },
    );
    const [content] = result.content;
    expect(JSON.parse(content?.type === "text" ? content.text : "")).toMatchObject({
      state: "awaiting_approval",
    });
    expect(lines.length).toBeGreaterThan(1);
    const two = await connectHttp(server);
    expect((await call<{ total: number }>(two, "runs")).data.total).toBe(1);
  });

  it("a person is asked on the stream of the call, also over HTTP", async () => {
    const bench = openBench();
    bench.configure({ roles: stubCrew, policy: { hostMayApprove: true } });
    const client = await connectHttp(await serve(bench), { elicitation: { form: {} } });
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { answer: "approve", message: "" } };
    });
    const { data } = await call<Status>(client, "orchestrate", { goal: "Make add() add", wait_seconds: 120 });
    const answered = await call<{ answered: object }>(client, "approve", {
      run_id: data.runId,
      gate_id: data.gate?.id,
      sha256: data.gate?.sha256,
    });
    expect(answered.data.answered).toMatchObject({ answer: "approve" });
    expect(asked[0]).toContain(data.gate?.sha256);
  });

  it.each([
    ["no token", { authorization: undefined }, 401],
    ["a wrong token", { authorization: "Bearer nope" }, 401],
    ["the token as something else", { authorization: "Basic abc" }, 401],
    ["a foreign host", { host: "evil.example.com" }, 403],
    ["a rebound host with a port", { host: "evil.example.com:80" }, 403],
    ["a host that only begins like ours", { host: "localhost.evil.example.com" }, 403],
    ["a guessed session without a token", { authorization: undefined, "mcp-session-id": "1" }, 401],
    ["a host with a name before it", { host: "localhost@evil.example.com" }, 403],
    ["a foreign origin", { origin: "http://evil.example.com" }, 403],
    ["an opaque origin", { origin: "null" }, 403],
    ["an origin that only begins like ours", { origin: "http://localhost.evil.example.com" }, 403],
    ["an origin of another scheme", { origin: "chrome-extension://localhost" }, 403],
    ["a page of another port", { "sec-fetch-site": "same-site" }, 403],
    ["a page of another site", { "sec-fetch-site": "cross-site" }, 403],
    ["another content type", { "content-type": "text/plain" }, 415],
    ["an Accept for something else", { accept: "text/html" }, 406],
    ["an unknown protocol", { "mcp-protocol-version": "1999-01-01" }, 400],
  ])("[S-14] %s is turned away", async (_, headers, status) => {
    const server = await serve(openBench());
    const answer = await bare(server, opening, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
    expect(answer.body).not.toContain("protocolVersion");
  });

  it("[S-14] local hosts and origins are let in, sessions are needed and end, bodies are bounded", async () => {
    const server = await serve(openBench());
    const { port } = new URL(server.url);
    for (const headers of [
      { host: `localhost:${port}` },
      { host: `[::1]:${port}` },
      { origin: `http://localhost:${port}` },
    ])
      expect((await bare(server, opening, headers)).status).toBe(200);
    // Another port of this machine is another program.
    for (const headers of [{ host: "localhost:1" }, { host: "localhost" }, { origin: "http://localhost:3000" }])
      expect((await bare(server, opening, headers)).status).toBe(403);
    const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    expect((await bare(server, ping)).status).toBe(400);
    expect((await bare(server, ping, { "mcp-session-id": "nope" })).status).toBe(404);
    const id = await session(server);
    expect((await bare(server, ping, { "mcp-session-id": id })).status).toBe(200);
    expect(
      (
        await bare(server, JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }), {
          "mcp-session-id": id,
        })
      ).status,
    ).toBe(202);
    const huge = JSON.stringify({
      jsonrpc: "2.0",
      id: 2,
      method: "ping",
      params: { x: "y".repeat(5 << 20) },
    });
    const refused = await bare(server, huge, { "mcp-session-id": id }).then(
      ({ status }) => status,
      () => 413,
    );
    expect(refused).toBe(413);
    expect((await bare(server, "{nope", { "mcp-session-id": id })).status).toBe(400);
    expect((await bare(server, "", { "mcp-session-id": id }, "GET")).status).toBe(405);
    expect((await bare(server, "", { "mcp-session-id": id }, "DELETE")).status).toBe(204);
    expect((await bare(server, ping, { "mcp-session-id": id })).status).toBe(404);
    const elsewhere = await bare({ ...server, url: server.url.replace("/mcp", "/other") }, ping);
    expect(elsewhere.status).toBe(404);
  });

  it("the newest revision says the same in headers and body, or is turned down with its id", async () => {
    const server = await serve(openBench());
    const revision = "2026-07-28";
    const own = (name: string) => `io.modelcontextprotocol/${name}`;
    const meta = {
      [own("protocolVersion")]: revision,
      [own("clientInfo")]: { name: "bare", version: "1" },
      [own("clientCapabilities")]: {},
    };
    const ask = async (method: string, params: object, headers: Readonly<Record<string, string | undefined>> = {}) => {
      const { status, body } = await bare(server, JSON.stringify({ jsonrpc: "2.0", id: 7, method, params }), {
        "mcp-protocol-version": revision,
        "mcp-method": method,
        accept: "application/json",
        ...headers,
      });
      const { id, error } = JSON.parse(body) as { id: unknown; error?: { code: number; data?: object } };
      expect(id).toBe(7);
      return { status, code: error?.code, data: error?.data };
    };
    const call = { name: "thehood_runs", arguments: {}, _meta: meta };
    expect(await ask("tools/list", { _meta: meta })).toMatchObject({ status: 200, code: undefined });
    expect(await ask("tools/call", call, { "mcp-name": "thehood_runs" })).toMatchObject({ status: 200 });
    const encoded = `=?base64?${Buffer.from("thehood_runs").toString("base64")}?=`;
    expect(await ask("tools/call", call, { "mcp-name": encoded })).toMatchObject({ status: 200 });
    for (const headers of [{}, { "mcp-name": "thehood_plan" }, { "mcp-method": "tools/list" }])
      expect(await ask("tools/call", call, headers)).toMatchObject({ status: 400, code: -32_020 });
    expect(await ask("tools/list", {})).toMatchObject({ status: 400, code: -32_602 });
    const { [own("clientCapabilities")]: _, ...less } = meta;
    expect(await ask("tools/list", { _meta: less })).toMatchObject({ status: 400, code: -32_602 });
    const later = { ...meta, [own("protocolVersion")]: "2099-01-01" };
    expect(await ask("tools/list", { _meta: later }, { "mcp-protocol-version": "2099-01-01" })).toMatchObject({
      status: 400,
      code: -32_022,
      data: { supported: [revision], requested: "2099-01-01" },
    });
    expect(await ask("no/such", { _meta: meta })).toMatchObject({ status: 404, code: -32_601 });
  });

  it("too many sessions are refused, and one that ends makes room", async () => {
    const server = await serve(openBench());
    const ids: string[] = [];
    for (let count = 0; count < 64; count += 1) ids.push(await session(server));
    expect((await bare(server, opening)).status).toBe(503);
    await bare(server, "", { "mcp-session-id": ids[0] }, "DELETE");
    expect((await bare(server, opening)).status).toBe(200);
  });

  it("a client that hangs up mid-call leaves server and run alone", async () => {
    const bench = openBench();
    const server = await serve(bench);
    const id = await session(server);
    const { hostname, port, pathname } = new URL(server.url);
    const sent = httpRequest({
      hostname,
      port,
      path: pathname,
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${server.token}`,
        "mcp-session-id": id,
      },
    });
    sent.on("error", () => undefined);
    sent.end(JSON.stringify(toolCall(1, "orchestrate", { goal: "x", wait_seconds: 300 })));
    await new Promise((resolve) => sent.once("response", resolve));
    sent.destroy();
    const client = await connectHttp(server);
    await waitUntil(async () => {
      const { data } = await call<{ runs: { state: string }[] }>(client, "runs");
      return data.runs[0]?.state === "awaiting_approval";
    }, "the run waits at its gate");
  });

  it.each(["SIGINT", "SIGTERM"] as const)("%s closes it cleanly, with a call under way", async (signal) => {
    const server = await serve(openBench());
    const id = await session(server);
    const waiting = bare(server, JSON.stringify(toolCall(1, "orchestrate", { goal: "x", wait_seconds: 300 })), {
      "mcp-session-id": id,
    }).catch(() => null);
    await bare(server, JSON.stringify(toolCall(2, "runs")), { "mcp-session-id": id });
    expect(await server.stop(signal)).toBe(0);
    await waiting;
  });

  it("[S-14] an address others can reach is refused without a word for it; HTTP words without --http too", () => {
    const bench = openBench();
    const open = bench.thehood(["mcp", "--http", "--host", "0.0.0.0"]);
    expect(open.code).toBe(6);
    expect(open.err).toContain("--allow-remote");
    expect(open.err).toContain("secure MCP tunnel");
    expect(bench.thehood(["mcp", "--port", "1"]).code).toBe(2);
    expect(bench.thehood(["mcp", "--http", "--port", "99999"]).code).toBe(2);
    expect(bench.thehood(["mcp", "--root", join(bench.repo.dir, "missing")]).code).toBe(2);
  });

  it("[S-14] the start and the help name secure MCP tunnels, with a page that is there", async () => {
    const bench = openBench();
    const { said } = await serve(bench);
    const page = /secure MCP tunnel.*: (docs\/\S+\.md)/.exec(said)?.[1] ?? "";
    expect(readFileSync(join(import.meta.dirname, "../..", page), "utf8")).toContain("--mcp-command");
    expect(bench.thehood(["mcp", "--help"]).out.replaceAll(/\s+/g, " ")).toContain("secure MCP tunnel");
  });

  it("[S-1] a kept token is the same at the next start, in no file, and refused when others could read what it is made of", async () => {
    const bench = openBench();
    const first = await serve(bench, ["--keep-token"]);
    await first.stop("SIGTERM");
    const file = join(bench.home, "config/state/mcp-token");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const held = readdirSync(bench.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(first.token));
    expect(held).toEqual([]);
    const second = await serve(bench, ["--keep-token"]);
    expect(second.token).toBe(first.token);
    await second.stop("SIGTERM");
    const third = await serve(bench);
    expect(third.token).not.toBe(first.token);
    await third.stop("SIGTERM");
    chmodSync(file, 0o644);
    expect(bench.thehood(["mcp", "--http", "--keep-token"])).toMatchObject({ code: 6 });
    chmodSync(file, 0o600);
    writeFileSync(file, "short\n");
    expect(bench.thehood(["mcp", "--http", "--keep-token"])).toMatchObject({ code: 6 });
  });
});
