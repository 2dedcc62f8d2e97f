import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { judgePath, type PathOp } from "./index.ts";
import { holding } from "./walk.ts";

interface Row {
  id: string;
  title: string;
  root: string;
  path: string;
  op: PathOp;
  fs: { op: string; path: string; content?: string; target?: string }[];
  platform: string;
  expect: "allow" | "deny";
  reason: string;
}

const file = resolve(import.meta.dirname, "../../../tests/corpus/paths.jsonl");
const rows = readFileSync(file, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as Row)
  .filter((row) => row.platform === "any" || row.platform === process.platform);

/** More of the same kinds. */
const ours: Omit<Row, "id" | "root" | "platform">[] = [
  {
    title: "plain file",
    path: "src/a.ts",
    op: "read",
    fs: [{ op: "write", path: "src/a.ts" }],
    expect: "allow",
    reason: "ok",
  },
  { title: "new file", path: "src/new.ts", op: "write", fs: [], expect: "allow", reason: "ok" },
  { title: "new file in new folders", path: "a/b/c.ts", op: "write", fs: [], expect: "allow", reason: "ok" },
  {
    title: "write below a file",
    path: "a/b",
    op: "write",
    fs: [{ op: "write", path: "a" }],
    expect: "deny",
    reason: "not_a_directory",
  },
  { title: "empty", path: "", op: "read", fs: [], expect: "deny", reason: "path_empty" },
  {
    title: "deep traversal",
    path: "a/../../etc/passwd",
    op: "read",
    fs: [],
    expect: "deny",
    reason: "path_traversal",
  },
  {
    title: "inner dotdot write",
    path: "src/../a",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "path_traversal",
  },
  {
    title: "absolute outside",
    path: "/etc/passwd",
    op: "read",
    fs: [],
    expect: "deny",
    reason: "outside_root",
  },
  {
    title: "encoded dots",
    path: "%2e%2e/etc/passwd",
    op: "read",
    fs: [],
    expect: "deny",
    reason: "not_found",
  },
  {
    title: "full-width dots",
    path: "\uFF0E\uFF0E/etc/passwd",
    op: "read",
    fs: [],
    expect: "deny",
    reason: "not_found",
  },
  {
    title: "full-width dots, write",
    path: "\uFF0E\uFF0E/x",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "path_traversal",
  },
  {
    title: "text direction turned round",
    path: "src/a\u202Etxt.exe",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "control_char_path",
  },
  {
    title: "an emoji made of several",
    path: "\u{1F468}\u200D\u{1F469}.md",
    op: "write",
    fs: [],
    expect: "allow",
    reason: "ok",
  },
  { title: "newline", path: "a\nb", op: "write", fs: [], expect: "deny", reason: "control_char_path" },
  { title: "drive-relative", path: "c:x", op: "write", fs: [], expect: "deny", reason: "path_drive" },
  { title: "stream", path: "src/a.ts:evil", op: "write", fs: [], expect: "deny", reason: "path_reserved" },
  {
    title: "trailing space",
    path: "src/a.ts ",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "path_reserved",
  },
  { title: "folder of three dots", path: ".../a", op: "write", fs: [], expect: "allow", reason: "ok" },
  {
    title: "LPT9 with extensions",
    path: "lpt9.tar.gz",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "path_reserved",
  },
  {
    title: "a name that only contains con",
    path: "console.ts",
    op: "write",
    fs: [],
    expect: "allow",
    reason: "ok",
  },
  {
    title: "link inside to inside, read",
    path: "l/a.ts",
    op: "read",
    fs: [
      { op: "write", path: "src/a.ts" },
      { op: "symlink", path: "l", target: "src" },
    ],
    expect: "allow",
    reason: "ok",
  },
  {
    title: "absolute link inside, read",
    path: "l/a.ts",
    op: "read",
    fs: [
      { op: "write", path: "src/a.ts" },
      { op: "symlink", path: "l", target: "ROOT/src" },
    ],
    expect: "allow",
    reason: "ok",
  },
  {
    title: "link to the secret, read",
    path: "notes.txt",
    op: "read",
    fs: [
      { op: "write", path: ".env" },
      { op: "symlink", path: "notes.txt", target: ".env" },
    ],
    expect: "deny",
    reason: "secret_path",
  },
  {
    title: "link to git's folder, read",
    path: "g/config",
    op: "read",
    fs: [
      { op: "write", path: ".git/config" },
      { op: "symlink", path: "g", target: ".git" },
    ],
    expect: "deny",
    reason: "git_dir",
  },
  {
    title: "link that loops",
    path: "a",
    op: "read",
    fs: [
      { op: "symlink", path: "a", target: "b" },
      { op: "symlink", path: "b", target: "a" },
    ],
    expect: "deny",
    reason: "symlink_loop",
  },
  {
    title: "link up and back in",
    path: "l/src/a.ts",
    op: "read",
    fs: [
      { op: "write", path: "src/a.ts" },
      { op: "symlink", path: "l", target: "../repo" },
    ],
    expect: "deny",
    reason: "symlink_escape",
  },
  {
    title: "link to the root's sibling of the same prefix",
    path: "l/a",
    op: "read",
    fs: [{ op: "symlink", path: "l", target: "ROOT-evil" }],
    expect: "deny",
    reason: "symlink_escape",
  },
  {
    title: "write to a link that stays inside",
    path: "l",
    op: "write",
    fs: [
      { op: "write", path: "a" },
      { op: "symlink", path: "l", target: "a" },
    ],
    expect: "deny",
    reason: "symlink_write_through",
  },
  {
    title: ".GIT in capitals",
    path: "sub/.GIT/hooks/x",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "git_dir",
  },
  {
    title: ".git with a stream",
    path: ".git::$INDEX_ALLOCATION/config",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "git_dir",
  },
  {
    title: ".git with a trailing dot",
    path: ".git./config",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "git_dir",
  },
  { title: ".gitignore", path: ".gitignore", op: "write", fs: [], expect: "allow", reason: "ok" },
  {
    title: "state in capitals",
    path: ".TheHood/store.db",
    op: "write",
    fs: [],
    expect: "deny",
    reason: "protected_state",
  },
  {
    title: "state read",
    path: ".thehood/store.db",
    op: "read",
    fs: [{ op: "write", path: ".thehood/store.db" }],
    expect: "deny",
    reason: "protected_state",
  },
  {
    title: "nested key",
    path: "deploy/keys/id_ed25519",
    op: "read",
    fs: [{ op: "write", path: "deploy/keys/id_ed25519" }],
    expect: "deny",
    reason: "secret_path",
  },
  {
    title: "nested service account",
    path: "x/service-account.json",
    op: "read",
    fs: [{ op: "write", path: "x/service-account.json" }],
    expect: "deny",
    reason: "secret_path",
  },
  {
    title: "example environment",
    path: ".env.example",
    op: "read",
    fs: [{ op: "write", path: ".env.example" }],
    expect: "allow",
    reason: "ok",
  },
  {
    title: "too long altogether",
    path: `${"a/".repeat(3000)}b`,
    op: "write",
    fs: [],
    expect: "deny",
    reason: "path_too_long",
  },
  {
    title: "long name in bytes, not characters",
    path: "\u00E9".repeat(200),
    op: "write",
    fs: [],
    expect: "deny",
    reason: "path_too_long",
  },
  {
    title: "segment with a slash",
    path: "a/b",
    op: "segment",
    fs: [],
    expect: "deny",
    reason: "bad_segment",
  },
  { title: "segment with NUL", path: "a\0", op: "segment", fs: [], expect: "deny", reason: "bad_segment" },
  {
    title: "segment that starts with a dash",
    path: "-rf",
    op: "segment",
    fs: [],
    expect: "deny",
    reason: "bad_segment",
  },
  { title: "empty segment", path: "", op: "segment", fs: [], expect: "deny", reason: "bad_segment" },
  { title: "device as segment", path: "nul", op: "segment", fs: [], expect: "deny", reason: "bad_segment" },
  { title: "run id as segment", path: "run_01abcdef", op: "segment", fs: [], expect: "allow", reason: "ok" },
];

