// The repository tools: they read below the root, skip private folders, follow no link out, and redact.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { call, connect, openBench, type Bench } from "./client.ts";

/** A token that scanners of this repository do not mistake for a leak. */
const token = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

const files = {
  "README.md": "# Sample\nneedle one\n",
  "src/a.ts": `export const key = "${token}";\nconst needle = 2;\n`,
  "src/deep/er/and/deeper/still/x.ts": "needle three\n",
  ".env": "SECRET=needle\n",
  "config/.env.production": "SECRET=needle\n",
  "keys/id_ed25519": "needle\n",
  "service-account.json": '{"needle": 1}\n',
  "docs/long.txt": "äöü€".repeat(5_000),
};

function scene(): Bench & { outside: string } {
  const bench = openBench(files);
  const outside = tempFolder("outside-");
  writeFileSync(join(outside, "secret.txt"), "needle outside\n");
  const { dir } = bench.repo;
  mkdirSync(join(dir, "node_modules/pkg"), { recursive: true });
  writeFileSync(join(dir, "node_modules/pkg/index.js"), "needle in a dependency\n");
  mkdirSync(join(dir, "dist"));
  writeFileSync(join(dir, "dist/out.js"), "needle in build output\n");
  symlinkSync(join(outside, "secret.txt"), join(dir, "out.txt"));
  symlinkSync(outside, join(dir, "outdir"));
  symlinkSync(".env", join(dir, "innocent.txt"));
  symlinkSync(".git/config", join(dir, "gitconf.txt"));
  symlinkSync("node_modules/pkg/index.js", join(dir, "lib.js"));
  writeFileSync(join(dir, "blob.bin"), Buffer.from([0, 1, 2, 3]));
  writeFileSync(join(dir, "odd.txt"), Buffer.from([65, 0, 66]));
  return { ...bench, outside };
}

interface Tree {
  readonly entries: readonly { path: string; bytes?: number }[];
  readonly total: number;
  readonly next_offset: number | null;
  readonly hidden: number;
}

