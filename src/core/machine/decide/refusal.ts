// A refusal is data: nothing was changed; it holds the reason and the remedy.
import type { Failure, FailureCode, Suggestion } from "../../contract/index.ts";
import type { Decision } from "../decision.ts";

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
