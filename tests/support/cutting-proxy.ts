// A line between a program and its database that can be cut: right away, or after the server has done what it was asked
// and before its answer arrives.
import { connect, createServer, type Socket } from "node:net";

export interface CuttingProxy {
  readonly port: number;
  /** Cuts the answer to each n-th statement that holds this text; 0 cuts none. */
  cutEvery(n: number, text: string): void;
  /** How many answers were cut. */
  cuts(): number;
  /** Cuts every line now, and refuses new ones until `open`. */
  close(): void;
  open(): void;
  remove(): Promise<void>;
}

export async function cuttingProxy(to: number): Promise<CuttingProxy> {
  let [every, seen, cut, closed] = [0, 0, 0, false];
  let wanted = "";
  const lines = new Set<Socket>();
  const server = createServer((client) => {
    if (closed) return void client.destroy();
    const upstream = connect(to, "127.0.0.1");
    let cutting = false;
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      lines.add(one);
      one.on("error", () => undefined);
      one.on("close", () => {
        lines.delete(one);
        other.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (every > 0 && bytes.includes(wanted)) {
        seen += 1;
        cutting = seen % every === 0;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!cutting) return void client.write(bytes);
      cut += 1;
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    cutEvery: (n, text) => void ([every, wanted, seen] = [n, text, 0]),
    cuts: () => cut,
    close: () => {
      closed = true;
      for (const line of lines) line.destroy();
    },
    open: () => void (closed = false),
    remove: async () => {
      for (const line of lines) line.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
