// Failures: closed codes, whether a caller may try again after each, and the code that a program exits with.
import { type Spell, type Suggestion, spellAdvice } from "./suggestion.ts";

/** Exit codes of `thehood`. The transport has its own table, fixed by its contract. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  badInput: 2,
  approvalRequired: 3,
  providerUnavailable: 4,
  verificationFailed: 5,
  permissionDenied: 6,
  schemaInvalid: 7,
  aborted: 8,
} as const;

export type Retry = "no" | "later" | "after_human";

/** One total table: each failure code with its exit code, its HTTP status and whether trying again can help. */
export const failureTable = {
  invalid_input: { exit: exitCodes.badInput, http: 400, retry: "no" },
  not_found: { exit: exitCodes.badInput, http: 404, retry: "no" },
  not_a_repository: { exit: exitCodes.badInput, http: 400, retry: "no" },
  invalid_config: { exit: exitCodes.badInput, http: 400, retry: "no" },
  conflict: { exit: exitCodes.failure, http: 409, retry: "later" },
  run_busy: { exit: exitCodes.failure, http: 409, retry: "later" },
  illegal_transition: { exit: exitCodes.badInput, http: 409, retry: "no" },
  run_failed: { exit: exitCodes.failure, http: 500, retry: "no" },
  run_aborted: { exit: exitCodes.failure, http: 409, retry: "no" },
  approval_required: { exit: exitCodes.approvalRequired, http: 403, retry: "after_human" },
  provider_unavailable: { exit: exitCodes.providerUnavailable, http: 503, retry: "later" },
  verification_failed: { exit: exitCodes.verificationFailed, http: 422, retry: "no" },
  permission_denied: { exit: exitCodes.permissionDenied, http: 403, retry: "after_human" },
  unsafe_repository: { exit: exitCodes.permissionDenied, http: 403, retry: "after_human" },
  schema_invalid: { exit: exitCodes.schemaInvalid, http: 422, retry: "no" },
  store_corrupt: { exit: exitCodes.failure, http: 500, retry: "no" },
  store_full: { exit: exitCodes.failure, http: 507, retry: "later" },
  store_io: { exit: exitCodes.failure, http: 500, retry: "later" },
  out_of_resources: { exit: exitCodes.failure, http: 503, retry: "later" },
  store_unreachable: { exit: exitCodes.failure, http: 503, retry: "later" },
  store_version: { exit: exitCodes.failure, http: 500, retry: "no" },
  git_failed: { exit: exitCodes.failure, http: 500, retry: "no" },
  // Pages driven in a browser.
  browser_missing: { exit: exitCodes.providerUnavailable, http: 503, retry: "after_human" },
  browser_gone: { exit: exitCodes.providerUnavailable, http: 503, retry: "later" },
  tabs_busy: { exit: exitCodes.providerUnavailable, http: 503, retry: "later" },
  login_required: { exit: exitCodes.providerUnavailable, http: 401, retry: "after_human" },
  challenge_page: { exit: exitCodes.providerUnavailable, http: 503, retry: "after_human" },
  throttled: { exit: exitCodes.providerUnavailable, http: 429, retry: "later" },
  page_blocked: { exit: exitCodes.providerUnavailable, http: 503, retry: "after_human" },
  page_changed: { exit: exitCodes.providerUnavailable, http: 502, retry: "no" },
  page_crashed: { exit: exitCodes.providerUnavailable, http: 502, retry: "later" },
  network_lost: { exit: exitCodes.providerUnavailable, http: 502, retry: "later" },
  model_unavailable: { exit: exitCodes.providerUnavailable, http: 422, retry: "no" },
  attachment_failed: { exit: exitCodes.providerUnavailable, http: 422, retry: "later" },
  prompt_refused: { exit: exitCodes.providerUnavailable, http: 413, retry: "no" },
  send_unproven: { exit: exitCodes.providerUnavailable, http: 502, retry: "after_human" },
  answer_broken: { exit: exitCodes.providerUnavailable, http: 502, retry: "later" },
  timeout: { exit: exitCodes.failure, http: 504, retry: "later" },
  interrupted: { exit: exitCodes.failure, http: 499, retry: "later" },
} as const satisfies Record<string, { exit: number; http: number; retry: Retry }>;

export type FailureCode = keyof typeof failureTable;

/** Trouble of the machine around the work. It says nothing about the work, and it may be gone at the next try. */
const troubles: readonly FailureCode[] = [
  "store_full",
  "store_io",
  "store_corrupt",
  "store_version",
  "out_of_resources",
  "permission_denied",
  "git_failed",
  "run_busy",
  "timeout",
  "interrupted",
];

export const isTrouble = (code: FailureCode): boolean => troubles.includes(code);

/** A failure as data: it is recorded, crosses boundaries, and tells the user the remedy. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly remedy?: string;
  /** The remedy as things to do; a surface spells them behind the remedy's words. */
  readonly suggestions?: readonly Suggestion[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The remedy as a surface tells it. */
export function spellRemedy({ remedy, suggestions = [] }: Failure, spell: Spell): string | undefined {
  return remedy === undefined ? undefined : spellAdvice({ advice: remedy, suggestions }, spell);
}

/** A failure on its way to a surface. Anything else that is thrown is a fault: a bug of ours that shows its stack. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = "FailureError";
    this.failure = failure;
  }
}

export function fail(
  code: FailureCode,
  message: string,
  more: Omit<Failure, "code" | "message"> = {},
): never {
  throw new FailureError({ code, message, ...more });
}
