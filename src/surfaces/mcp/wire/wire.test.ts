// The protocol layer alone: in memory, or on a socket, with a service of three methods.
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { personAt } from "../person.ts";
import { listen } from "./http/index.ts";
import { serveLines } from "./lines.ts";
import { RpcError } from "./message.ts";
import { ClientSession, type RpcCaller, type Service } from "./session.ts";

const faults: unknown[] = [];
const service: Service = {
  info: { name: "t", title: "T", version: "1" },
  instructions: "",
  capabilities: {},
  fault: (error) => void faults.push(error),
  method: (name) =>
    ({
      "tools/list": async () => ({ tools: [] }),
      "tools/call": async (_: unknown, caller: RpcCaller) => ({
        spoken: await personAt(caller, 30)?.ask({
          title: "T",
          brief: "",
          text: "text",
          sha256: "0",
          answers: ["approve"],
          phrase: null,
        }),
      }),
      "x/fault": async () => {
        throw new Error("a bug with a secret in it");
      },
      "x/refuse": async () => {
        throw new RpcError(-32_602, "no");
      },
      "x/wait": (_: unknown, caller: RpcCaller) =>
        new Promise((resolve) => caller.signal.addEventListener("abort", () => resolve({}))),
    })[name],
};

const hello = (capabilities: object = {}) =>
  ({
    kind: "request",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities },
  }) as const;
const request = (id: number, method: string) => ({ kind: "request", id, method, params: {} }) as const;

async function opened(capabilities?: object) {
  const session = new ClientSession(service);
  const sent: Record<string, never>[] = [];
  const send = (message: object) => void sent.push(message as Record<string, never>);
  await session.receive(hello(capabilities), send);
  return { session, sent, send };
}

describe("a session", () => {
  it("answers in the protocol the client speaks, and a fault without its details", async () => {
    const { session, sent, send } = await opened();
    expect(sent[0]).toMatchObject({ result: { protocolVersion: "2025-06-18" } });
    await session.receive(request(1, "x/fault"), send);
    expect(JSON.stringify(sent[1])).not.toContain("secret");
    expect(sent[1]).toMatchObject({ error: { code: -32_603 } });
    expect(faults).toHaveLength(1);
    await session.receive(request(2, "x/refuse"), send);
    expect(sent[2]).toMatchObject({ error: { code: -32_602, message: "no" } });
    await session.receive({ ...request(3, "tools/list"), params: { cursor: "x" } }, send);
    expect(sent[3]).toMatchObject({ error: { code: -32_602 } });
  });

  it("a person who does not answer in time gives no answer, the client learns that it was withdrawn, and a late answer counts for nothing", async () => {
    const { session, sent, send } = await opened({ elicitation: {} });
    await session.receive(request(1, "tools/call"), send);
    const [, question, withdrawn, answer] = sent;
    expect(question).toMatchObject({ method: "elicitation/create", params: { mode: "form" } });
    expect(withdrawn).toMatchObject({
      method: "notifications/cancelled",
      params: { requestId: question?.["id"] },
    });
    expect(answer).toMatchObject({ result: { spoken: { kind: "no_answer" } } });
    await session.receive({ kind: "response", id: question?.["id"] ?? "", result: { action: "accept" } }, send);
    expect(sent).toHaveLength(4);
  });

  it.each([
    [{}, false],
    [{ elicitation: {} }, true],
    [{ elicitation: { form: {} } }, true],
    [{ elicitation: { url: {} } }, false],
    [{ elicitation: null }, false],
    [{ elicitation: "yes" }, false],
  ])("a client with %j puts forms before people: %s", async (capabilities, elicits) => {
    const { session } = await opened(capabilities);
    expect(session.client?.elicits).toBe(elicits);
  });

  it("an id in use is refused, closing ends every wait, and a cancelled call is not answered", async () => {
    const { session, sent, send } = await opened();
    void session.receive(request(1, "x/wait"), send);
    void session.receive(request(2, "x/wait"), send);
    await session.receive(request(1, "ping"), send);
    expect(sent[1]).toMatchObject({ id: 1, error: { code: -32_600 } });
    await session.receive({ kind: "notification", method: "notifications/cancelled", params: { requestId: 2 } }, send);
    await session.close();
    expect(sent.slice(2).map(({ id }) => id)).toEqual([1]);
  });
});

