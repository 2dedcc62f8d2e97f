// `verify`: the evidence of a folder, bounded, without secrets, stored by the hash of its content with a manifest (A-7).
import { isSecretPath } from "../../platform/paths/index.ts";
import { canonicalJson, sha256 } from "../../platform/store/index.ts";
import type { Sandbox } from "../sandboxes/index.ts";
import { places, type ToolResult } from "../rules/index.ts";
import type { KnownValues } from "./clean.ts";
import type { GatewayDeps } from "./deps.ts";

const limits = { files: 200, fileBytes: 8 << 20, totalBytes: 64 << 20 } as const;

/** The text without secrets; undefined for binary bytes that contain a known value. */
function cleaned(bytes: Buffer, sessionId: string, known: KnownValues): Buffer | undefined {
  const text = bytes.toString("utf8");
  if (!text.includes("\0") && Buffer.from(text).equals(bytes)) return Buffer.from(known.text(sessionId, text));
  return known.of(sessionId).some((value) => bytes.includes(value)) ? undefined : bytes;
}

export async function collectEvidence(
  { store: { artifacts } }: GatewayDeps,
  sandbox: Sandbox,
  sessionId: string,
  folder: string | undefined,
  known: KnownValues,
): Promise<{ result: ToolResult; effects: number }> {
  const source = folder ?? places.evidence;
  const store = async (bytes: Buffer, about: string): Promise<string> => {
    const summary = `evidence: ${about}`.slice(0, 300);
    return (await artifacts.put(bytes, { kind: "log", mediaType: "application/octet-stream", summary })).ref;
  };
  const found = await sandbox.collect(source, { ...limits, newerThan: places.began });
  const left = [...found.left];
  const files: { path: string; ref: string; bytes: number }[] = [];
  for (const { path, bytes } of found.files) {
    const clean = isSecretPath(path) ? undefined : cleaned(bytes, sessionId, known);
    if (clean === undefined) left.push({ path, why: "it may hold a secret" });
    else files.push({ path, ref: await store(clean, path), bytes: clean.length });
  }
  if (files.length === 0) {
    const why = left.map((one) => `${one.path}: ${one.why}`).join("; ");
    const result = `Nothing found in ${source}${why === "" ? ". Put screenshots, logs or reports there and call verify again." : ` that could be taken (${why}).`}`;
    return { result: { success: true, result, data: { uploadedCount: 0 } }, effects: 0 };
  }
  const manifest = canonicalJson({
    sessionId,
    folder: source,
    files: files.map(({ path, ref, bytes }) => ({ path, ref, bytes })),
    left,
  });
  const ref = await store(Buffer.from(manifest), "manifest of evidence");
  // The same evidence has the same prefix.
  const prefix = `sessions/${sessionId}/verification/${sha256(manifest)}`;
  const data = { uploadedCount: files.length, prefix, manifest: ref, left };
  return { result: { success: true, result: JSON.stringify({ key: prefix }), data }, effects: 1 };
}
