// The meaning of a provider's refusal for the user, in one sentence and with the next step.
import { FailureError, fail } from "../../core/contract/index.ts";

interface Refusal {
  readonly status: number;
  readonly code: string | null;
  readonly message: string;
  /** Where the server wants the request to go instead. */
  readonly elsewhere?: string | undefined;
  /** How long the server wants to be left alone, when that is longer than we wait. */
  readonly waitMs?: number;
  /** When its limit is over, in milliseconds since 1970. */
  readonly limitedUntil?: number | undefined;
  /** The body as it came, or the start of it. */
  readonly said?: string;
}

/** Marks what may be over in a minute: no network, a server that is down or busy. */
export const passing = { passing: true } as const;

export const isTemporary = (error: unknown) =>
  error instanceof FailureError && error.failure.details?.["passing"] === true;

const cut = (text: string) => (text.length > 600 ? `${text.slice(0, 600)} …` : text);

const textIn = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Reads `{"error":{"code","type","message"}}`, the form that OpenAI, Anthropic and their imitators share. */
export function errorIn(value: unknown): { code: string | null; message: string } | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { error, detail } = value as Record<string, unknown>;
  const plain = textIn(error) ?? textIn(detail);
  if (plain !== undefined) return { code: null, message: cut(plain) };
  if (typeof error !== "object" || error === null) return undefined;
  const { code, type, message } = error as Record<string, unknown>;
  return {
    code: textIn(code) ?? textIn(type) ?? null,
    message: cut(textIn(message) ?? JSON.stringify(error)),
  };
}

export function readRefusal(status: number, body: string): Refusal {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = errorIn(parsed) ?? errorIn({ error: parsed });
    if (error) return { status, ...error, said: body.slice(0, 8_000) };
  } catch {
    // Not JSON: most likely a proxy's page, so its text is the message.
  }
  return { status, code: null, message: cut(body.trim() || "no message") };
}

/** Codes of an account that has nothing left: waiting does not bring it back. */
const spent = new Set(["insufficient_quota", "billing_hard_limit_reached"]);
const noCredit = "The account has no credit left for this model.";

/** A server can also say in an answer that it failed. */
export function modelFailed(code: string | null, message: string): never {
  const unknownKey = /^(?:invalid_api_key|authentication_error|permission_error)$/.test(code ?? "");
  return fail("provider_unavailable", `The model ended with an error${code ? ` (${code})` : ""}: ${message}`, {
    remedy:
      code !== null && spent.has(code)
        ? noCredit
        : unknownKey
          ? "Check the key and what it may use."
          : "Try again; if it stays, try another model.",
  });
}

/** A key that a server echoes must not reach a log or a terminal. */
export const withoutKey = (text: string, key: string | undefined) =>
  key === undefined || key.length < 8 ? text : text.replaceAll(key, "***REDACTED***");

const spanOf = (ms: number) => {
  const minutes = Math.ceil(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  if (hours <= 72) return `${hours} hours`;
  return hours < 24 * 365 ? `${Math.ceil(hours / 24)} days` : "more than a year";
};

interface Refused {
  readonly host: string;
  readonly model: string;
  readonly keyName: string;
  readonly mayHaveBegun: boolean;
}

export function refuseReply(refusal: Refusal, about: Refused): never {
  const details = { mayHaveBegun: about.mayHaveBegun };
  const message = `${about.host} answered ${refusal.status}${refusal.code ? ` (${refusal.code})` : ""}: ${refusal.message}`;
  const { status, code, elsewhere } = refusal;
  if (status >= 300 && status < 400)
    return fail("provider_unavailable", `${about.host} answered ${status}, a redirect to ${elsewhere ?? "nowhere"}.`, {
      remedy: "A key is never carried to another address. If you trust it, name it as the base URL.",
      details,
    });
  if (status === 401 || status === 403)
    return fail("provider_unavailable", message, {
      remedy: `Check ${about.keyName} and what the key may use.`,
      details,
    });
  if (code === "model_not_found" || (status === 404 && /model/i.test(refusal.message)))
    return fail("invalid_input", message, {
      remedy: `Choose another model; this was ${about.model}.`,
      details,
    });
  if (code === "context_length_exceeded" || status === 413 || /prompt is too long/i.test(refusal.message))
    return fail("invalid_input", message, {
      remedy: "Send fewer or smaller files (oracle --files-report shows the largest), or take a model with more room.",
      details,
    });
  if (code !== null && spent.has(code)) return fail("provider_unavailable", message, { remedy: noCredit, details });
  if (status >= 400 && status < 500 && status !== 429 && status !== 408)
    return fail("invalid_input", message, {
      remedy: "The request was not accepted; nothing was charged.",
      details,
    });
  return fail("provider_unavailable", message, {
    remedy:
      refusal.waitMs === undefined
        ? "Try again later."
        : `Try again in ${spanOf(refusal.waitMs)}; the server asks for it.`,
    details: {
      ...passing,
      ...details,
      ...(refusal.limitedUntil === undefined ? {} : { limitedUntil: refusal.limitedUntil }),
    },
  });
}
