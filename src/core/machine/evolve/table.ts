// The shape of evolve: one small function for each kind of event, and none may be missing.
import type { RunEventOf, RunEventType } from "../../contract/index.ts";
import type { At, AgentCall, Pass, Run, Spent } from "../state/index.ts";

type Evolve<T extends RunEventType> = (run: Run, event: RunEventOf<T>, at: At) => Run;
export type EvolveTable<T extends RunEventType> = { readonly [K in T]: Evolve<K> };

export function withCall(run: Run, callId: string, change: (call: AgentCall) => AgentCall): Run {
  return {
    ...run,
    calls: run.calls.map((call) => (call.record.callId === callId ? change(call) : call)),
  };
}

export function withPass(run: Run, number: number, change: Partial<Pass>): Run {
  return {
    ...run,
    passes: run.passes.map((pass) => (pass.number === number ? { ...pass, ...change } : pass)),
  };
}

export function spend(run: Run, { ms, tokens = 0, usd = 0, responses = 0 }: Partial<Spent> & { ms: number }): Run {
  return {
    ...run,
    spent: {
      ms: run.spent.ms + ms,
      tokens: run.spent.tokens + tokens,
      usd: run.spent.usd + usd,
      responses: run.spent.responses + responses,
    },
  };
}

/** The log contradicts itself: this engine did not write it. */
export function impossible(run: Run, what: string): never {
  throw new Error(`The log of ${run.runId} is impossible at event ${run.seq + 1}: ${what}`);
}
