// The patch corpus against the judge, on real repositories, with git as the second authority.
import { afterAll, describe, expect, it } from "vitest";
import { binaryTools } from "../src/platform/system/index.ts";
import {
  applyHunks,
  changedPaths,
  judgePatch,
  parsePatch,
  printPatch,
  readPatchOptions,
} from "../src/core/patch/index.ts";
import { Repository } from "./corpus/patch-repository.ts";
import { bytesOf, fixture, rows, shape } from "./corpus/patch-rows.ts";

const plain = new Repository(fixture);
afterAll(() => plain.remove());

describe("the patch corpus", () => {
  it.each(rows.map((row) => [row.id, row.title, row] as const))("%s %s", (_id, _title, row) => {
    const repository = row.setup.length === 0 ? plain : new Repository(fixture, row.setup);
    const bytes = bytesOf(row);
    const options = readPatchOptions(row.options, binaryTools);
    const verdict = judgePatch(bytes, options, repository.tree());
    expect({ verdict: verdict.verdict, reason: verdict.reason }).toEqual({
      verdict: row.expect,
      reason: row.reason,
    });
    if (row.expect === "reject") return;

    expect(judgePatch(bytes, { ...options, approveProtected: true }, repository.tree()).verdict).toBe("accept");
    const { patch } = parsePatch(bytes);
    expect(Buffer.from(printPatch(patch))).toEqual(bytes);
    const ours = new Map(
      patch.sections.map((section) => {
        const before = section.oldPath === null ? undefined : repository.read(section.oldPath);
        return [section, applyHunks(before?.bytes ?? null, section, binaryTools)] as const;
      }),
    );
    const copy = new Repository(fixture, row.setup);
    const applied = copy.run(["apply", "-"], bytes);
    expect(applied.stderr).toBe("");
    for (const [section, result] of ours) {
      if (section.newPath === null) continue;
      expect(result.ok && Buffer.from(result.bytes)).toEqual(copy.read(section.newPath)?.bytes);
    }
    copy.run(["add", "-A", "-f"]);
    const changed = copy.run(["diff", "--cached", "--name-only", "--no-renames", "-z", "HEAD"]).stdout.toString("utf8");
    expect(changed.split("\0").filter(Boolean).sort()).toEqual(changedPaths(patch));
    for (const [path, wanted] of Object.entries(row.after ?? {})) {
      const found = copy.read(path);
      const isGone = found === undefined || (wanted === null && found.kind === "directory");
      expect(isGone ? null : shape(found.kind, found.bytes)).toBe(wanted);
    }
    copy.remove();
    if (repository !== plain) repository.remove();
  });
});
