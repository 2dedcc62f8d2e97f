// The calls of tools: each step on the ledger, alone or in one transaction with the effect of the call.
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { GatewayStore } from "../port.ts";
import { applyEffect, type Tables } from "./effects.ts";
import type { Steps } from "./group-commit.ts";
import { createLedger } from "./ledger.ts";

export function localCalls(
  { database, atOnce, commit }: Steps,
  tables: Tables,
  owner: LeaseOwner,
): Pick<GatewayStore, "ended" | "claim" | "settle" | "renew" | "perform" | "invocations"> {
  const ledger = createLedger(database, owner);
  return {
    ended: (call) => atOnce(() => ledger.ended(call)),
    claim: (call) => commit(() => ledger.claim(call)),
    settle: (...words) => commit(() => ledger.settle(...words)),
    renew: (...words) => commit(() => ledger.renew(...words)),
    perform: (call, effect) =>
      commit(() => {
        const decision = ledger.claim(call);
        if (decision.kind !== "run" && decision.kind !== "take_over") return decision;
        const { result, effects } = applyEffect(tables, call, effect);
        const fence = decision.kind === "run" ? 1 : decision.fence;
        ledger.settle(call, fence, result, result.success ? "succeeded" : "failed", effects);
        return { kind: "done", result };
      }),
    invocations: (sessionId, limit = 10_000) => atOnce(() => ledger.list(sessionId, limit)),
  };
}
