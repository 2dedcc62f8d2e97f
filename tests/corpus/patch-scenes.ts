// Test only: random trees, the patches git makes between them, damage to both, and what git makes of the result.
import { createHash } from "node:crypto";
import { join } from "node:path";
import * as fc from "fast-check";
import type { TreeReader } from "../../src/core/patch/index.ts";
import type { Repository } from "./patch-repository.ts";
import { removeFolder } from "../support/remove-folder.ts";

export interface File {
  readonly text: string;
  readonly executable: boolean;
}
export type Tree = ReadonlyMap<string, File>;

const line = fc.constantFrom(
  "a",
  "b",
  "c",
  "",
  "x",
  " x",
  "\tx",
  "x ",
  "- x",
  "-- x",
  "++ y",
  "@@ -1 +1 @@",
  "diff --git a/q b/q",
  "é",
  "\\ n",
  "\u0001",
);
const eol = fc.constantFrom("\n", "\n", "\n", "\r\n");
const text = fc
  .tuple(fc.array(line, { maxLength: 14 }), eol, fc.integer({ min: 0, max: 7 }))
  .map(([lines, end, last]) => {
    const whole = lines.map((one) => one + end).join("");
    return last === 0 ? whole.slice(0, -end.length) : last === 1 ? `${whole}\0\n` : whole;
  });
const file: fc.Arbitrary<File> = fc.record({
  text,
  executable: fc.integer({ min: 0, max: 5 }).map((value) => value === 0),
});
const path = fc.constantFrom("src/a.ts", "src/b c.ts", "docs/é.md", "x", "deep/er/y.ts", 'q"q', "src/d.ts");

type Change =
  | { readonly kind: "edit"; readonly at: number; readonly remove: number; readonly insert: string }
  | { readonly kind: "delete" | "chmod" }
  | { readonly kind: "move" | "copy"; readonly to: string }
  | { readonly kind: "write"; readonly file: File };
const change: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      at: fc.nat(12),
      remove: fc.nat(3),
      insert: fc.array(line, { maxLength: 3 }).map((lines) => lines.map((one) => `${one}\n`).join("")),
    }),
  },
  fc.record({ kind: fc.constantFrom("delete" as const, "chmod" as const) }),
  fc.record({ kind: fc.constantFrom("move" as const, "copy" as const), to: path }),
  fc.record({ kind: fc.constant("write" as const), file }),
);

function edited(before: string, at: number, remove: number, insert: string): string {
  const lines = before.split(/(?<=\n)/);
  lines.splice(Math.min(at, lines.length), remove, insert);
  return lines.join("");
}

function changed(tree: Tree, steps: readonly (readonly [string, Change])[]): Tree {
  const next = new Map(tree);
  for (const [where, step] of steps) {
    const was = next.get(where);
    if (step.kind === "write") next.set(where, step.file);
    if (!was) continue;
    if (step.kind === "edit") next.set(where, { ...was, text: edited(was.text, step.at, step.remove, step.insert) });
    if (step.kind === "chmod") next.set(where, { ...was, executable: !was.executable });
    if (step.kind === "delete" || step.kind === "move") next.delete(where);
    if (step.kind === "move" || step.kind === "copy") next.set(step.to, was);
  }
  // A file cannot lie where another's folder is.
  for (const name of next.keys()) if ([...next.keys()].some((other) => other.startsWith(`${name}/`))) next.delete(name);
  return next;
}

export interface Scene {
  readonly before: Tree;
  readonly after: Tree;
  /** The tree the patch meets: `before`, perhaps with lines added on top. */
  readonly drift: readonly (readonly [string, string])[];
  readonly context: number;
}

const steps = fc.array(fc.tuple(path, change), { minLength: 1, maxLength: 5 });
export const scene: fc.Arbitrary<Scene> = fc
  .record({
    files: fc.array(fc.tuple(path, file), { minLength: 1, maxLength: 5 }),
    steps,
    drift: fc.array(fc.tuple(path, fc.constantFrom("new\n", "a\nb\n", "x\n", "")), { maxLength: 2 }),
    context: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ files, steps: list, drift, context }) => {
    const before = new Map(files);
    return { before, after: changed(before, list), drift, context };
  });

export const drifted = ({ before, drift }: Scene): Tree => {
  const next = new Map(before);
  for (const [where, lines] of drift) {
    const was = next.get(where);
    if (was) next.set(where, { ...was, text: lines + was.text });
  }
  return next;
};

