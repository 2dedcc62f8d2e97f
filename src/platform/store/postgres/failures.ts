// The errors of a database server, as failures with a remedy. An address is printed without its password.
import { FailureError, type Failure } from "../../../core/contract/index.ts";

interface ServerError extends Error {
  readonly code?: string;
}

/** The connection broke or the server stopped: whether the last statement was committed is unknown. */
const lineCodes = new Set(["57P01", "57P02", "57P03", "08000", "08003", "08006", "08001", "08004", "53300"]);
const systemCodes = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/;
const lineWords = /terminated|timeout|timed out|not queryable|Client was closed|socket|ended by/i;

export function isLineLost(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof FailureError) return false;
  const { code = "" } = error as ServerError;
  if (error instanceof AggregateError) return error.errors.some(isLineLost);
  return lineCodes.has(code) || systemCodes.test(code) || (code === "" && lineWords.test(error.message));
}

/** Two transactions met; the database undid ours, and it may simply be done again. */
export function isUndone(error: unknown): boolean {
  return error instanceof Error && ["40001", "40P01"].includes((error as ServerError).code ?? "");
}

/** The address as people may read it. */
export function shownUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return "the configured address";
  return `${parsed.protocol}//${parsed.host}${parsed.pathname}`;
}

const whereToSet =
  "The address is THEHOOD_DATABASE_URL, or store.url in the user's configuration (`thehood config get store.url`).";

interface Row {
  readonly code: Failure["code"];
  readonly message: string;
  readonly remedy: string;
}

const byState: Readonly<Record<string, Row>> = {
  "28P01": {
    code: "permission_denied",
    message: "refuses the user or the password",
    remedy: `Check user and password. ${whereToSet}`,
  },
  "28000": {
    code: "permission_denied",
    message: "does not let this user in",
    remedy: `Check the user and the server's pg_hba.conf. ${whereToSet}`,
  },
  "3D000": {
    code: "invalid_config",
    message: "has no such database",
    remedy: `Create it (createdb), or name another. ${whereToSet}`,
  },
  "42501": {
    code: "permission_denied",
    message: "does not give this user the rights that the store needs",
    remedy:
      "Let an owner of the database run `thehood status` once with the same team, then grant USAGE on the team's schema, SELECT and INSERT on its tables, UPDATE on runs, leases and counts, and EXECUTE on its functions. Only the owner, or a role with EXECUTE on remove_runs, archives and deletes runs.",
  },
  "55006": {
    code: "run_busy",
    message: "removes no run that is not over, is being worked on or has changed meanwhile; nothing was removed",
    remedy: "End the run first (thehood abort RUN), or wait until its worker has left it.",
  },
  "25006": {
    code: "permission_denied",
    message: "is a replica that can only be read",
    remedy: `Use the address of the primary server. ${whereToSet}`,
  },
  "53100": {
    code: "store_full",
    message: "has no room left; nothing of this step was stored",
    remedy: "Free space on the database server and run the command again; everything stored before is intact.",
  },
  "22021": {
    code: "invalid_input",
    message: "cannot hold a character of this text",
    remedy: "Take the NUL character out of the goal.",
  },
};

export function asServerFailure(error: unknown, url: string): Failure | undefined {
  if (error instanceof FailureError) return error.failure;
  if (!(error instanceof Error)) return undefined;
  const where = `The database at ${shownUrl(url)}`;
  const { code = "" } = error as ServerError;
  const row = byState[code];
  const details = { server: code, text: error.message };
  if (row) return { code: row.code, message: `${where} ${row.message}.`, remedy: row.remedy, details };
  if (/SSL|TLS|certificate/i.test(error.message) && !isLineLost(error))
    return {
      code: "permission_denied",
      message: `${where} and this program cannot agree on TLS: ${error.message}.`,
      remedy: `Set sslmode in the address (require, verify-full, or disable for a server without TLS). ${whereToSet}`,
      details,
    };
  if (isLineLost(error))
    return {
      code: "store_unreachable",
      message: `${where} cannot be reached: ${error.message || code}.`,
      remedy: `Check that the server runs and that this machine reaches it; then run the command again, it goes on from what was stored. ${whereToSet}`,
      details,
    };
  return undefined;
}
