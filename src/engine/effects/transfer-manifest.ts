// Writes down what would leave this machine, to whom and why, before anything does.
import type {
  EffectContext,
  EffectOf,
  EffectOutcome,
  TransferPurpose,
  TransferRisk,
} from "../../contract/index.ts";
import { findSecrets } from "../../secrets/index.ts";
import { excerptOf } from "./excerpt.ts";
import { putJson } from "./redaction.ts";
import type { Rooms } from "./rooms.ts";

const previewBytes = 4_000;

// oxlint-disable-next-line require-await -- effects share one asynchronous shape
export async function writeTransferManifest(
  rooms: Rooms,
  effect: EffectOf<"write_transfer_manifest">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { call, purpose, phrase } = effect;
  const excerpts = effect.sources.map((source) => ({
    source,
    excerpt: excerptOf(rooms.artifacts, rooms.text, source),
  }));
  const content = excerpts
    .map(({ excerpt }) => `## ${excerpt.name} (${excerpt.ref})\n${excerpt.text}\n`)
    .join("\n");
  const hits = excerpts.map(({ source }) => secretsIn(rooms, source.ref.ref));
  const { risk, reasons } = riskOf(
    purpose,
    hits.reduce((sum, count) => sum + count, effect.redactions),
  );
  const totalBytes = rooms.text.encode(content).length;
  const destination = { provider: call.assignment.provider, model: call.assignment.model };
  const contentSha256 = rooms.sha256(content);
  const manifest = {
    kind: "external_transfer_manifest",
    runId: context.runId,
    destination,
    role: call.role,
    purpose,
    approvalPhrase: phrase,
    artifacts: excerpts.map(({ source, excerpt }, index) => ({
      name: source.name,
      kind: source.ref.kind,
      ref: source.ref.ref,
      summary: source.ref.summary,
      byteLength: rooms.text.encode(excerpt.text).length,
      truncated: excerpt.truncated,
      sha256: rooms.sha256(excerpt.text),
      secretPatternHits: hits[index] ?? 0,
    })),
    totalBytes,
    contentSha256,
    risk: { class: risk, reasons },
    redaction: { status: "applied", notes: ["every excerpt is redacted before it is cut"] },
    preview: {
      maxBytes: previewBytes,
      content: content.slice(0, previewBytes),
      truncated: content.length > previewBytes,
    },
  };
  const summary = `${totalBytes} bytes of ${purpose} to ${destination.provider}:${destination.model}, ${risk}`;
  const ref = putJson(rooms, "transfer_manifest", manifest, summary);
  return {
    kind: "write_transfer_manifest",
    manifest: {
      manifest: ref,
      destination,
      purpose,
      contentSha256,
      totalBytes,
      risk,
      riskReasons: reasons,
      phrase,
    },
  };
}

/** In the source as it is stored, not in the redacted excerpt: what was worth hiding is worth asking about. */
function secretsIn(rooms: Rooms, ref: string): number {
  const { bytes } = rooms.artifacts.slice(ref, 0, 4 << 20);
  const text = rooms.text.decode(bytes);
  return findSecrets(text).length + (text.includes("***REDACTED***") ? 1 : 0);
}

function riskOf(purpose: TransferPurpose, hits: number): { risk: TransferRisk; reasons: string[] } {
  if (hits > 0)
    return {
      risk: "secret_risk",
      reasons: [`${hits} places looked like secrets; they are redacted, and still a reason to look`],
    };
  if (purpose === "repo_context" || purpose === "run_evidence")
    return { risk: "repo_context", reasons: ["holds text of the repository"] };
  return { risk: "private_runtime_memory", reasons: ["holds what the runtime recorded of its runs"] };
}
