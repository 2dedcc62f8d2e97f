// Test only: whatever we accept, git applies, to the same paths, with the same bytes.
import { expect } from "vitest";
import { applyHunks, changedPaths, judgePatch, parsePatch, printPatch } from "../../src/core/patch/index.ts";
import { binaryTools } from "../../src/platform/system/index.ts";
import type { Repository } from "./patch-repository.ts";
import { blobId, diffOf, drifted, gitApply, memoryTree, writeTree, type Scene, type Tree } from "./patch-scenes.ts";

const options = { binary: binaryTools, approveProtected: true };

function entryOf(tree: Tree, path: string): string | undefined {
  const file = tree.get(path);
  return file && `${file.executable ? "100755" : "100644"} ${blobId(Buffer.from(file.text, "utf8"))}`;
}

/** Judges a patch for a tree and, when it is accepted, compares our result with git's. Returns whether it was accepted. */
export function agree(repository: Repository, id: string, tree: Tree, patch: Uint8Array): boolean {
  const reader = memoryTree(tree);
  const verdict = judgePatch(patch, options, reader);
  if (verdict.verdict !== "accept") return false;
  const result = gitApply(repository, id, patch);
  expect(result, `git refuses what we accept (${verdict.reason})`).toBeDefined();
  const { patch: parsed, problems } = parsePatch(patch);
  expect(problems).toEqual([]);
  expect(Buffer.from(printPatch(parsed)).equals(patch)).toBe(true);
  const paths = new Set([...tree.keys(), ...(result?.keys() ?? [])]);
  const changed = [...paths].filter((path) => entryOf(tree, path) !== result?.get(path)).sort();
  expect(changed).toEqual(changedPaths(parsed));
  for (const section of parsed.sections) {
    if (section.newPath === null) continue;
    const applied = applyHunks(
      section.oldPath === null ? null : (reader.content(section.oldPath) ?? null),
      section,
      binaryTools,
    );
    expect(applied.ok && blobId(applied.bytes)).toBe(result?.get(section.newPath)?.split(" ")[1]);
  }
  return true;
}

/** The patch git makes of a scene is accepted as it is; on a tree that moved on it is accepted or refused, never misplaced. */
export function agreeOnScene(
  repository: Repository,
  scene: Scene,
): { accepted: boolean; patch: Buffer; id: string; tree: Tree } {
  const from = writeTree(repository, scene.before);
  const to = writeTree(repository, scene.after);
  const patch = diffOf(repository, from, to, scene.context);
  if (patch.length > 0) {
    const verdict = judgePatch(patch, options, memoryTree(scene.before));
    expect({
      verdict: verdict.verdict,
      reason: verdict.reason,
      patch: patch.toString("latin1"),
    }).toMatchObject({ verdict: "accept" });
    expect(agree(repository, from, scene.before, patch)).toBe(true);
  }
  const tree = drifted(scene);
  const id = writeTree(repository, tree);
  return { accepted: patch.length > 0 && agree(repository, id, tree, patch), patch, id, tree };
}