const base = tempFolder("paths-");

function build(row: Pick<Row, "fs">, name: string): string {
  const root = join(base, name, "repo");
  mkdirSync(root, { recursive: true });
  for (const entry of row.fs) {
    const path = join(root, entry.path);
    mkdirSync(dirname(path), { recursive: true });
    if (entry.op === "symlink") symlinkSync((entry.target ?? "").replace("ROOT", root), path);
    else writeFileSync(path, entry.content ?? "x");
  }
  return root;
}

describe.each([true, false])("[S-8] the path judge (folders held by descriptor: %s)", (byDescriptor) => {
  const usual = holding.byDescriptor;
  beforeEach(() => {
    holding.byDescriptor = byDescriptor && usual;
  });
  afterEach(() => {
    holding.byDescriptor = usual;
  });

  it.each(rows.map((row) => [row.id, row.title, row] as const))("%s %s", (id, _title, row) => {
    const root = build(row, `${id}-${byDescriptor}`);
    const path = row.path.replaceAll("/w/repo", root);
    const verdict = judgePath(row.root.endsWith("/") ? `${root}/` : root, path, row.op);
    expect(verdict).toEqual({ allowed: row.expect === "allow", reason: row.reason });
  });

  it.each(ours.map((row, index) => [row.title, index, row] as const))("%s", (_title, index, row) => {
    const root = build(row, `ours-${index}-${byDescriptor}`);
    expect(judgePath(root, row.path, row.op)).toEqual({
      allowed: row.expect === "allow",
      reason: row.reason,
    });
  });

  it("judges the letters also where the root does not exist", () => {
    expect(judgePath("/no/such/root", "../x", "read").reason).toBe("path_traversal");
    expect(judgePath("/no/such/root", "x", "read").reason).toBe("not_found");
    expect(judgePath("/no/such/root", "x", "write")).toEqual({ allowed: true, reason: "ok" });
    expect(judgePath("/no/such/root", ".env", "write").reason).toBe("secret_path");
  });

  it("takes a root that is itself reached by a link", () => {
    const root = build({ fs: [{ op: "write", path: "a" }] }, `linked-${byDescriptor}`);
    const alias = join(base, `alias-${byDescriptor}`);
    symlinkSync(root, alias);
    expect(judgePath(alias, "a", "read").allowed).toBe(true);
    expect(judgePath(alias, join(alias, "a"), "read").allowed).toBe(true);
    expect(judgePath(alias, join(root, "a"), "read").allowed).toBe(true);
  });
});