describe("the repository tools over MCP", () => {
  it("[S-8] the tree leaves out git, state, dependencies, build output, secrets and links, and pages", async () => {
    const client = await connect(scene());
    const { data } = await call<Tree>(client, "repo_tree", { depth: 2 });
    const paths = data.entries.map(({ path }) => path);
    expect(paths).toEqual(["README.md", "blob.bin", "docs/long.txt", "odd.txt", "src/a.ts", "src/deep/"]);
    expect(data.hidden).toBeGreaterThanOrEqual(4);
    const page = await call<Tree>(client, "repo_tree", { depth: 20, max_entries: 2, offset: 4 });
    expect(page.data.entries.map(({ path }) => path)).toEqual(["src/a.ts", "src/deep/er/and/deeper/still/x.ts"]);
    expect(page.data).toMatchObject({ total: 6, next_offset: null });
    const below = await call<Tree>(client, "repo_tree", { path: "src/deep", depth: 1 });
    expect(below.data.entries).toEqual([{ path: "src/deep/er/" }]);
  });

  it.each([
    ["../outside"],
    ["{outside}/secret.txt"],
    ["out.txt"],
    ["outdir/secret.txt"],
    [".env"],
    ["config/.env.production"],
    ["keys/id_ed25519"],
    ["service-account.json"],
    [".git/config"],
    [".GIT/config"],
    [".thehood/store.db"],
    ["innocent.txt"],
    ["gitconf.txt"],
    ["lib.js"],
    ["node_modules/pkg/index.js"],
    ["./dist/out.js"],
    ["src/../.env"],
    ["src\\..\\.env"],
    ["README.md\u0000"],
    ["/proc/self/environ"],
    ["src"],
  ])("[S-8] %j is not read", async (path) => {
    const opened = scene();
    const client = await connect(opened);
    const asked = { path: path.replace("{outside}", opened.outside) };
    const answer = await call<{ error?: { code: string } }>(client, "repo_read_file", asked);
    expect(answer.isError).toBe(true);
    expect(answer.text).not.toContain("needle");
    const listed = await call(client, "repo_tree", asked);
    expect(
      listed.isError || (listed.data as unknown as Tree).entries.every((entry) => entry.path.startsWith("src/")),
    ).toBe(true);
  });

  it("[S-2] files are redacted, binary ones are named as such, long ones come in pages that meet", async () => {
    const client = await connect(scene());
    const secret = await call<{ content: string }>(client, "repo_read_file", { path: "src/a.ts" });
    expect(secret.data.content).toContain("***REDACTED***");
    expect(secret.text).not.toContain(token);
    for (const path of ["blob.bin", "odd.txt"])
      expect((await call(client, "repo_read_file", { path })).data).toMatchObject({ binary: true });
    let text = "";
    for (let offset: number | null = 0; offset !== null;) {
      const page: { data: { content: string; next_offset: number | null } } = await call(client, "repo_read_file", {
        path: "docs/long.txt",
        offset,
        max_bytes: 9_999,
      });
      text += page.data.content;
      offset = page.data.next_offset;
    }
    expect(text).toBe(files["docs/long.txt"]);
    // Whatever the page boundary, no part of a secret comes through.
    for (let offset = 0; offset < 60; offset += 1) {
      const part = await call(client, "repo_read_file", { path: "src/a.ts", offset, max_bytes: 12 });
      expect(part.text).not.toContain(token.slice(8, 14));
    }
  });

  it("[S-8] search finds text and patterns in what may be seen, and a query can neither show nor guess a secret", async () => {
    const client = await connect(scene());
    const found = await call<{ hits: { path: string; line: number }[] }>(client, "repo_search", {
      query: "needle",
    });
    expect(found.data.hits.map(({ path }) => path)).toEqual([
      "README.md",
      "src/a.ts",
      "src/deep/er/and/deeper/still/x.ts",
    ]);
    const pattern = await call<{ hits: { path: string; line: number; text: string }[] }>(client, "repo_search", {
      query: "^NEEDLE\\s+(one|three)$",
      regex: true,
      ignore_case: true,
    });
    expect(pattern.data.hits).toMatchObject([
      { path: "README.md", line: 2 },
      { path: "src/deep/er/and/deeper/still/x.ts", line: 1 },
    ]);
    const guess = await call<{ hits: unknown[] }>(client, "repo_search", { query: token.slice(0, 8) });
    expect(guess.data.hits).toEqual([]);
    const few = await call<{ hits: unknown[]; truncated: boolean; reason: string }>(client, "repo_search", {
      query: "needle",
      max_hits: 1,
    });
    expect(few.data).toMatchObject({ truncated: true, reason: "max_hits" });
    const narrow = await call<{ hits: { path: string }[] }>(client, "repo_search", {
      query: "needle",
      path: "src/deep",
    });
    expect(narrow.data.hits).toHaveLength(1);
  });

  it("a pattern that would hold a backtracking engine for ages ends", async () => {
    const bench = openBench({ "a.txt": `${"a".repeat(60_000)}!\n` });
    const client = await connect(bench);
    const answer = await call<{ hits: unknown[] }>(client, "repo_search", { query: "(a+)+$", regex: true });
    expect(answer.data.hits).toEqual([]);
  });

  it("[S-8] git status and diff hide what is hidden and redact the rest", async () => {
    const bench = scene();
    bench.repo.write("src/a.ts", `export const key = "${token}x";\nconst needle = 3;\n`);
    bench.repo.write(".env", "SECRET=other\n");
    bench.repo.write("new.txt", "fresh\n");
    const client = await connect(bench);
    const status = await call<{
      changes: { path: string; worktree: string }[];
      branch: string;
      hidden: number;
    }>(client, "git_status");
    expect(status.data.branch).toBe("main");
    expect(status.data.changes).toContainEqual({ path: "src/a.ts", index: " ", worktree: "M" });
    expect(status.data.changes.map(({ path }) => path)).not.toContain(".env");
    expect(status.data.hidden).toBeGreaterThan(0);
    const diff = await call<{ content: string; hidden: number }>(client, "git_diff");
    expect(diff.data.content).toContain("+const needle = 3;");
    expect(diff.data.content).not.toContain(token.slice(4, 20));
    expect(diff.data.content).not.toContain("SECRET");
    expect(diff.data.hidden).toBe(1);
    const one = await call<{ content: string }>(client, "git_diff", { path: "docs" });
    expect(one.data.content).toBe("");
    const unknown = await call(client, "git_diff", { base: "nosuchbranch" });
    expect(unknown.data).toMatchObject({ error: { code: "not_found" } });
  });

  it.each([false, true])("[S-8] a diff shows no line of a key of many lines (staged: %s)", async (staged) => {
    const bench = scene();
    const edge = (word: string) => `-----${word} RSA PRIVATE ${"KEY"}-----`;
    const body = Array.from({ length: 20 }, (_, index) => `MIIEowIBAAKCAQEAx${index}Zt2Lw9Xb4Nv6Rk1Ms8Jd3Fh5Gc`);
    bench.repo.write("key.txt", [edge("BEGIN"), ...body, edge("END"), ""].join("\n"));
    bench.repo.write("kept.txt", "one\n");
    bench.repo.commit();
    bench.repo.write("key.txt", [edge("BEGIN"), ...body.with(10, "changed"), edge("END"), ""].join("\n"));
    bench.repo.write("kept.txt", "two\n");
    bench.repo.git("add", "-A");
    const client = await connect(bench);
    const { content } = (await call<{ content: string }>(client, "git_diff", { staged })).data;
    expect(content).toContain("+two");
    expect(content).toContain("key.txt is not shown");
    for (const line of body) expect(content).not.toContain(line);
  });

  it("[S-8] a folder below the root is served as if there were nothing above it; --root adds another, a client cannot", async () => {
    const bench = scene();
    const client = await connect(bench, {
      args: ["--repo", join(bench.repo.dir, "src"), "--root", bench.outside],
    });
    const { data } = await call<Tree>(client, "repo_tree", { depth: 1 });
    expect(data.entries.map(({ path }) => path)).toEqual(["a.ts", "deep/"]);
    bench.repo.write("README.md", "changed above\n");
    expect((await call<{ changes: unknown[] }>(client, "git_status")).data.changes).toEqual([]);
    expect((await call(client, "repo_read_file", { path: "../README.md" })).isError).toBe(true);
    const other = await call<{ content: string }>(client, "repo_read_file", {
      path: "secret.txt",
      repo_path: bench.outside,
    });
    expect(other.data.content).toBe("needle outside\n");
    for (const repo of [
      bench.repo.dir,
      "/",
      `${bench.outside}/..`,
      "..",
      join(bench.repo.dir, "outdir/.."),
      "/nonexistent",
    ]) {
      const answer = await call<{ error: { code: string } }>(client, "repo_tree", { repo_path: repo });
      expect(answer.data.error.code).toBe("permission_denied");
    }
  });

  it("[S-8] a home folder or everything is served only to who names it", async () => {
    const bench = scene();
    const home = tempFolder("thehood-other-home-");
    for (const cwd of [home, "/"]) {
      const ran = bench.thehood(["mcp"], { cwd, env: { HOME: home } });
      expect(ran.code).toBe(2);
      expect(ran.err).toContain("--repo DIR");
    }
    expect(bench.thehood(["mcp", "--repo", home], { cwd: home, env: { HOME: home } }).code).toBe(0);
  });

  it("who works for a run does not drive runs: nothing is served inside the state folder", () => {
    const bench = scene();
    const worktree = join(bench.repo.dir, ".thehood/worktrees/run_x");
    mkdirSync(worktree, { recursive: true });
    for (const [cwd, args] of [
      [worktree, ["mcp"]],
      [bench.repo.dir, ["mcp", "--root", worktree]],
      [bench.repo.dir, ["mcp", "--repo", join(bench.repo.dir, ".thehood")]],
    ] as const)
      expect(bench.thehood(args, { cwd })).toMatchObject({ code: 6, out: "" });
  });

  it("outside a git repository files are listed all the same, and git is said to be missing", async () => {
    const bench = scene();
    const client = await connect(bench, { args: ["--repo", bench.outside] });
    expect((await call<Tree>(client, "repo_tree")).data.entries).toEqual([{ path: "secret.txt", bytes: 15 }]);
    expect((await call(client, "git_status")).data).toMatchObject({ error: { code: "not_a_repository" } });
  });
});
