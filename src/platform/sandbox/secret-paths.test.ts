import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainGit, writeFiles } from "../../../tests/support/repository.ts";
import { tempFolder } from "../../../tests/support/temp-folder.ts";
import { createCommandRunner } from "./index.ts";
import { withoutLogins } from "./secret-paths.ts";

const token = ["ghp", "_"].join("") + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

function checkout(): string {
  const dir = tempFolder("secret-places-");
  writeFiles(dir, { "a.txt": "seen\n", ".gitignore": ".env*\n" });
  plainGit(dir, "init", "-q", "-b", "main");
  plainGit(dir, "add", "-A");
  plainGit(dir, "commit", "-qm", "base");
  writeFiles(dir, { ".env": "KEY=canary-env\n", "app/.env.local": "KEY=canary-local\n" });
  plainGit(dir, "remote", "add", "origin", `https://me:${token}@example.com/a.git`);
  return dir;
}

const runner = createCommandRunner({ environment: { PATH: process.env["PATH"] ?? "" } });
const confined = (await runner.confinement()) === "bubblewrap";

async function reads(dir: string, line: string, allowed: readonly string[] = []): Promise<string> {
  const copies = join(tempFolder("copies-"), "instead");
  mkdirSync(copies);
  const { stdout, stderr } = await runner.run({
    argv: ["bash", "-c", line],
    cwd: dir,
    writable: [],
    secrets: { allowed, copies },
    network: false,
    timeoutMs: 60_000,
    maxOutputBytes: 100_000,
  });
  return Buffer.from(stdout).toString() + Buffer.from(stderr).toString();
}

describe.skipIf(!confined)("[B-19] secrets of the checkout, for a confined agent", () => {
  it("files that hold logins by their name are not seen; everything else is", async () => {
    const dir = checkout();
    const said = await reads(dir, "cat a.txt .env app/.env.local; cp .env /tmp/x; cat /tmp/x");
    expect(said).toContain("seen");
    expect(said).not.toContain("canary");
  });

  it("one that the user allowed by its path is seen, and no other", async () => {
    const dir = checkout();
    const said = await reads(dir, "cat .env app/.env.local", ["app/.env.local"]);
    expect(said).toContain("canary-local");
    expect(said).not.toContain("canary-env");
  });

  it("git's configuration is seen without its logins, git works, and the user's file is as it was", async () => {
    const dir = checkout();
    const before = readFileSync(join(dir, ".git/config"), "utf8");
    const said = await reads(dir, "cat .git/config; git status --short; git remote -v");
    expect(said).not.toContain(token);
    expect(said).toContain("https://example.com/a.git (fetch)");
    expect(readFileSync(join(dir, ".git/config"), "utf8")).toBe(before);
    expect(before).toContain(token);
  });

  it("from a worktree of it the checkout's secrets are not seen either", async () => {
    const dir = checkout();
    const work = join(tempFolder("work-"), "tree");
    plainGit(dir, "worktree", "add", "-q", work);
    writeFileSync(join(work, "own.env"), "made by the worker\n");
    const said = await reads(work, `cat ${dir}/.env ${dir}/.git/config own.env`);
    expect(said).not.toContain("canary");
    expect(said).not.toContain(token);
    expect(said).toContain("made by the worker");
  });
});

it("logins are taken out of git's configuration, and the rest stays", () => {
  const config = `[remote "o"]\n\turl = https://u:p@h/a.git\n[http "https://h/"]\n\textraheader = AUTHORIZATION: basic x\n[user]\n\tname = me\n\temail = me@h\n[credential]\n\thelper = !echo password=x\n`;
  const open = withoutLogins(config);
  expect(open).toContain("url = https://h/a.git");
  expect(open).toContain("email = me@h");
  expect(open).not.toMatch(/u:p|basic x|password=x/);
});
