// Runs inside the sandbox, in the agent's runtime (Bun) or in Node: one request to the gateway, retried with the same id until
// the gateway answers. The gateway's ledger makes each retry safe.

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

interface GatewayRequest {
  readonly method: "GET" | "POST";
  /** Below the session. */
  readonly path: string;
  readonly body?: unknown;
}

type GatewayAnswer = { readonly status: number; readonly text: string } | { readonly problem: string };

/** The last answer of the gateway, or why there is none. */
export async function askGateway(
  { method, path, body }: GatewayRequest,
  abort: AbortSignal,
  deps: CallbackDeps,
): Promise<GatewayAnswer> {
  const { PROLIFERATE_GATEWAY_URL: base, PROLIFERATE_SESSION_ID: session, SANDBOX_MCP_AUTH_TOKEN: token } = deps.env;
  if (!base || !session || !token) return { problem: "The gateway's variables are missing in this sandbox." };
  const url = `${base.replace(/\/+$/, "")}/proliferate/${session}/${path}`;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  for (let attempt = 0; ; attempt += 1) {
    const last = attempt >= maxRetries;
    let wait = delayOf(attempt);
    try {
      const signal = AbortSignal.any([abort, deps.limit(attemptMs)]);
      const response = await deps.fetch(url, { method, headers, ...content, signal });
      const { status } = response;
      const text = await response.text();
      if (last || !retried.has(status)) return { status, text };
      wait = Math.max(wait, Number(response.headers.get("retry-after") ?? 0) * 1000);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // Bun names its errors differently: every error that is not the caller's abort is one of transport.
      if (last || abort.aborted) return { problem: `Network error: ${why}` };
    }
    await deps.sleep(wait);
  }
}

/** One callback of a tool. */
export async function callGateway(
  tool: string,
  callId: string,
  args: unknown,
  abort: AbortSignal,
  deps: CallbackDeps,
): Promise<CallbackResult> {
  const body = { tool_call_id: callId, args };
  const answer = await askGateway({ method: "POST", path: `tools/${tool}`, body }, abort, deps);
  if ("problem" in answer) return { success: false, result: answer.problem };
  const { status, text } = answer;
  if (status >= 200 && status < 300) return JSON.parse(text) as CallbackResult;
  return { success: false, result: `Gateway error ${status}: ${text.slice(0, 500)}` };
}
