// Batches of the revision 2025-03-26, on the standard streams and over HTTP.
import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { listen } from "./http/index.ts";
import { serveLines } from "./lines.ts";
import type { Service } from "./session.ts";

const service: Service = {
  info: { name: "t", title: "T", version: "1" },
  capabilities: {},
  fault: () => undefined,
  method: (name) => (name === "tools/list" ? async () => ({ tools: [] }) : undefined),
};
const rpc = (more: object) => ({ jsonrpc: "2.0", ...more });
const hello = (protocolVersion: string) =>
  rpc({ id: 0, method: "initialize", params: { protocolVersion, capabilities: {} } });
const batch = [
  rpc({ id: 1, method: "ping" }),
  rpc({ method: "notifications/initialized" }),
  { id: 2 },
  rpc({ id: 3, method: "initialize", params: {} }),
  rpc({ id: 4, method: "tools/list" }),
];
const answers = [
  { id: 1, result: {} },
  { id: null, error: { code: -32_600 } },
  { id: 3, error: { code: -32_600 } },
  { id: 4, result: { tools: [] } },
];

interface Answer {
  readonly id: number | null;
}
const inOrder = (given: unknown) => (given as Answer[]).toSorted((a, b) => (a.id ?? 2) - (b.id ?? 2));

async function byLines(...messages: unknown[]): Promise<unknown[]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const done = serveLines(service, { input, output }, new AbortController().signal);
  for (const message of messages) input.write(`${JSON.stringify(message)}\n`);
  input.end();
  await done;
  const text = (output.read() as Buffer).toString("utf8").trim();
  return text.split("\n").map((line) => JSON.parse(line) as unknown);
}

describe("a batch", () => {
  it("is answered by one list on the standard streams, in the one revision that has it", async () => {
    const [, answered] = await byLines(hello("2025-03-26"), batch);
    expect(inOrder(answered)).toMatchObject(answers);
    const [, other] = await byLines(hello("2025-06-18"), batch);
    expect(other).toMatchObject({ id: null, error: { code: -32_600 } });
  });

  it("that is empty or far too long is refused as a whole", async () => {
    const long = Array.from({ length: 101 }, (_, id) => rpc({ id, method: "ping" }));
    for (const wrong of [[], long]) {
      const [, refused] = await byLines(hello("2025-03-26"), wrong);
      expect(refused).toMatchObject({ id: null, error: { code: -32_600 } });
    }
  });

  it("is answered by one list over HTTP, and without a word when it asks nothing", async () => {
    const guard = { token: "t", names: [] };
    const server = await listen(service, { host: "127.0.0.1", port: 0, guard });
    onTestFinished(() => server.close());
    const send = (body: unknown, session?: string) =>
      fetch(server.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: "Bearer t",
          ...(session === undefined ? {} : { "mcp-session-id": session }),
        },
        body: JSON.stringify(body),
      });
    const id = (await send(hello("2025-03-26"))).headers.get("mcp-session-id") ?? "";
    const answered = await send(batch, id);
    expect(answered.status).toBe(200);
    expect(inOrder(await answered.json())).toMatchObject(answers);
    const silent = await send([rpc({ method: "notifications/initialized" })], id);
    expect(silent.status).toBe(202);
    expect((await send([], id)).status).toBe(400);
    expect((await send(batch)).status).toBe(400);
  });
});
