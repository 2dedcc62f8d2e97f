// Asks a server on this machine which models it serves, in less than a second.
import { z } from "zod";
import { FailureError, fail } from "../../../core/contract/index.ts";
import { exchange, readJsonBody } from "../exchange.ts";
import { openDoor } from "../http.ts";
import { realPace } from "../retry.ts";
import { headersOf } from "./key.ts";
import type { Endpoint } from "./provider.ts";

const listed = z.object({ data: z.array(z.object({ id: z.string().max(300) })).max(10_000) });

/** Empty when the server tells no list; fails when no server answers. */
export async function modelsAt(
  { address, keyName, form }: Endpoint,
  key: string | undefined,
  withinMs: number,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const door = openDoor({}, { loopback: true });
  const stop = new AbortController();
  const end = () => stop.abort();
  const timer = setTimeout(end, withinMs);
  signal?.addEventListener("abort", end, { once: true });
  try {
    const reply = await exchange(
      {
        door,
        pace: realPace,
        baseUrl: address.baseUrl,
        headers: headersOf({ form }, key),
        key,
        keyName: keyName ?? "the key",
        model: "",
        loopback: true,
      },
      {
        method: "GET",
        path: form === "anthropic" ? "/v1/models" : "/models",
        signal: stop.signal,
        idleMs: withinMs,
        longestPause: () => 0,
        log: () => undefined,
        accept: [400, 404, 405, 501],
      },
    );
    const parsed = listed.safeParse(reply.status < 300 ? await readJsonBody(reply) : {});
    return parsed.success ? parsed.data.data.map(({ id }) => id) : [];
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === "interrupted")
      return fail("provider_unavailable", `${address.host} did not answer within ${withinMs} ms.`, {
        remedy: "Look whether the model server is well.",
      });
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", end);
    door.close();
  }
}
