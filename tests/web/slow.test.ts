// A client of the page that does not read: nothing is gathered for it, it is dropped, and others are served meanwhile.
import { once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { listenOn } from "../../src/platform/http/index.ts";
import { streaming } from "../../src/surfaces/web/live.ts";

/** A message of 64 kB, as a home with many runs. */
const message = { home: "x".repeat(65_536) };

it("[B-21] a client that does not read its stream is dropped with little unread, and others are served", async () => {
  const sent: number[] = [];
  const over = Promise.withResolvers<number>();
  const server = await listenOn({ host: "127.0.0.1", port: 0 }, (request, response) => {
    if (request.url === "/other") return void response.end("served");
    void streaming(
      response,
      async (write) => {
        while (await write(message)) sent.push(response.writableLength);
        over.resolve(sent.length);
      },
      300,
    );
  });
  onTestFinished(() => server.close());
  const client = connect(server.port, "127.0.0.1");
  client.on("error", () => undefined);
  client.pause();
  client.write(`GET /live HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
  const closed = once(client, "close");
  const messages = await over.promise;
  // What the system itself keeps for a connection is a few megabytes; we keep one message at most.
  expect(messages).toBeGreaterThan(0);
  expect(messages).toBeLessThan(1_000);
  expect(Math.max(...sent)).toBeLessThan(2 * 65_536);
  expect(await (await fetch(`${server.origin}/other`)).text()).toBe("served");
  client.resume();
  await closed;
});
