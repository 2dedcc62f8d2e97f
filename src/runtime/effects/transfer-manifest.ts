// Writes a list of the bytes that would leave this machine, with receiver and reason, before any of them leaves.
import {
  type AllowedDestination,
  type EvidenceAttachment,
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  type TransferRisk,
  FailureError,
  parseJson,
} from "../../core/contract/index.ts";
import { placeOf } from "../../core/machine/policy/index.ts";
import { marker } from "../../core/secrets/index.ts";
import { sha256 } from "../../platform/store/index.ts";
import type { EffectDeps } from "./deps.ts";

type ManifestEffect = EffectOf<"write_transfer_manifest">;

const previewChars = 4_000;
const readable =
  "lines of text files of this checkout, its list of files and its difference to the last commit; no dependencies, build output, .git, .thehood or credential files, and no file in which something looks like a secret; each look is recorded";

interface Part {
  readonly source: EvidenceAttachment;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly truncated: boolean;
  /** Secrets that are in the bytes. */
  readonly found: { readonly taken: number; readonly kinds: readonly string[] };
  /** Secrets that were replaced before. */
  readonly replaced: number;
}

/** The destination of a manifest as the user allows it now; undefined when it is not allowed, or cannot be read. */
async function allowedNow(deps: EffectDeps, provider: string, place: string): Promise<AllowedDestination | undefined> {
  try {
    const list = (await deps.destinations?.()) ?? [];
    return list.findLast((one) => one.provider === provider && one.place === place);
  } catch (error) {
    if (error instanceof FailureError) return undefined;
    throw error;
  }
}

export async function writeTransferManifest(
  deps: EffectDeps,
  effect: EffectOf<"write_transfer_manifest">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { call, purpose, phrase } = effect;
  const parts = await Promise.all(effect.sources.map((source) => partOf(deps, source)));
  const mayRead = call.workspace === "none" ? undefined : call.assignment.reads;
  const { risk, reasons } = riskOf(effect, parts, mayRead !== undefined);
  const message = joined(parts);
  const totalBytes = message.length;
  const contentSha256 = sha256(message);
  const { provider, model, identity } = call.assignment;
  const place = placeOf(call.assignment);
  const destination = { provider, model, place };
  const allowed = await allowedNow(deps, provider, place);
  const manifest = {
    kind: "external_transfer_manifest",
    runId: context.runId,
    callId: call.callId,
    destination: { ...destination, identity },
    role: call.role,
    purpose,
    approvalPhrase: phrase,
    artifacts: parts.map(({ source, bytes, text, truncated, found, replaced }) => ({
      name: source.name,
      kind: source.ref.kind,
      ref: source.ref.ref,
      summary: source.ref.summary,
      byteLength: bytes.length,
      truncated,
      sha256: sha256(bytes),
      secretPatternHits: found.taken + replaced,
      holds: evidenceIn(text),
    })),
    totalBytes,
    contentSha256,
    ...(mayRead ? { mayRead: { ...mayRead, what: readable } } : {}),
    ...(allowed ? { allowed } : {}),
    risk: { class: risk, reasons },
    redaction: { status: "applied", replaced: replacedIn(effect, parts) },
    preview: previewOf(deps, message),
  };
  const summary = `${totalBytes} bytes of ${purpose} to ${provider}:${model}, ${risk}`;
  // Stored as it is: its preview is cut from the bytes of the message, and the message has lost its secrets before.
  const ref = await deps.artifacts.put(`${JSON.stringify(manifest, null, 2)}\n`, {
    kind: "transfer_manifest",
    mediaType: "application/json",
    summary,
  });
  const read = mayRead ? { mayRead } : {};
  const known = allowed ? { allowed } : {};
  const about = { destination, purpose, contentSha256, totalBytes, ...read, ...known };
  return {
    kind: "write_transfer_manifest",
    manifest: { manifest: ref, ...about, risk, riskReasons: reasons, phrase },
  };
}

/** The beginning of the very bytes of the message. It ends before a secret that is still in them, and cuts no character. */
function previewOf({ text }: EffectDeps, message: Uint8Array) {
  const whole = text.decode(message);
  const clean = text.redact(whole);
  let end = Math.min(whole.length, previewChars);
  if (clean !== whole) for (let at = 0; at < end; at += 1) if (clean[at] !== whole[at]) end = at;
  if (!whole.slice(0, end).isWellFormed()) end -= 1;
  return { maxChars: previewChars, content: whole.slice(0, end), truncated: end < whole.length };
}

/** The very bytes that would be sent: exactly the approved bytes leave. */
async function partOf(deps: EffectDeps, source: EvidenceAttachment): Promise<Part> {
  const { bytes, total } = await deps.artifacts.slice(source.ref.ref, 0, source.maxBytes);
  const text = deps.text.decode(bytes);
  const { taken, kinds } = deps.text.withoutSecrets(text);
  // Secrets that were taken out when the artifact was recorded count as well: their source is still secret.
  const replaced = text.split(marker).length - 1;
  return { source, bytes, text, truncated: bytes.length < total, found: { taken, kinds }, replaced };
}

function joined(parts: readonly Part[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes.length, 0));
  let at = 0;
  for (const { bytes } of parts) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}

const replacedIn = ({ redactions }: ManifestEffect, parts: readonly Part[]): number =>
  Math.max(
    redactions,
    parts.reduce((sum, { replaced }) => sum + replaced, 0),
  );

/** The recorded evidence that a directive carries, so that a person can see it in the list. */
function evidenceIn(text: string): { name: string; ref: string; truncated: boolean }[] {
  const value = parseJson(text);
  const list: unknown = typeof value === "object" && value !== null && "evidence" in value ? value.evidence : [];
  return Array.isArray(list)
    ? list.map((one: { name?: unknown; ref?: unknown; truncated?: unknown }) => ({
        name: String(one.name),
        ref: String(one.ref),
        truncated: one.truncated === true,
      }))
    : [];
}

/** Each kind of secret by name: what is sent although it looks like one, and what was replaced in the message. */
function secretReasons(effect: ManifestEffect, parts: readonly Part[]): string[] {
  const sent = parts.reduce((sum, { found }) => sum + found.taken, 0);
  const kinds = [...new Set(parts.flatMap(({ found }) => found.kinds))];
  const replaced = replacedIn(effect, parts);
  const known = effect.secretKinds?.length ? ` (${effect.secretKinds.join(", ")})` : "";
  return [
    ...(sent > 0
      ? [`places in the message that look like secrets and WOULD BE SENT: ${sent} (${kinds.join(", ")})`]
      : []),
    ...(replaced > 0
      ? [
          `places that looked like secrets, replaced by ${marker} in the message: ${replaced}${known}; still a reason to look`,
        ]
      : []),
  ];
}

function riskOf(
  effect: ManifestEffect,
  parts: readonly Part[],
  reads: boolean,
): { risk: TransferRisk; reasons: string[] } {
  const secrets = secretReasons(effect, parts);
  if (secrets.length > 0) return { risk: "secret_risk", reasons: secrets };
  const { purpose } = effect;
  if (purpose === "repo_context" || purpose === "run_evidence")
    return { risk: "repo_context", reasons: ["holds text of the repository"] };
  if (reads) return { risk: "repo_context", reasons: ["text of the repository may be read"] };
  return { risk: "private_runtime_memory", reasons: ["holds what the runtime recorded of its runs"] };
}
