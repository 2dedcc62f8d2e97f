// The files of a worker and the record of its answer: the files are on the disk first, or the call is in doubt.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { bin, fixing, openTestDesk, stub, type Desk } from "../cli/program.ts";
import { hasStrace, traced } from "../support/traced.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { makeRepository } from "../support/repository.ts";

interface Status {
  readonly runId: string;
  readonly state: string;
  readonly gate?: { readonly kind: string; readonly sha256: string };
}

const statusOf = (desk: Desk, run: string): Status => desk.thehood(["status", run, "--json"]).json<Status>();

describe("a power loss between the answer of a worker and its capture", () => {
  it.skipIf(!hasStrace)(
    "[B-30] a file of the worker that the disk does not take leaves the call in doubt, and nothing is captured (needs strace)",
    () => {
      const desk = openTestDesk();
      const command = ["run", "fix add", "--team", "stub", "--check", "true", "--json", ...stub(fixing)];
      const { runId } = desk.thehood(command).json<{ runId: string }>();
      const { gate } = statusOf(desk, runId);
      const file = join(desk.repo.dir, ".thehood-work", runId, "work/src/add.js");
      const broken = ["-f", "-qq", "-o", "/dev/null", "-P", file, "-e", "inject=fsync:error=EIO"];
      const approve = [process.execPath, bin, "approve", runId, "--shown", gate?.sha256 ?? ""];
      const ran = spawnSync("strace", [...broken, ...approve], { cwd: desk.repo.dir, env: desk.env, encoding: "utf8" });
      const events = desk.thehood(["logs", runId, "--json"]).out;
      expect(events, ran.stderr).toContain("may not be on the disk");
      expect(events).not.toContain('"patch_captured"');
      expect(statusOf(desk, runId).state).not.toBe("completed");
      expect(desk.repo.git("status", "--porcelain")).toBe("");
    },
  );

  it.skipIf(!hasStrace)(
    "[B-30] changed, new and oddly named files are synced with their folders; staged work flushes the disk (needs strace)",
    () => {
      const repo = makeRepository({ "a.txt": "one\n", "src/b.ts": "b\n", ".gitignore": "*.log\n" });
      const folder = tempFolder("thehood-settle-");
      const source = (path: string) => JSON.stringify(join(import.meta.dirname, "../../src", path));
      try {
        const program = (more: string) => `
          import { writeFileSync, mkdirSync } from "node:fs";
          import { execFileSync } from "node:child_process";
          import { join } from "node:path";
          import { requireRepository } from ${source("platform/git/index.ts")};
          import { createWorktree, settleWorktree } from ${source("workspace/checkout/worktree/index.ts")};
          const repository = requireRepository(${JSON.stringify(repo.dir)});
          const worktree = await createWorktree(repository, { runId: "run_abc12345", baseCommit: "HEAD" });
          writeFileSync(join(worktree.path, "a.txt"), "two\\n");
          mkdirSync(join(worktree.path, "new/deep"), { recursive: true });
          writeFileSync(join(worktree.path, "new/deep/ü.txt"), "new\\n");
          ${more}
          writeFileSync(${JSON.stringify(join(folder, "marker"))}, "");
          await settleWorktree(worktree);
        `;
        const calls = "fsync,syncfs,openat";
        const after = (lines: string[]) => lines.slice(lines.findIndex((line) => line.includes("/marker")));
        const plain = after(traced(folder, calls, program("")));
        const synced = plain.filter((line) => line.includes(" fsync("));
        for (const path of ["work/a.txt>", "deep/\\303\\274.txt>", "work/new/deep>", "work/new>", "work>"])
          expect(
            synced.some((line) => line.includes(path)),
            path,
          ).toBe(true);
        const staging = `execFileSync("git", ["add", "-A"], { cwd: worktree.path });`;
        expect(after(traced(folder, calls, program(staging))).some((line) => line.includes("syncfs("))).toBe(true);
      } finally {
        repo.remove();
      }
    },
  );

  it.skipIf(!hasStrace)(
    "[B-17] a lock that a git of the user makes and renames in git's notes at this moment is left out (needs strace)",
    () => {
      const repo = makeRepository({ "a.txt": "one\n" });
      const source = (path: string) => JSON.stringify(join(import.meta.dirname, "../../src", path));
      try {
        const program = `
          import { writeFileSync } from "node:fs";
          import { join } from "node:path";
          import { requireRepository } from ${source("platform/git/index.ts")};
          import { createWorktree, settleWorktree } from ${source("workspace/checkout/worktree/index.ts")};
          const repository = requireRepository(${JSON.stringify(repo.dir)});
          const worktree = await createWorktree(repository, { runId: "run_abc12345", baseCommit: "HEAD" });
          writeFileSync(join(worktree.record.adminDir, "HEAD.lock"), "");
          await settleWorktree(worktree);
        `;
        const lock = join(repo.dir, ".git/worktrees/work/HEAD.lock");
        // The file is listed, and gone when it is opened to be synced: the first opening is the one that makes it.
        const gone = ["-f", "-qq", "-o", "/dev/null", "-P", lock, "-e", "inject=openat:error=ENOENT:when=2+"];
        const node = [process.execPath, "--input-type=module-typescript", "-e", program];
        const ran = spawnSync("strace", [...gone, ...node], { encoding: "utf8" });
        expect(ran.status, ran.stderr).toBe(0);
      } finally {
        repo.remove();
      }
    },
  );
});
