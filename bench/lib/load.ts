// A crowd of connections that each ask again as soon as they are answered, on plain sockets: the crowd is not measured.
import { connect } from "node:net";

export interface Load {
  readonly count: number;
  readonly perSecond: number;
  readonly p99: number;
  readonly wrong: number;
}

export async function load(
  url: string,
  connections: number,
  ms: number,
  request: () => { readonly path: string; readonly token: string; readonly body: string },
): Promise<Load> {
  const { hostname, port, host } = new URL(url);
  const taken: number[] = [];
  let wrong = 0;
  const until = performance.now() + ms;
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), hostname);
      let held = "";
      let sent = 0;
      const send = () => {
        if (performance.now() > until) {
          socket.end();
          return resolve();
        }
        const { path, token, body } = request();
        sent = performance.now();
        socket.write(
          `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
        );
      };
      socket.setNoDelay(true);
      socket.setEncoding("latin1");
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (chunk: string) => {
        held += chunk;
        const head = held.indexOf("\r\n\r\n");
        if (head < 0) return;
        const length = Number(/content-length: (\d+)/i.exec(held)?.[1] ?? 0);
        if (held.length < head + 4 + length) return;
        if (!held.startsWith("HTTP/1.1 200") || !held.includes('"success":true')) wrong += 1;
        held = "";
        taken.push(performance.now() - sent);
        send();
      });
    });
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, one));
  const seconds = (performance.now() - began) / 1000;
  const sorted = taken.sort((a, b) => a - b);
  return {
    count: taken.length,
    perSecond: taken.length / seconds,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    wrong,
  };
}
