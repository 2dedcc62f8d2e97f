// A call as the engine would send it, for tests that ask a provider themselves.
import { type AskedRole, type ProviderCall, contractOfRole, makeAck } from "../../src/core/contract/index.ts";

export function providerCall(role: AskedRole, more: Partial<ProviderCall> = {}): ProviderCall {
  return {
    callId: "call_000001",
    runId: "run_000001",
    role,
    purpose: "loop",
    ordinal: 1,
    model: "default",
    contract: contractOfRole[role],
    ack: makeAck("run_000001", "nonce0001"),
    prompt: "do it",
    directive: {},
    workspace: { mode: "none", dir: null },
    timeoutMs: 20_000,
    maxAnswerBytes: 1_000_000,
    options: undefined,
    ...more,
  };
}
