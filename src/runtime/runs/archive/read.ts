// Verifies the archive of a run, on any machine, with the public key of its author: the signature, every hash of the log,
// each event through schema and machine, and every artifact.
import { gunzipSync, gzipSync } from "node:zlib";
import { z } from "zod";
import {
  type ArtifactRef,
  type RunEvent,
  type Store,
  type StoredEvent,
  type VerifyProblem,
  type VerifyReport,
  fail,
} from "../../../core/contract/index.ts";
import { type PublicKey, type UserKey, openEnvelope, signEnvelope } from "../../../workspace/evidence/index.ts";
import { canonicalJson, eventHash, genesis, sha256 } from "../../../platform/store/index.ts";
import { foldProblem } from "../verify/fold.ts";

const archiveType = "https://github.com/thehood/thehood/archive/v1";

/** The artifacts that a value names, each once. */
function* archiveRefs(value: unknown, seen = new Set<string>()): Generator<ArtifactRef["ref"]> {
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
  if (!row || !last) return fail("not_found", `There is no run ${runId}.`, { remedy: "List runs: thehood status" });
  const lines = [canonicalJson({ archive: 1, runId, row })];
  for (const { seq, at, event, hash } of events) lines.push(canonicalJson({ seq, at, event, hash }));
  for (const ref of archiveRefs(events.map(({ event }) => event)))
    lines.push(JSON.stringify({ ref, data: Buffer.from(await store.artifacts.read(ref)).toString("base64") }));
  const body = `${lines.join("\n")}\n`;
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: runId, digest: { sha256: sha256(body) } }],
    predicateType: archiveType,
    predicate: { run: runId, seq: last.seq, head: last.hash },
  };
  return gzipSync(Buffer.from(`${body}${signEnvelope(key, statement)}`));
}

const mostBytes = 2 ** 31;
const header = z.object({ archive: z.literal(1), runId: z.string() });
const eventLine = z.object({ seq: z.int(), at: z.number(), event: z.unknown(), hash: z.string() });
const artifactLine = z.object({ ref: z.string(), data: z.base64() });
const signature = z.object({
  predicateType: z.literal(archiveType),
  subject: z.tuple([z.object({ name: z.string(), digest: z.object({ sha256: z.string() }) })]),
});

function linesOf(archive: Uint8Array): { body: string; lines: readonly unknown[]; envelope: string } {
  try {
    const text = gunzipSync(archive, { maxOutputLength: mostBytes }).toString("utf8");
    const cut = text.lastIndexOf("\n", text.length - 2) + 1;
    const body = text.slice(0, cut);
    return {
      body,
      envelope: text.slice(cut),
      lines: body
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as unknown),
    };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail("invalid_input", `This is not an archive of a run: ${error.message}.`, {
      remedy: "Give a file that `thehood runs archive` wrote.",
    });
  }
}

function eventsOf(runId: string, lines: readonly unknown[], problems: VerifyProblem[]): StoredEvent[] {
  let prevHash = genesis(runId);
  const events: StoredEvent[] = [];
  for (const line of lines) {
    const read = eventLine.safeParse(line);
    if (!read.success) break;
    const { seq, at, event, hash } = read.data;
    if (seq !== events.length + 1)
      problems.push({ kind: "gap", runId, seq, problem: `event ${events.length + 1} is missing` });
    if (eventHash(runId, seq, at, canonicalJson(event), prevHash) !== hash)
      problems.push({ kind: "chain", runId, seq, problem: `event ${seq} is not the one that was written` });
    events.push({ runId, seq, at, event, prevHash, hash });
    prevHash = hash;
  }
  return events;
}

export function verifyArchive(archive: Uint8Array, keys: readonly PublicKey[]): VerifyReport {
  const { body, lines, envelope } = linesOf(archive);
  const head = header.safeParse(lines[0]);
  if (!head.success) return fail("invalid_input", "This is not an archive of a run.");
  const { runId } = head.data;
  const problems: VerifyProblem[] = [];
  const opened = openEnvelope(envelope, keys);
  const stated = signature.safeParse(opened.kind === "signed" ? opened.statement : undefined);
  if (opened.kind === "stranger")
    problems.push({
      kind: "head",
      runId,
      problem: "the archive is signed with a key that is not trusted here",
    });
  else if (!stated.success) problems.push({ kind: "head", runId, problem: "the signature does not fit the archive" });
  else if (stated.data.subject[0].name !== runId || stated.data.subject[0].digest.sha256 !== sha256(body))
    problems.push({ kind: "head", runId, problem: "the archive is not the one that was signed" });
  const events = eventsOf(runId, lines.slice(1), problems);
  const folded = problems.length === 0 ? foldProblem(events, undefined) : undefined;
  if (folded) problems.push({ ...folded, runId });
  const artifacts = new Map(
    lines.slice(1 + events.length).flatMap((line) => {
      const read = artifactLine.safeParse(line);
      return read.success ? [[read.data.ref, Buffer.from(read.data.data, "base64")] as const] : [];
    }),
  );
  for (const [ref, bytes] of artifacts)
    if (`sha256:${sha256(bytes)}` !== ref)
      problems.push({ kind: "artifact_altered", runId, problem: `artifact ${ref} does not match its name` });
  for (const ref of archiveRefs(events.map(({ event }) => event)))
    if (!artifacts.has(ref)) problems.push({ kind: "artifact_missing", runId, problem: `artifact ${ref} is missing` });
  return { runs: 1, events: events.length, artifacts: artifacts.size, problems };
}
