// Parses a provider's answer: raw text in, a response of the expected contract or a refusal that names the field out.
import { type z } from "zod";
import {
  type ContractName,
  type EnvelopeStatus,
  type PayloadOf,
  envelopeStatuses,
  responseContracts,
  responseSchema,
} from "./contracts.ts";
import { jsonCandidates } from "./extract.ts";
import { type DirectiveAck, ackField, responseLimits } from "./fields.ts";
import { withoutNulls } from "./strict.ts";

/** A response that fulfils its contract. `status` is the worst of the status of envelope and payload. */
export type RoleResponse = { [N in ContractName]: ResponseOf<N> }[ContractName];

interface ResponseOf<N extends ContractName> {
  readonly contract: N;
  readonly status: EnvelopeStatus;
  readonly summary: string;
  /** Complete when `status` of the envelope was `ok`; otherwise only the fields that the role sent. */
  readonly payload: N extends ContractName ? PayloadOf<N> | (Partial<PayloadOf<N>> & { [ackField]: string }) : never;
}

type RefusalReason = "oversize" | "not_json" | "schema" | "ack_missing" | "ack_stale" | "ack_foreign";

/** Why an answer was not accepted. `field` is the dotted path in the answer. */
export interface ResponseRefusal {
  readonly reason: RefusalReason;
  readonly message: string;
  readonly errors: readonly { readonly field: string; readonly message: string }[];
}

export type ReadResponse<N extends ContractName> =
  | { readonly ok: true; readonly response: ResponseOf<N> }
  | { readonly ok: false; readonly refusal: ResponseRefusal };

export function readResponse<N extends ContractName>(name: N, raw: string, ack: DirectiveAck): ReadResponse<N> {
  if (raw.length > responseLimits.rawBytes)
    return refuse("oversize", `the answer is longer than ${responseLimits.rawBytes} characters`);
  const candidates = jsonCandidates(raw);
  const value = candidates.find(looksLikeEnvelope) ?? candidates[0];
  if (value === undefined) return refuse("not_json", "the answer holds no JSON object");
  return readEnvelope(name, withoutNulls(value), ack);
}

function readEnvelope<N extends ContractName>(name: N, value: unknown, ack: DirectiveAck): ReadResponse<N> {
  const status = (value as { status?: unknown }).status;
  if (!isStatus(status))
    return refuse("schema", "status: must be ok, blocked or failed", [
      { field: "status", message: "must be ok, blocked or failed" },
    ]);
  const { key } = responseContracts[name];
  const marker = markerIn(value, key);
  const refusal = judgeAck(marker, ack, `data.${key}.${ackField}`);
  if (refusal) return refusal;
  const parsed = responseSchema(name, status).safeParse(value);
  if (!parsed.success) {
    const errors = issues(parsed.error);
    return refuse("schema", errors.map((error) => `${error.field}: ${error.message}`).join("; "), errors);
  }
  const envelope = parsed.data as { summary: string; data: Record<string, unknown> };
  const payload = envelope.data[key] as ResponseOf<N>["payload"];
  return {
    ok: true,
    response: { contract: name, status: worst(name, status, payload), summary: envelope.summary, payload },
  };
}

function looksLikeEnvelope(value: unknown): boolean {
  return typeof value === "object" && value !== null && "status" in value && "data" in value;
}

function isStatus(value: unknown): value is EnvelopeStatus {
  return envelopeStatuses.some((status) => status === value);
}

function markerIn(value: unknown, key: string): unknown {
  const data = (value as { data?: Record<string, unknown> }).data;
  const payload = typeof data === "object" && data !== null && Object.hasOwn(data, key) ? data[key] : undefined;
  return typeof payload === "object" && payload !== null ? (payload as Record<string, unknown>)[ackField] : undefined;
}

/** The marker is checked before the rest: an answer to another directive is stale even if it is well formed. */
function judgeAck(marker: unknown, ack: DirectiveAck, field: string) {
  if (marker === ack.marker) return undefined;
  if (typeof marker !== "string" || marker === "")
    return refuse("ack_missing", `${field}: missing; the answer must repeat the directive's marker`, [
      { field, message: "missing" },
    ]);
  const stale = marker.startsWith(`${ack.runId}/`);
  const message = stale
    ? "repeats the marker of an earlier directive of this run"
    : "repeats a marker that this run never wrote";
  return refuse(stale ? "ack_stale" : "ack_foreign", `${field}: ${message}`, [{ field, message }]);
}

/** A payload with `failed` inside an `ok` envelope is a failure. */
function worst(name: ContractName, status: EnvelopeStatus, payload: object): EnvelopeStatus {
  const own = name === "implementation_result" && "status" in payload ? payload.status : undefined;
  if (status === "failed" || own === "failed") return "failed";
  if (status === "blocked" || own === "blocked") return "blocked";
  return "ok";
}

function issues(error: z.ZodError): { field: string; message: string }[] {
  return error.issues.slice(0, 20).flatMap((issue) => {
    const at = issue.path.map(String);
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        field: [...at, key].join(".").slice(0, 200),
        message: "is not a field of this contract",
      }));
    return [{ field: at.join(".").slice(0, 200) || "(answer)", message: issue.message.slice(0, 300) }];
  });
}

function refuse(
  reason: RefusalReason,
  message: string,
  errors: ResponseRefusal["errors"] = [],
): { ok: false; refusal: ResponseRefusal } {
  return { ok: false, refusal: { reason, message: message.slice(0, 1_000), errors } };
}
