// The patch corpus against the judge, on real repositories, with git as the second authority.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  applyHunks,
  changedPaths,
  judgePatch,
  parsePatch,
  printPatch,
  readPatchOptions,
} from "../src/patch/index.ts";
import { Repository, type Setup } from "./corpus/patch-repository.ts";

interface Row {
  readonly id: string;
  readonly title: string;
  readonly setup: readonly Setup[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly expect: "accept" | "reject" | "approval";
  readonly reason: string;
  readonly patch?: string;
  readonly patch_b64?: string;
  readonly gen?: {
    readonly kind: string;
    readonly path?: string;
    readonly bytes?: number;
    readonly patch?: string;
  };
  readonly after?: Readonly<Record<string, string | null>>;
}

const folder = join(import.meta.dirname, "corpus");
const fixture = JSON.parse(readFileSync(join(folder, "patches_fixture.json"), "utf8")) as Record<
  string,
  string
>;
const rowsOf = (file: string): Row[] =>
  readFileSync(join(folder, file), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);

const newFile = (path: string, line: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

function bytesOf(row: Row): Buffer {
  if (row.patch_b64 !== undefined) return Buffer.from(row.patch_b64, "base64");
  if (row.patch !== undefined) return Buffer.from(row.patch, "utf8");
  const { kind = "", path = "x.txt", bytes = 0, patch = "" } = row.gen ?? {};
  if (kind === "literal") return Buffer.from(patch, "utf8");
  if (kind === "new_file_one_line") return Buffer.from(newFile(path, "x".repeat(bytes)));
  if (kind === "long_path") return Buffer.from(newFile("d/".repeat(bytes / 2 - 1) + "ff", "x"));
  if (kind === "long_component") return Buffer.from(newFile(`src/${"c".repeat(bytes)}`, "x"));
  throw new Error(`Unknown generator ${kind}`);
}

const shape = (kind: string | undefined, bytes: Buffer): string => {
  const hash = createHash("sha256").update(bytes).digest("hex");
  if (kind === "symlink") return `link:${bytes.toString("utf8")}`;
  return kind === "executable" ? `${hash}:x` : hash;
};

const rows = [...rowsOf("patches.jsonl"), ...rowsOf("patches_own.jsonl")];
const plain = new Repository(fixture);
afterAll(() => plain.remove());

describe("the patch corpus", () => {
  it.each(rows.map((row) => [row.id, row.title, row] as const))("%s %s", (_id, _title, row) => {
    const repository = row.setup.length === 0 ? plain : new Repository(fixture, row.setup);
    const bytes = bytesOf(row);
    const options = readPatchOptions(row.options);
    const verdict = judgePatch(bytes, options, repository.tree());
    expect({ verdict: verdict.verdict, reason: verdict.reason }).toEqual({
      verdict: row.expect,
      reason: row.reason,
    });
    if (row.expect === "reject") return;

    expect(judgePatch(bytes, { ...options, approveProtected: true }, repository.tree()).verdict).toBe(
      "accept",
    );
    const { patch } = parsePatch(bytes);
    expect(Buffer.from(printPatch(patch))).toEqual(bytes);
    const ours = new Map(
      patch.sections.map((section) => {
        const before = section.oldPath === null ? undefined : repository.read(section.oldPath);
        return [section, applyHunks(before?.bytes ?? null, section)] as const;
      }),
    );
    const copy = new Repository(fixture, row.setup);
    const applied = copy.run(["apply", "-"], bytes);
    expect(applied.stderr).toBe("");
    for (const [section, result] of ours) {
      if (section.newPath === null || section.body.kind === "binary") continue;
      expect(result.ok && Buffer.from(result.bytes)).toEqual(copy.read(section.newPath)?.bytes);
    }
    copy.run(["add", "-A", "-f"]);
    const changed = copy
      .run(["diff", "--cached", "--name-only", "--no-renames", "-z", "HEAD"])
      .stdout.toString("utf8");
    expect(changed.split("\0").filter(Boolean).sort()).toEqual(changedPaths(patch));
    for (const [path, wanted] of Object.entries(row.after ?? {})) {
      const found = copy.read(path);
      if (wanted === null) expect(found === undefined || found.kind === "directory").toBe(true);
      else expect(found && shape(found.kind, found.bytes)).toBe(wanted);
    }
    copy.remove();
    if (repository !== plain) repository.remove();
  });
});