describe("messages by lines", () => {
  it("a line in pieces is one message, several in a piece are several, and the last needs no end", async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    const done = serveLines(service, { input, output }, new AbortController().signal);
    const text = JSON.stringify({ jsonrpc: "2.0", id: "ä€🙂", method: "ping" });
    const bytes = Buffer.from(`${text}\r\n\n${text.replace("ä€🙂", "b")}\n${text.replace("ä€🙂", "c")}`);
    for (const byte of bytes) input.write(Buffer.from([byte]));
    input.end();
    await done;
    const ids = (output.read() as Buffer)
      .toString("utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids).toEqual(["ä€🙂", "b", "c"]);
  });

  it("while a client reads nothing, no more of what it writes is read", async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1 });
    const stop = new AbortController();
    const limits = { lineBytes: 1_000, unreadBytes: 1_000, lingerMs: 50 };
    const done = serveLines(service, { input, output }, stop.signal, limits);
    const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`;
    for (let count = 0; count < 5_000; count += 1) input.write(line);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const waiting = output.writableLength;
    expect(waiting).toBeLessThan(100_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(output.writableLength).toBe(waiting);
    stop.abort();
    await done;
  });
});

describe("sessions over HTTP", () => {
  it("when all are taken, the one that was quiet for longest makes room, and one in use does not", async () => {
    const guard = { token: "t", names: [] };
    const limits = { sessions: 2, quietMs: 0 };
    const server = await listen(service, { host: "127.0.0.1", port: 0, guard, limits });
    onTestFinished(() => server.close());
    const send = (body: object, id?: string) =>
      fetch(server.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: "Bearer t",
          ...(id === undefined ? {} : { "mcp-session-id": id }),
        },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const open = async () => {
      const { status, headers } = await send({ id: 0, method: "initialize", params: {} });
      return { status, id: headers.get("mcp-session-id") ?? "" };
    };
    const [first, second] = [await open(), await open()];
    const waiting = [first, second].map(({ id }) => send({ id: 1, method: "x/wait" }, id));
    const pings = async () => (await send({ id: 2, method: "ping" }, second.id)).status;
    expect(await pings()).toBe(200);
    // An id is refused while a call with it is under way.
    for (const { id } of [first, second])
      await expect
        .poll(async () => (await send({ id: 1, method: "ping" }, id)).text(), { timeout: 20_000 })
        .toContain("under way");
    expect((await open()).status).toBe(503);
    await send({ method: "notifications/cancelled", params: { requestId: 1 } }, first.id);
    await expect.poll(async () => (await open()).status, { timeout: 20_000 }).toBe(200);
    expect((await send({ id: 3, method: "ping" }, first.id)).status).toBe(404);
    expect(await pings()).toBe(200);
    await server.close();
    await Promise.allSettled(waiting);
  });

  it("end when they were not used for a while", async () => {
    const server = await listen(service, {
      host: "127.0.0.1",
      port: 0,
      guard: { token: "t", names: [] },
      limits: { idleMs: 40 },
    });
    onTestFinished(() => server.close());
    const send = (body: object, headers: Record<string, string> = {}) =>
      fetch(server.url, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: "Bearer t", ...headers },
        body: JSON.stringify({ jsonrpc: "2.0", ...body }),
      });
    const opening = await send({ id: 0, method: "initialize", params: {} });
    const id = opening.headers.get("mcp-session-id") ?? "";
    expect(id).not.toBe("");
    // Looking at it would keep it alive: wait for longer than it lives.
    const status = async () => {
      await new Promise((resolve) => setTimeout(resolve, 200));
      return (await send({ id: 2, method: "ping" }, { "mcp-session-id": id })).status;
    };
    await expect.poll(status, { timeout: 60_000 }).toBe(404);
  });
});
