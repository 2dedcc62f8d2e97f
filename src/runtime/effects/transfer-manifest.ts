// Writes a list of the bytes that would leave this machine, with receiver and reason, before any of them leaves.
import {
  type EvidenceAttachment,
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  type TransferPurpose,
  type TransferRisk,
  parseJson,
} from "../../core/contract/index.ts";
import { marker } from "../../core/secrets/index.ts";
import { sha256 } from "../../platform/store/index.ts";
import { putJson } from "./redaction.ts";
import type { EffectDeps } from "./deps.ts";

const previewChars = 4_000;
const readable =
  "lines of text files of this checkout, its list of files and its difference to the last commit; no dependencies, build output, .git, .thehood or credential files, and no file in which something looks like a secret; each look is recorded";

interface Part {
  readonly source: EvidenceAttachment;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly truncated: boolean;
  readonly secrets: number;
}

export async function writeTransferManifest(
  deps: EffectDeps,
  effect: EffectOf<"write_transfer_manifest">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { call, purpose, phrase } = effect;
  const parts = await Promise.all(effect.sources.map((source) => partOf(deps, source)));
  const secrets = parts.reduce((sum, part) => sum + part.secrets, effect.redactions);
  const mayRead = call.workspace === "none" ? undefined : call.assignment.reads;
  const { risk, reasons } = riskOf(purpose, secrets, mayRead !== undefined);
  const totalBytes = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const contentSha256 = sha256(joined(parts));
  const { provider, model, identity } = call.assignment;
  const destination = { provider, model };
  const preview = deps.text.redact(parts.map(({ text }) => text).join("\n"));
  const manifest = {
    kind: "external_transfer_manifest",
    runId: context.runId,
    callId: call.callId,
    destination: { ...destination, identity },
    role: call.role,
    purpose,
    approvalPhrase: phrase,
    artifacts: parts.map(({ source, bytes, text, truncated, secrets: hits }) => ({
      name: source.name,
      kind: source.ref.kind,
      ref: source.ref.ref,
      summary: source.ref.summary,
      byteLength: bytes.length,
      truncated,
      sha256: sha256(bytes),
      secretPatternHits: hits,
      holds: evidenceIn(text),
    })),
    totalBytes,
    contentSha256,
    ...(mayRead ? { mayRead: { ...mayRead, what: readable } } : {}),
    risk: { class: risk, reasons },
    redaction: { status: "applied", replaced: effect.redactions },
    preview: {
      maxChars: previewChars,
      content: preview.slice(0, previewChars),
      truncated: preview.length > previewChars,
    },
  };
  const summary = `${totalBytes} bytes of ${purpose} to ${destination.provider}:${destination.model}, ${risk}`;
  const ref = await putJson(deps, "transfer_manifest", manifest, summary);
  return {
    kind: "write_transfer_manifest",
    manifest: {
      manifest: ref,
      destination,
      purpose,
      contentSha256,
      totalBytes,
      ...(mayRead ? { mayRead } : {}),
      risk,
      riskReasons: reasons,
      phrase,
    },
  };
}

/** The very bytes that would be sent: exactly the approved bytes leave. */
async function partOf(deps: EffectDeps, source: EvidenceAttachment): Promise<Part> {
  const { bytes, total } = await deps.artifacts.slice(source.ref.ref, 0, source.maxBytes);
  const text = deps.text.decode(bytes);
  // Secrets that were taken out when the artifact was recorded count as well: their source is still secret.
  const secrets = deps.text.withoutSecrets(text).taken + text.split(marker).length - 1;
  return { source, bytes, text, truncated: bytes.length < total, secrets };
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

function riskOf(purpose: TransferPurpose, secrets: number, reads: boolean): { risk: TransferRisk; reasons: string[] } {
  if (secrets > 0)
    return {
      risk: "secret_risk",
      reasons: [`${secrets} places look like secrets; what was redacted is still a reason to look`],
    };
  if (purpose === "repo_context" || purpose === "run_evidence")
    return { risk: "repo_context", reasons: ["holds text of the repository"] };
  if (reads) return { risk: "repo_context", reasons: ["text of the repository may be read"] };
  return { risk: "private_runtime_memory", reasons: ["holds what the runtime recorded of its runs"] };
}
