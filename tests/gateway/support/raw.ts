// Requests as bytes on a socket, so that headers can be doubled and bodies can be slow.
import { connect } from "node:net";

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string;
  /** One byte of the body a second. */
  readonly slow?: boolean;
  /** Hangs up this many milliseconds after the body was sent. */
  readonly hangUpAfterMs?: number;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function send(port: number, request: RawRequest): Promise<RawAnswer | undefined> {
  const body = request.body ?? "";
  const lines = [
    `${request.method} ${request.path} HTTP/1.1`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
    ...(request.method === "GET" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    "Connection: close",
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    let text = "";
    let timer: NodeJS.Timeout | undefined;
    socket.setEncoding("utf8");
    socket.on("connect", () => {
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      if (request.slow) {
        let at = 0;
        timer = setInterval(() => socket.write(body[at++] ?? ""), 1000);
      } else socket.write(body);
      if (request.hangUpAfterMs !== undefined)
        setTimeout(() => {
          socket.destroy();
          resolve(undefined);
        }, request.hangUpAfterMs);
    });
    socket.on("data", (chunk: string) => (text += chunk));
    socket.on("error", (error) => {
      clearInterval(timer);
      if (text === "") reject(error);
    });
    socket.on("close", () => {
      clearInterval(timer);
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const [first = "", ...named] = head.split("\r\n");
      const headers = Object.fromEntries(
        named.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      resolve({ status: Number(first.split(" ")[1] ?? 0), headers, body: rest.join("\r\n\r\n") });
    });
  });
}
