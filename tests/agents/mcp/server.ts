// `thehood mcp --http` as a process, and a way to it for programs that cannot send a token.
import { spawn } from "node:child_process";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { bin } from "../../cli/program.ts";
import type { Bench } from "../../mcp/client.ts";

export interface Serving extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
}

export async function serveHttp(bench: Bench): Promise<Serving> {
  const child = spawn(process.execPath, [bin, "mcp", "--http"], { cwd: bench.repo.dir, env: bench.env });
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let said = "";
  for await (const chunk of child.stderr as AsyncIterable<Buffer>) {
    said += chunk.toString("utf8");
    if (said.includes("token ")) break;
  }
  return {
    url: /listening on (\S+)/.exec(said)?.[1] ?? "",
    token: /token (\S+)/.exec(said)?.[1] ?? "",
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

/** Passes everything on as it came, Host and Origin too, and adds the token. */
export async function withToken({ url, token }: Serving): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port, pathname } = new URL(url);
  const proxy = createServer((incoming, outgoing) => {
    // The server compares ports too: what names this way names the server behind it, and nothing else is changed.
    const own = `:${(proxy.address() as AddressInfo).port}`;
    const behind = (name: string | undefined) => (name?.endsWith(own) ? `${name.slice(0, -own.length)}:${port}` : name);
    const { host, origin } = incoming.headers;
    const headers = {
      ...incoming.headers,
      host: behind(host),
      ...(origin === undefined ? {} : { origin: behind(origin) }),
      authorization: `Bearer ${token}`,
    };
    const passed = request({ hostname, port, path: incoming.url, method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    passed.on("error", () => outgoing.destroy());
    incoming.pipe(passed);
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      await new Promise<void>((resolve) => proxy.close(() => resolve()));
    },
  };
}
