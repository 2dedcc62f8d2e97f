// Serves on an address until the signal fires. Other machines reach the server only when a person says so.
import { fail } from "../../../../core/contract/index.ts";
import { aborted, isLoopback } from "../../../../platform/http/index.ts";
import { listen } from "./server.ts";

export interface HttpServing {
  readonly host: string;
  readonly port: number;
  /** A person said that other machines may reach it. */
  readonly remote: boolean;
  readonly token: () => string;
  /** Told where the server listens, and with which token. */
  readonly ready: (url: string, token: string) => void;
  readonly signal: AbortSignal;
}

export async function serveHttp(service: Parameters<typeof listen>[0], serving: HttpServing): Promise<void> {
  const { host, port, remote, signal } = serving;
  if (!isLoopback(host) && !remote)
    fail("permission_denied", `${host} is not loopback: other machines could reach the server.`, {
      remedy: "Use 127.0.0.1, or say --allow-remote if that is what you want.",
    });
  const token = serving.token();
  const names = isLoopback(host) ? [] : [host];
  const server = await listen(service, { host, port, guard: { token, names } });
  serving.ready(server.url, token);
  await aborted(signal);
  await server.close();
}
