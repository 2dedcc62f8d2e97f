// Failures: the closed set of codes with retry, exit code and HTTP status of each, and the error class that carries one.
import { type Spell, type Suggestion, spellAdvice } from "./suggestion.ts";

/** Exit codes of `thehood`. The transport has its own table in its contract. */
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
  doubts: 9,
} as const;

export type Retry = "no" | "later" | "after_human";

/**
 * Each failure code with its exit code, its HTTP status, whether a retry can help, and whether it is trouble of the machine.
 * Trouble does not depend on the work, and a retry may not meet it again.
 */
export const failureTable = {
  invalid_input: { exit: exitCodes.badInput, http: 400, retry: "no", trouble: false },
  not_found: { exit: exitCodes.badInput, http: 404, retry: "no", trouble: false },
  not_a_repository: { exit: exitCodes.badInput, http: 400, retry: "no", trouble: false },
  invalid_config: { exit: exitCodes.badInput, http: 400, retry: "no", trouble: false },
  conflict: { exit: exitCodes.failure, http: 409, retry: "later", trouble: false },
  run_busy: { exit: exitCodes.failure, http: 409, retry: "later", trouble: true },
  illegal_transition: { exit: exitCodes.badInput, http: 409, retry: "no", trouble: false },
  run_failed: { exit: exitCodes.failure, http: 500, retry: "no", trouble: false },
  run_aborted: { exit: exitCodes.failure, http: 409, retry: "no", trouble: false },
  approval_required: { exit: exitCodes.approvalRequired, http: 403, retry: "after_human", trouble: false },
  provider_unavailable: { exit: exitCodes.providerUnavailable, http: 503, retry: "later", trouble: false },
  verification_failed: { exit: exitCodes.verificationFailed, http: 422, retry: "no", trouble: false },
  permission_denied: { exit: exitCodes.permissionDenied, http: 403, retry: "after_human", trouble: true },
  unsafe_repository: { exit: exitCodes.permissionDenied, http: 403, retry: "after_human", trouble: false },
  schema_invalid: { exit: exitCodes.schemaInvalid, http: 422, retry: "no", trouble: false },
  store_corrupt: { exit: exitCodes.failure, http: 500, retry: "no", trouble: true },
  store_full: { exit: exitCodes.failure, http: 507, retry: "later", trouble: true },
  store_io: { exit: exitCodes.failure, http: 500, retry: "later", trouble: true },
  out_of_resources: { exit: exitCodes.failure, http: 503, retry: "later", trouble: true },
  store_unreachable: { exit: exitCodes.failure, http: 503, retry: "later", trouble: true },
  store_version: { exit: exitCodes.failure, http: 500, retry: "no", trouble: true },
  git_failed: { exit: exitCodes.failure, http: 500, retry: "no", trouble: true },
  // Pages driven in a browser.
  browser_missing: { exit: exitCodes.providerUnavailable, http: 503, retry: "after_human", trouble: false },
  browser_gone: { exit: exitCodes.providerUnavailable, http: 503, retry: "later", trouble: false },
  tabs_busy: { exit: exitCodes.providerUnavailable, http: 503, retry: "later", trouble: false },
  login_required: { exit: exitCodes.providerUnavailable, http: 401, retry: "after_human", trouble: false },
  challenge_page: { exit: exitCodes.providerUnavailable, http: 503, retry: "after_human", trouble: false },
  throttled: { exit: exitCodes.providerUnavailable, http: 429, retry: "later", trouble: false },
  page_blocked: { exit: exitCodes.providerUnavailable, http: 503, retry: "after_human", trouble: false },
  page_changed: { exit: exitCodes.providerUnavailable, http: 502, retry: "no", trouble: false },
  page_crashed: { exit: exitCodes.providerUnavailable, http: 502, retry: "later", trouble: false },
  network_lost: { exit: exitCodes.providerUnavailable, http: 502, retry: "later", trouble: false },
  model_unavailable: { exit: exitCodes.providerUnavailable, http: 422, retry: "no", trouble: false },
  attachment_failed: { exit: exitCodes.providerUnavailable, http: 422, retry: "later", trouble: false },
  prompt_refused: { exit: exitCodes.providerUnavailable, http: 413, retry: "no", trouble: false },
  send_unproven: { exit: exitCodes.providerUnavailable, http: 502, retry: "after_human", trouble: false },
  answer_broken: { exit: exitCodes.providerUnavailable, http: 502, retry: "later", trouble: false },
  timeout: { exit: exitCodes.failure, http: 504, retry: "later", trouble: true },
  interrupted: { exit: exitCodes.failure, http: 499, retry: "later", trouble: true },
} as const satisfies Record<string, { exit: number; http: number; retry: Retry; trouble: boolean }>;

export type FailureCode = keyof typeof failureTable;

export const isTrouble = (code: FailureCode): boolean => failureTable[code].trouble;

/** A failure as data: it can be recorded and serialized, and it names the remedy. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly remedy?: string;
  /** The remedy as actions; a surface appends them to the remedy's text. */
  readonly suggestions?: readonly Suggestion[];
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The remedy as a surface shows it. */
export function spellRemedy({ remedy, suggestions = [] }: Failure, spell: Spell): string | undefined {
  return remedy === undefined ? undefined : spellAdvice({ advice: remedy, suggestions }, spell);
}

/** Carries a failure to a surface. Any other thrown value is a bug of this program and is shown with its stack. */
export class FailureError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.name = "FailureError";
    this.failure = failure;
  }
}

export function fail(code: FailureCode, message: string, more: Omit<Failure, "code" | "message"> = {}): never {
  throw new FailureError({ code, message, ...more });
}

/** Trouble of the machine that may be over later: a full disk, a database that is away. */
export const isPassing = (error: unknown): error is FailureError =>
  error instanceof FailureError && isTrouble(error.failure.code) && failureTable[error.failure.code].retry === "later";
