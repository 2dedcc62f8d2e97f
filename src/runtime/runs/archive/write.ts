// One run as one file: its row, every event with its hash, every artifact that it names, and a signature over all of it.
import { gzipSync } from "node:zlib";
import type { ArtifactRef, RunEvent, Store } from "../../../core/contract/index.ts";
import { fail } from "../../../core/contract/index.ts";
import { signEnvelope, type UserKey } from "../../../workspace/evidence/index.ts";
import { canonicalJson, sha256 } from "../../../platform/store/index.ts";

export const archiveType = "https://github.com/thehood/thehood/archive/v1";

/** The artifacts that a value names, each once. */
export function* archiveRefs(value: unknown, seen = new Set<string>()): Generator<ArtifactRef["ref"]> {
  if (typeof value !== "object" || value === null) return;
  if ("ref" in value && "bytes" in value && "mediaType" in value && typeof value.ref === "string")
    if (!seen.has(value.ref)) {
      seen.add(value.ref);
      yield value.ref;
    }
  for (const item of Object.values(value)) yield* archiveRefs(item, seen);
}

export async function packRun(store: Store<RunEvent>, runId: string, key: UserKey): Promise<Buffer> {
  const row = await store.log.row(runId);
  const events = await store.log.read(runId);
  const last = events.at(-1);
  if (!row || !last)
    return fail("not_found", `There is no run ${runId}.`, { remedy: "List runs: thehood status" });
  const lines = [canonicalJson({ archive: 1, runId, row })];
  for (const { seq, at, event, hash } of events) lines.push(canonicalJson({ seq, at, event, hash }));
  for (const ref of archiveRefs(events.map(({ event }) => event)))
    lines.push(
      JSON.stringify({ ref, data: Buffer.from(await store.artifacts.read(ref)).toString("base64") }),
    );
  const body = `${lines.join("\n")}\n`;
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: runId, digest: { sha256: sha256(body) } }],
    predicateType: archiveType,
    predicate: { run: runId, seq: last.seq, head: last.hash },
  };
  return gzipSync(Buffer.from(`${body}${signEnvelope(key, statement)}`));
}
