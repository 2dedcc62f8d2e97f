// The callback helper of the sandbox: when it tries again, with which id, and how it tells failures.
import { describe, expect, it } from "vitest";
import { callGateway, type CallbackDeps } from "../../src/gateway/in-sandbox/callback.ts";

const env = {
  PROLIFERATE_GATEWAY_URL: "http://gw/",
  PROLIFERATE_SESSION_ID: "s1",
  SANDBOX_MCP_AUTH_TOKEN: "t",
};
const ok = { success: true, result: "saved" };

function play(steps: readonly (Error | Response)[], given: CallbackDeps["env"] = env) {
  const sent: { url: string; body: unknown }[] = [];
  const waits: number[] = [];
  const limits: number[] = [];
  const deps: CallbackDeps = {
    env: given,
    fetch: async (url, { body }) => {
      const step = steps[Math.min(sent.length, steps.length - 1)];
      sent.push({ url, body: JSON.parse(String(body)) as unknown });
      if (step instanceof Error) throw step;
      return (step as Response).clone();
    },
    sleep: async (ms) => void waits.push(ms),
    limit: (ms) => (limits.push(ms), new AbortController().signal),
  };
  const call = (abort = new AbortController().signal) => callGateway("verify", "m:c", { folder: "x" }, abort, deps);
  return { sent, waits, limits, call };
}
const broken = (message: string, more: object = {}) => Object.assign(new Error(message), more);

describe("the callback helper", () => {
  it.each([
    broken("The socket connection was closed unexpectedly", { code: "ECONNRESET" }),
    broken("Unable to connect", { code: "ConnectionRefused" }),
    broken("connect ECONNREFUSED 127.0.0.1:1", { code: "ECONNREFUSED" }),
    broken("fetch failed", { cause: { code: "ECONNRESET" } }),
    broken("This operation was aborted", { name: "AbortError" }),
    broken("The operation timed out.", { name: "TimeoutError" }),
    new Response("", { status: 503 }),
    new Response("", { status: 425 }),
  ])("[A-18] tries again after %s, with the same id, five times at most", async (trouble) => {
    const { sent, waits, limits, call } = play([trouble]);
    const { success } = await call();
    expect(success).toBe(false);
    expect(sent).toHaveLength(6);
    expect(new Set(sent.map(({ body }) => JSON.stringify(body))).size).toBe(1);
    expect(sent[0]).toEqual({
      url: "http://gw/proliferate/s1/tools/verify",
      body: { tool_call_id: "m:c", args: { folder: "x" } },
    });
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000]);
    expect(limits).toEqual(Array.from({ length: 6 }, () => 120_000));
  });

  it("[A-18] the answer after a reset is the answer", async () => {
    const { sent, call } = play([broken("x", { code: "ECONNRESET" }), Response.json(ok)]);
    expect(await call()).toEqual(ok);
    expect(sent).toHaveLength(2);
  });

  it("waits as long as the gateway asks for", async () => {
    const { waits, call } = play([
      new Response("", { status: 429, headers: { "retry-after": "7" } }),
      Response.json(ok),
    ]);
    await call();
    expect(waits).toEqual([7000]);
  });

  it.each([400, 401, 403, 404, 409, 500])("[A-14] status %i is reported and not tried again", async (status) => {
    const { sent, call } = play([Response.json({ error: "because" }, { status })]);
    const { success, result } = await call();
    expect([success, sent.length]).toEqual([false, 1]);
    expect(result).toContain("because");
  });

  it("[A-14] the agent's own abort and missing variables end as failures", async () => {
    const { sent, call } = play([broken("aborted", { name: "AbortError" })]);
    expect(await call(AbortSignal.abort())).toMatchObject({ success: false });
    expect(sent).toHaveLength(1);
    const bare = play([Response.json(ok)], {});
    expect(await bare.call()).toMatchObject({ success: false });
    expect(bare.sent).toHaveLength(0);
  });
});
