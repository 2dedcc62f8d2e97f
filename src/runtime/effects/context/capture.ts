// Captures a bounded pack of the repository for a role that may only read: deterministic, redacted, continued by chunks.
// A later pack holds the files of the earlier ones too, each once and as one ordered excerpt: only the newest is sent.
import type { EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { sha256 } from "../../../platform/store/index.ts";
import { readShowable, recentPaths, showableFiles } from "../../../workspace/checkout/read/index.ts";
import { putJson } from "../redaction.ts";
import type { EffectDeps } from "../deps.ts";
import { type FileChoice, chooseFiles, resolveNames } from "./choose.ts";
import { importsOf } from "./imports.ts";
import { type ContextPack, type PackedFile, contextLimits, contextPack, latestFiles } from "./pack.ts";

type ContextEffect = EffectOf<"capture_repo_context">;

export async function captureRepoContext(deps: EffectDeps, effect: ContextEffect): Promise<EffectOutcome> {
  const files = await showableFiles(deps.root, deps.repository);
  const earlier = latestFiles(await Promise.all(effect.previous.map(({ ref }) => readPack(deps, ref))));
  const notes: string[] = [];
  const chosen =
    effect.paths.length > 0 ? requested(effect, files, earlier, notes) : await guessed(deps, effect, files);
  const packed = await pack(deps, chosen, earlier, notes);
  const tree = files.map(({ path }) => path).toSorted();
  const value: ContextPack = {
    kind: "repo_context",
    goal: effect.goal,
    requestedPaths: [...effect.paths],
    limits: { ...contextLimits },
    tree: tree.slice(0, contextLimits.treePaths),
    omittedTreePathCount: Math.max(0, tree.length - contextLimits.treePaths),
    files: [...latestFiles([{ files: [...earlier.values()] }, { files: packed }]).values()],
    notes,
  };
  const summary = `${packed.length} files of ${tree.length} for: ${effect.goal}`;
  return {
    kind: "capture_repo_context",
    context: {
      context: await putJson(deps, "context", value, summary),
      files: packed.map(({ path, truncated }) => ({ path, truncated })),
      omitted: Math.max(0, tree.length - packed.length),
    },
  };
}

const readPack = async (deps: EffectDeps, ref: string): Promise<ContextPack> =>
  contextPack.parse(JSON.parse(deps.text.decode(await deps.artifacts.read(ref))));

/** The files that were asked for, without those that were captured whole before. */
function requested(
  effect: ContextEffect,
  files: readonly { path: string; bytes: number }[],
  earlier: ReadonlyMap<string, PackedFile>,
  notes: string[],
): FileChoice[] {
  const found = resolveNames(effect.paths, files);
  const missing = effect.paths.filter((name) => resolveNames([name], files).length === 0);
  for (const name of missing.slice(0, 24)) notes.push(`${name} is not a file that can be shown`);
  return found
    .filter((path) => {
      const seen = earlier.get(path);
      if (seen && !seen.truncated) notes.push(`${path} was captured whole before`);
      return !seen || seen.truncated;
    })
    .slice(0, contextLimits.files)
    .map((path) => ({ path, named: true }));
}

/** Files that fit the goal, then the files that the best of them import. */
async function guessed(
  deps: EffectDeps,
  effect: ContextEffect,
  files: readonly { path: string; bytes: number }[],
): Promise<FileChoice[]> {
  const recent = await recentPaths(deps.repository);
  const chosen = chooseFiles({ goal: effect.goal, paths: [], files, recent, limit: contextLimits.files });
  const tree = new Set(files.map(({ path }) => path));
  const linked = new Set<string>();
  for (const { path } of chosen.slice(0, 6)) {
    const text = readShowable(deps.root, path);
    if (text !== undefined) for (const linkedTo of importsOf(path, text, tree)) linked.add(linkedTo);
  }
  const extra = [...linked].filter((path) => !chosen.some((choice) => choice.path === path));
  const room = Math.min(extra.length, 6);
  return [
    ...chosen.slice(0, contextLimits.files - room),
    ...extra.slice(0, room).map((path) => ({ path, named: false })),
  ];
}

async function pack(
  deps: EffectDeps,
  chosen: readonly FileChoice[],
  earlier: ReadonlyMap<string, PackedFile>,
  notes: string[],
): Promise<PackedFile[]> {
  const packed: PackedFile[] = [];
  let left: number = contextLimits.totalBytes;
  for (const { path, named } of chosen) {
    const text = readShowable(deps.root, path);
    if (text === undefined) {
      notes.push(`${path} is not text that can be shown`);
      continue;
    }
    const limit = Math.min(left, named ? contextLimits.namedFileBytes : contextLimits.fileBytes);
    if (limit < 200) break;
    const file = chunk(deps, path, deps.text.redact(text), limit, earlier.get(path));
    left -= file.endByte - (earlier.get(path)?.endByte ?? 0);
    packed.push(file);
  }
  return packed;
}

/**
 * Redacted as a whole before it is cut, so that no secret is halved. A chunk that continues an earlier one is joined to
 * it; when the file changed in between, it starts again.
 */
function chunk(deps: EffectDeps, path: string, text: string, limit: number, seen: PackedFile | undefined): PackedFile {
  const bytes = deps.text.encode(text);
  const hash = sha256(bytes);
  const from = seen && seen.truncated && seen.sha256 === hash ? seen.endByte : 0;
  const end = cutAt(bytes, Math.min(bytes.length, from + limit), from);
  return {
    path,
    bytes: bytes.length,
    startByte: 0,
    endByte: end,
    truncated: end < bytes.length,
    sha256: hash,
    excerpt: (from > 0 && seen ? seen.excerpt : "") + deps.text.decode(bytes.subarray(from, end)),
  };
}

/** At the end of a line when one is near, else before a whole character. */
function cutAt(bytes: Uint8Array, end: number, from: number): number {
  if (end >= bytes.length) return bytes.length;
  const newline = bytes.lastIndexOf(10, end - 1);
  if (newline > from && end - newline < 600) return newline + 1;
  let at = end;
  while (at > from + 1 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1;
  return at;
}
