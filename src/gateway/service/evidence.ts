// The evidence of a session, from its ledger: each call of `verify` with the files that it stored.
import { z } from "zod";
import { fail } from "../../core/contract/index.ts";
import { mediaTypeOf } from "../rules/index.ts";
import type { GatewayStore } from "../store/index.ts";

export interface EvidenceFile {
  readonly path: string;
  readonly ref: string;
  readonly bytes: number;
  readonly mediaType: string;
}

export interface Evidence {
  readonly callId: string;
  readonly at: number;
  /** The key that `verify` returned to the agent. */
  readonly prefix: string;
  readonly folder: string;
  readonly files: readonly EvidenceFile[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

const stored = z.object({ prefix: z.string(), manifest: z.string() });
const file = z.object({ path: z.string(), ref: z.string(), bytes: z.number() });
const manifest = z.object({
  sessionId: z.string(),
  folder: z.string(),
  files: z.array(file),
  left: z.array(z.object({ path: z.string(), why: z.string() })),
});

/** The oldest first; the same evidence is listed once. */
export async function evidenceOf(store: GatewayStore, sessionId: string): Promise<Evidence[]> {
  const found = new Map<string, Evidence>();
  for (const { tool, callId, startedAt, result } of await store.invocations(sessionId)) {
    const { data } = stored.safeParse(tool === "verify" ? result?.data : undefined);
    if (!data || found.has(data.prefix)) continue;
    const text = Buffer.from(await store.artifacts.read(data.manifest)).toString("utf8");
    const { folder, files, left } = manifest.parse(JSON.parse(text));
    const typed = files.map((one) => ({ ...one, mediaType: mediaTypeOf(one.path) }));
    found.set(data.prefix, { callId, at: startedAt, prefix: data.prefix, folder, files: typed, left });
  }
  return [...found.values()].sort((one, other) => one.at - other.at);
}

/** The bytes of one file of the session's evidence. A ref that is not in it is not found. */
export async function evidenceFile(
  store: GatewayStore,
  sessionId: string,
  ref: string,
): Promise<{ readonly file: EvidenceFile; readonly bytes: Uint8Array }> {
  const files = (await evidenceOf(store, sessionId)).flatMap((one) => one.files);
  const found = files.find((one) => one.ref === ref) ?? fail("not_found", "The session has no such evidence.");
  return { file: found, bytes: await store.artifacts.read(ref) };
}
