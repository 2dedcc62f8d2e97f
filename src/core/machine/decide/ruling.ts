// A ruling: events, or a refusal with its reason and remedy. A refusal changes nothing.
import type { Failure, FailureCode, Suggestion } from "../../contract/index.ts";
import type { Decision } from "../decision.ts";
import { evolve } from "../evolve/fold.ts";
import type { Run } from "../state/index.ts";

export interface Refusal {
  readonly refusal: Failure;
}

export type Ruling = Decision | Refusal;

export function refuse(
  code: FailureCode,
  message: string,
  remedy?: string,
  ...suggestions: readonly Suggestion[]
): Refusal {
  return {
    refusal: {
      code,
      message,
      ...(remedy === undefined ? {} : { remedy }),
      ...(suggestions.length === 0 ? {} : { suggestions }),
    },
  };
}

export const isRefusal = (ruling: Ruling): ruling is Refusal => "refusal" in ruling;

export function after(run: Run, output: Decision, at: number): Run {
  return output.events.reduce<Run>((state, event) => evolve(state, { seq: state.seq + 1, at, event }), run);
}
