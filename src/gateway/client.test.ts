// The client against a server that goes away in the middle of a stream.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { gatewayClient } from "./client.ts";

async function serve(port: number, events: (after: string | null) => readonly number[]): Promise<Server> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const seq of events(searchParams.get("after"))) response.write(`data: ${JSON.stringify({ seq })}\n\n`);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, "127.0.0.1", resolve);
  });
  onTestFinished(() => stop(server));
  return server;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
}

it("[A-33] goes on after the last event when the gateway was away", async () => {
  const asked: (string | null)[] = [];
  const first = await serve(0, (after) => (asked.push(after), [3, 4]));
  const { port } = first.address() as AddressInfo;
  const client = gatewayClient({ folder: "/nonexistent", url: `http://127.0.0.1:${port}`, token: "t" });
  const ending = new AbortController();
  const seen: unknown[] = [];
  for await (const { seq } of client.events("s", 2, ending.signal)) {
    seen.push(seq);
    if (seq === 4) {
      await stop(first);
      await serve(port, (after) => (asked.push(after), [5]));
    }
    if (seq === 5) ending.abort();
  }
  expect([seen, asked]).toEqual([
    [3, 4, 5],
    ["2", "4"],
  ]);
});

it("a gateway that is not there at the start is named at once", async () => {
  const server = await serve(0, () => []);
  const { port } = server.address() as AddressInfo;
  await stop(server);
  const client = gatewayClient({ folder: "/nonexistent", url: `http://127.0.0.1:${port}`, token: "t" });
  await expect(client.events("s", 0, new AbortController().signal).next()).rejects.toThrow("No gateway is running.");
});