export function memoryTree(tree: Tree): TreeReader {
  return {
    kind: (name) => {
      const found = tree.get(name);
      if (found) return found.executable ? "executable" : "file";
      return [...tree.keys()].some((other) => other.startsWith(`${name}/`)) ? "directory" : undefined;
    },
    content: (name) => {
      const found = tree.get(name);
      return found && Buffer.from(found.text, "utf8");
    },
    dirty: () => false,
    paths: () => tree.keys(),
  };
}

/** Puts a tree into the index of a repository and gives its id. */
export function writeTree(repository: Repository, tree: Tree): string {
  for (const name of ["src", "docs", "x", "deep", 'q"q']) removeFolder(join(repository.dir, name));
  for (const [name, { text: content, executable }] of tree) repository.write(name, content, executable ? 0o755 : 0o644);
  repository.run(["add", "-A", "-f"]);
  return repository.run(["write-tree"]).stdout.toString("utf8").trim();
}

export const diffOf = (repository: Repository, from: string, to: string, context: number): Buffer =>
  repository.run([
    "-c",
    "core.quotePath=true",
    "diff",
    "--binary",
    "--full-index",
    "-M",
    "-C",
    "--find-copies-harder",
    "--no-ext-diff",
    "--no-textconv",
    `-U${context}`,
    from,
    to,
  ]).stdout;

export const blobId = (bytes: Uint8Array): string =>
  createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");

/** The tree after `git apply --cached` on top of `from`: mode and blob of each path; undefined when git refuses. */
export function gitApply(repository: Repository, from: string, patch: Uint8Array): Map<string, string> | undefined {
  repository.run(["read-tree", from]);
  if (repository.run(["apply", "--cached", "-"], patch).status !== 0) return undefined;
  const rows = repository.run(["ls-files", "-s", "-z"]).stdout.toString("utf8").split("\0").filter(Boolean);
  return new Map(
    rows.map((row) => {
      const [meta = "", name = ""] = row.split("\t");
      const [mode, blob] = meta.split(" ");
      return [name, `${mode} ${blob}`] as const;
    }),
  );
}

const token = fc.constantFrom(
  "\n",
  "\r\n",
  " ",
  "+",
  "-",
  "\\",
  "@@ -1 +1 @@\n",
  "diff --git a/x b/x\n",
  "--- a/x\n",
  "+++ b/x\n",
  "--- /dev/null\n",
  "rename from x\n",
  "rename to ../x\n",
  "new file mode 100644\n",
  "new file mode 120000\n",
  "deleted file mode 100644\n",
  "old mode 100644\n",
  "new mode 100755\n",
  "index 1111111..2222222 120000\n",
  "GIT binary patch\n",
  "literal 5\n",
  "\\ No newline at end of file\n",
  "../",
  ".git/",
  '"',
  "\\000",
  "\0",
  "\u202e",
  "@@",
  "-- \n",
  "a/",
  "b/",
  "1",
  "9",
  "0",
  ",",
  "/",
  "\t",
  "é",
  "copy from x\n",
  "Subproject commit ",
);

export interface Damage {
  readonly kind: "insert" | "cut" | "swap" | "repeat" | "digit";
  readonly at: number;
  readonly size: number;
  readonly token: string;
}
export const damage: fc.Arbitrary<Damage> = fc.record({
  kind: fc.constantFrom("insert" as const, "cut" as const, "swap" as const, "repeat" as const, "digit" as const),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  size: fc.integer({ min: 1, max: 12 }),
  token,
});

/** One change to a patch: of bytes, of whole lines, or of a number in a hunk header. */
export function damaged(patch: string, { kind, at, size, token: inserted }: Damage): string {
  const place = Math.floor(at * (patch.length + 1));
  if (kind === "insert") return patch.slice(0, place) + inserted + patch.slice(place);
  if (kind === "cut") return patch.slice(0, place) + patch.slice(place + size);
  if (kind === "digit") {
    const spots = [...patch.matchAll(/(?<=^@@ [^\n]*)\d+(?=[^\n]* @@)/gm)];
    const spot = spots[Math.floor(at * spots.length)];
    return spot
      ? patch.slice(0, spot.index) +
          String(Math.max(0, Number(spot[0]) + size - 6)) +
          patch.slice(spot.index + spot[0].length)
      : patch;
  }
  const lines = patch.split(/(?<=\n)/);
  const row = Math.floor(at * lines.length);
  if (kind === "repeat") lines.splice(row, 0, ...lines.slice(row, row + size));
  else lines.splice(row, 0, ...lines.splice((row + size) % Math.max(1, lines.length), 1));
  return lines.join("");
}
