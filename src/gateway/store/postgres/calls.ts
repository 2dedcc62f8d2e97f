// The calls of tools: each step on the ledger, alone or in one transaction with the effect of the call.
import { randomUUID } from "node:crypto";
import type { LeaseOwner } from "../../../core/contract/index.ts";
import type { Connection } from "../../../platform/store/postgres/index.ts";
import type { GatewayStore } from "../port.ts";
import { applyEffect, type Tables } from "./effects.ts";
import { createLedger } from "./ledger.ts";

export function sharedCalls(
  { all, together }: Connection,
  tables: Tables,
  owner: LeaseOwner,
): Pick<GatewayStore, "ended" | "claim" | "settle" | "renew" | "perform" | "invocations"> {
  const ledger = createLedger(tables.schema, owner);
  return {
    ended: (call) => ledger.ended(all, call),
    claim: (call) => {
      const claim = randomUUID();
      return together((one, again) => ledger.claim(one, call, { claim, again }));
    },
    settle: (call, fence, result, state, effects) =>
      together((one, again) => ledger.settle(one, call, { fence, result, state, effects }, again)),
    renew: (call, fence, leaseUntil) => ledger.renew(all, call, fence, leaseUntil),
    perform: (call, effect) => {
      const claim = randomUUID();
      return together(async (one) => {
        // All of it is one transaction: a try whose answer was lost is found ended, and replayed.
        const decision = await ledger.claim(one, call, { claim, again: false });
        if (decision.kind !== "run" && decision.kind !== "take_over") return decision;
        const { result, effects } = await applyEffect(one, tables, call, effect);
        const fence = decision.kind === "run" ? 1 : decision.fence;
        const state = result.success ? "succeeded" : "failed";
        await ledger.settle(one, call, { fence, result, state, effects }, false);
        return { kind: "done", result };
      });
    },
    invocations: (sessionId, limit = 10_000) => ledger.list(all, sessionId, limit),
  };
}
