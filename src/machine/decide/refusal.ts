// A refusal is data: nothing was changed; it holds the reason and the remedy.
import type { Failure, FailureCode, Suggestion } from "../../contract/index.ts";
import type { Output } from "../output.ts";

export interface Refusal {
  readonly refusal: Failure;
}

export type Ruling = Output | Refusal;

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
