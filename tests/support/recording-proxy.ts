// A server in front of another one: it keeps each request with the bytes of its body, and hands both on unchanged.
import { createServer, request as ask } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

export async function recordRequests(target: string): Promise<{ readonly url: string; readonly seen: Recorded[] }> {
  const seen: Recorded[] = [];
  const server = createServer((given, response) => {
    const chunks: Buffer[] = [];
    given.on("data", (chunk: Buffer) => chunks.push(chunk));
    given.on("end", () => {
      const { method = "", url: path = "", headers } = given;
      const body = Buffer.concat(chunks);
      seen.push({ method, path, body: body.toString("utf8") });
      const onward = ask(
        `${target}${path}`,
        { method, headers: { ...headers, host: new URL(target).host } },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on("error", () => response.destroy());
      response.on("close", () => onward.destroy());
      onward.end(body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
    });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}
