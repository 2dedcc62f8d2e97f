// Runs inside the sandbox, in the agent's runtime (Bun): one callback to the gateway, retried with the same id until the
// gateway answers. The gateway's ledger makes each retry safe.

export interface CallbackResult {
  readonly success: boolean;
  readonly result: string;
  readonly data?: unknown;
}

export interface CallbackDeps {
  readonly env: Readonly<Record<string, string | undefined>>;
  fetch(url: string, init: RequestInit): Promise<Response>;
  sleep(ms: number): Promise<void>;
  /** A signal that fires at the deadline of one attempt. */
  limit(ms: number): AbortSignal;
}

const attemptMs = 120_000;
const maxRetries = 5;
const firstDelayMs = 500;
/** Statuses of a gateway that is starting, stopping, busy, or still performs the call. */
const retried = new Set([425, 429, 502, 503, 504]);

const delayOf = (attempt: number): number => firstDelayMs * 2 ** attempt;

export async function callGateway(
  tool: string,
  callId: string,
  args: unknown,
  abort: AbortSignal,
  deps: CallbackDeps,
): Promise<CallbackResult> {
  const { PROLIFERATE_GATEWAY_URL: base, PROLIFERATE_SESSION_ID: session, SANDBOX_MCP_AUTH_TOKEN: token } = deps.env;
  if (!base || !session || !token)
    return { success: false, result: "The gateway's variables are missing in this sandbox." };
  const url = `${base.replace(/\/+$/, "")}/proliferate/${session}/tools/${tool}`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const body = JSON.stringify({ tool_call_id: callId, args });
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= maxRetries;
    let wait = delayOf(attempt);
    try {
      const signal = AbortSignal.any([abort, deps.limit(attemptMs)]);
      const response = await deps.fetch(url, { method: "POST", headers, body, signal });
      if (response.ok) return (await response.json()) as CallbackResult;
      const text = (await response.text()).slice(0, 500);
      if (last || !retried.has(response.status))
        return { success: false, result: `Gateway error ${response.status}: ${text}` };
      wait = Math.max(wait, Number(response.headers.get("retry-after") ?? 0) * 1000);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // Bun names its errors differently: every error that is not the caller's abort is one of transport.
      if (last || abort.aborted) return { success: false, result: `Network error: ${why}` };
    }
    await deps.sleep(wait);
  }
}
