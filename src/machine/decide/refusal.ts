// A refusal is data: nothing was changed, and here is why and what to do.
import type { Failure, FailureCode } from "../../contract/index.ts";
import type { Output } from "../output.ts";

export interface Refusal {
  readonly refusal: Failure;
}

export type Ruling = Output | Refusal;

export function refuse(code: FailureCode, message: string, remedy?: string): Refusal {
  return { refusal: remedy === undefined ? { code, message } : { code, message, remedy } };
}

export const isRefusal = (ruling: Ruling): ruling is Refusal => "refusal" in ruling;
