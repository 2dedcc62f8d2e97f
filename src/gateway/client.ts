// The client of a running gateway for the commands: its address and token are given, or read from the files it wrote.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fail, FailureError, type FailureCode } from "../core/contract/index.ts";
import { serverEvents } from "../platform/http/index.ts";
import { readKept, type Keychain } from "../platform/keychain/index.ts";
import { once, timers } from "../platform/system/index.ts";

export interface GatewayLocation {
  readonly folder: string;
  /** The address of a gateway on another machine. */
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  /** The keychain of this machine. */
  readonly keychain?: Keychain | undefined;
}

export interface GatewayClient {
  readonly url: string;
  ask(method: string, path: string, body?: object, signal?: AbortSignal): Promise<unknown>;
  /** The session's events, one by one, until the signal fires. A gateway that is away for a short time loses none. */
  events(sessionId: string, after: number, signal: AbortSignal): AsyncGenerator<Record<string, unknown>>;
}

const codeOf: Readonly<Record<number, FailureCode>> = {
  400: "invalid_input",
  401: "permission_denied",
  403: "permission_denied",
  404: "not_found",
  409: "conflict",
  503: "provider_unavailable",
};

const notRunning = (): never =>
  fail("provider_unavailable", "No gateway is running.", {
    remedy: "Start one in another terminal: thehood gateway",
  });

export function gatewayClient({ folder, url: given, token: own, keychain }: GatewayLocation): GatewayClient {
  const running = join(folder, "running.json");
  const urlNow = (): string =>
    given ?? (existsSync(running) ? (JSON.parse(readFileSync(running, "utf8")) as { url: string }).url : notRunning());
  const url = urlNow();
  const token = once(async () => own ?? (await readKept(join(folder, "admin-token"), keychain))?.text ?? notRunning());
  const send = async (path: string, init: RequestInit, at = url): Promise<Response> => {
    const headers = { authorization: `Bearer ${await token()}`, "content-type": "application/json" };
    const answer = await fetch(`${at}${path}`, { ...init, headers }).catch(() => notRunning());
    if (answer.ok) return answer;
    const body = (await answer.json().catch(() => ({}))) as { error?: string; remedy?: string };
    return fail(
      codeOf[answer.status] ?? "run_failed",
      body.error ?? `The gateway answered ${answer.status}.`,
      body.remedy === undefined ? {} : { remedy: body.remedy },
    );
  };
  return {
    url,
    async ask(method, path, body, signal) {
      const more = { ...(body ? { body: JSON.stringify(body) } : {}), ...(signal ? { signal } : {}) };
      const answer = await send(path, { method, ...more });
      return answer.json();
    },
    events: (sessionId, after, signal) =>
      resumed(signal, after, (from) =>
        send(`/api/sessions/${encodeURIComponent(sessionId)}/events?after=${from}`, { signal }, urlNow()),
      ),
  };
}

const awayMs = 60_000;
const againMs = 1_000;

const isLost = (error: unknown): boolean =>
  error instanceof FailureError ? error.failure.code === "provider_unavailable" : error instanceof TypeError;

async function* nothing(): AsyncGenerator<never> {}

/** The events of a stream; a stream that breaks is opened again after its last event, also at a restarted gateway. */
async function* resumed(
  signal: AbortSignal,
  after: number,
  open: (after: number) => Promise<Response>,
): AsyncGenerator<Record<string, unknown>> {
  let last = after;
  let answer: Response | undefined = await open(last);
  for (let awaySince = 0; !signal.aborted; answer = undefined) {
    try {
      answer ??= await open(last);
      awaySince = 0;
      for await (const { data } of serverEvents(answer.body ?? nothing())) {
        const event = JSON.parse(data) as Record<string, unknown>;
        last = Number(event["seq"] ?? last);
        yield event;
      }
    } catch (error) {
      if (!signal.aborted && !isLost(error)) throw error;
    }
    awaySince ||= Date.now();
    if (Date.now() - awaySince > awayMs)
      fail("provider_unavailable", `The gateway ended and did not come back in ${awayMs / 1_000} s.`, {
        remedy: "Start it again: thehood gateway. Its sandboxes and agents go on.",
      });
    await timers.sleep(againMs, signal);
  }
}
