// Performs one callback of a sandbox exactly once: claim in the ledger, perform or reconcile, settle, replay.
import { FailureError } from "../../core/contract/index.ts";
import { timers } from "../../platform/system/index.ts";
import { inDoubt, type CallDecision, type FoundEffect, type ToolResult } from "../rules/index.ts";
import type { DirectEffect, NewCall } from "../store/index.ts";
import type { GatewayDeps } from "./deps.ts";

/** The effect of a tool: data of the store, or an outside effect that can be looked up afterwards. */
export type ToolEffect =
  | { readonly kind: "direct"; readonly effect: DirectEffect }
  | {
      readonly kind: "world";
      perform(): Promise<{ readonly result: ToolResult; readonly effects: number }>;
      reconcile(): Promise<FoundEffect>;
    };

export type CallEnd =
  | { readonly kind: "answer"; readonly result: ToolResult; readonly replayed: boolean }
  | { readonly kind: "conflict" }
  /** Another process still performs the call; the caller retries. */
  | { readonly kind: "later" };

const pollMs = 50;

export class Calls {
  readonly #inFlight = new Map<string, { readonly fingerprint: string; readonly end: Promise<CallEnd> }>();
  readonly #deps: GatewayDeps;
  /** Removes secrets from a result before it is stored. */
  readonly #clean: (sessionId: string, result: ToolResult) => ToolResult;
  constructor(deps: GatewayDeps, clean: (sessionId: string, result: ToolResult) => ToolResult) {
    this.#deps = deps;
    this.#clean = clean;
  }

  /** Duplicates in this process share one execution; those of other processes meet in the ledger. */
  call(call: Omit<NewCall, "now" | "leaseUntil">, effect: () => ToolEffect): Promise<CallEnd> {
    const key = `${call.sessionId}\n${call.callId}`;
    const fingerprint = `${call.tool}\n${call.argsHash}`;
    const known = this.#inFlight.get(key);
    if (known?.fingerprint === fingerprint)
      return known.end.then((end) => (end.kind === "answer" ? { ...end, replayed: true } : end));
    const end = this.#run(call, effect);
    if (known) return end;
    this.#inFlight.set(key, { fingerprint, end });
    const forget = () => void this.#inFlight.delete(key);
    end.then(forget, forget);
    return end;
  }

  #stamped(call: Omit<NewCall, "now" | "leaseUntil">): NewCall {
    const now = this.#deps.clock.now();
    return { ...call, now, leaseUntil: now + this.#deps.limits.leaseMs };
  }

  async #run(requested: Omit<NewCall, "now" | "leaseUntil">, effect: () => ToolEffect): Promise<CallEnd> {
    const { store, clock, limits } = this.#deps;
    const until = clock.now() + limits.waitMs;
    for (;;) {
      const over = await store.ended(requested);
      if (over?.kind === "replay") return { kind: "answer", result: over.result, replayed: true };
      if (over?.kind === "conflict") return { kind: "conflict" };
      const call = this.#stamped(requested);
      const todo = effect();
      const decision = todo.kind === "direct" ? await store.perform(call, todo.effect) : await store.claim(call);
      if (decision.kind === "done") return { kind: "answer", result: decision.result, replayed: false };
      if (decision.kind === "replay") return { kind: "answer", result: decision.result, replayed: true };
      if (decision.kind === "conflict") return { kind: "conflict" };
      if (decision.kind !== "wait" && todo.kind === "world") {
        const result = await this.#execute(call, decision, todo);
        if (result) return { kind: "answer", result, replayed: false };
      } else if (clock.now() >= until) return { kind: "later" };
      await timers.sleep(pollMs);
    }
  }

  /** Undefined if another process took the call over meanwhile: then its result counts. */
  async #execute(
    call: NewCall,
    decision: Extract<CallDecision, { kind: "run" | "take_over" }>,
    effect: Extract<ToolEffect, { kind: "world" }>,
  ): Promise<ToolResult | undefined> {
    const { store, clock, limits } = this.#deps;
    const fence = decision.kind === "run" ? 1 : decision.fence;
    const settle = async (result: ToolResult, state: "succeeded" | "failed" | "in_doubt", effects: number) =>
      (await store.settle({ ...call, now: clock.now() }, fence, result, state, effects)) ? result : undefined;
    const stopRenewing = timers.every(limits.leaseMs / 3, () => {
      store.renew(call, fence, clock.now() + limits.leaseMs).catch((error: unknown) => this.#fault(call, error));
    });
    try {
      if (decision.kind === "take_over") {
        const found = await effect.reconcile();
        if (found.kind === "done") return await settle(found.result, "succeeded", 1);
        if (found.kind === "unknown") return await settle(inDoubt(call.tool), "in_doubt", 0);
      }
      const done = await effect.perform().catch((error: unknown) => this.#failed(call, error));
      const { effects } = done;
      const result = this.#clean(call.sessionId, done.result);
      return await settle(result, result.success ? "succeeded" : "failed", effects);
    } finally {
      stopRenewing();
    }
  }

  #failed(call: NewCall, error: unknown): { result: ToolResult; effects: number } {
    if (!(error instanceof FailureError)) this.#fault(call, error);
    const why = error instanceof FailureError ? error.message : "an internal error; the gateway's log has the details";
    return { result: { success: false, result: `${call.tool} failed: ${why}` }, effects: 0 };
  }

  #fault({ sessionId, callId, tool }: NewCall, error: unknown): void {
    const stack = error instanceof Error ? error.stack : String(error);
    this.#deps.log({ level: "error", sessionId, toolCallId: callId, toolName: tool, stack });
  }
}
