// The commit of a patch holds the patch's paths and nothing else, by each way of making it.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeRepository, type TestRepository } from "../../../../tests/support/repository.ts";
import { type CommandRequest, FailureError } from "../../../core/contract/index.ts";
import { requireRepository } from "../../../platform/git/index.ts";
import { createCommandRunner } from "../../../platform/sandbox/index.ts";
import { commitPatch } from "./committer.ts";

const runner = createCommandRunner({ sandbox: "off", environment: { PATH: process.env["PATH"] } });
/** The programs that a commit started. */
const asked: CommandRequest[] = [];
let repo: TestRepository;

beforeEach(() => {
  repo = makeRepository({ "a.txt": "one\n", "b.txt": "two\n" });
  repo.commit("first");
});

function helper(body: string, tracked = true): void {
  repo.write("scripts/committer", `#!/bin/sh\n${body}\n`);
  chmodSync(join(repo.dir, "scripts/committer"), 0o755);
  if (tracked) repo.commit("helper");
}

async function commit(message: string | null = "change a"): Promise<string> {
  repo.write("a.txt", "changed\n");
  try {
    return await commitPatch({
      repository: requireRepository(repo.dir),
      paths: ["a.txt"],
      message,
      user: {
        version: "2",
        hooks: null,
        author: { name: "Ann", email: "ann@example.com" },
        network: { env: {}, config: [] },
      },
      runner: {
        ...runner,
        run: (request) => {
          asked.push(request);
          return runner.run(request);
        },
      },
      signal: new AbortController().signal,
    });
  } catch (error) {
    if (error instanceof FailureError) return `refused: ${error.failure.message}`;
    throw error;
  }
}

const files = () => repo.git("show", "--name-only", "--format=", "HEAD").trim();
const head = () => repo.git("rev-parse", "HEAD").trim();

describe("[T-20] a commit by git itself", () => {
  it("holds the patch under the given message", async () => {
    expect(await commit()).toBe(head());
    expect(files()).toBe("a.txt");
    expect(repo.git("log", "-1", "--format=%s").trim()).toBe("change a");
  });

  it("has a message of ours without one", async () => {
    await commit(null);
    expect(repo.git("log", "-1", "--format=%s").trim()).toBe("Apply patch proposed through oracle");
  });

  it.each([
    ["a file beside it", "notes.txt"],
    ["another file that changed", "b.txt"],
  ])("[T-20] does not hold %s, which stays as it is", async (_, path) => {
    repo.write(path, "mine\n");
    expect(await commit()).toBe(head());
    expect(files()).toBe("a.txt");
    expect(repo.git("diff", "--cached", "--name-only")).toBe("");
    expect(repo.git("status", "--porcelain").trim()).toContain(path);
  });

  it("[T-20] [T-21] is not made while something else is staged, and leaves nothing staged", async () => {
    repo.write("b.txt", "staged by hand\n");
    repo.git("add", "b.txt");
    const moves = repo.git("reflog", "--format=%H");
    expect(await commit()).toBe("refused: git would also commit b.txt, which is not in the patch.");
    expect(repo.git("reflog", "--format=%H")).toBe(moves);
    expect(repo.git("diff", "--cached", "--name-only")).toBe("");
    expect(repo.git("diff", "--name-only").trim().split("\n")).toEqual(["a.txt", "b.txt"]);
  });
});

describe("[T-22] a commit by the repository's helper", () => {
  const plain = 'git add -- a.txt && git -c user.name=x -c user.email=x@x commit -qm "$1"';

  it("is believed when it is the patch on top of the old commit", async () => {
    helper(plain);
    expect(await commit()).toBe(head());
    // A program of the repository's: it may write there, and reaches no network.
    expect(asked.at(-1)).toMatchObject({ network: false, writable: [requireRepository(repo.dir).top] });
  });

  it.each([
    ["commits another file too", `echo extra > c.txt; git add c.txt; ${plain}`],
    [
      "commits another file instead",
      'echo x > c.txt; git add c.txt; git -c user.name=x -c user.email=x@x commit -qm "$1" -- c.txt',
    ],
    ["makes two commits", `${plain}; git -c user.name=x -c user.email=x@x commit -q --allow-empty -m two`],
    ["leaves the branch", `git checkout -q --orphan new; ${plain}`],
    ["makes no commit and says yes", "exit 0"],
  ])("is not believed when it %s", async (_, body) => {
    helper(body);
    expect(await commit()).toMatch(/^refused: /);
  });

  it("[T-20] that also takes an untracked file is taken back: the branch is where it was, the files stay", async () => {
    repo.write("notes.txt", "another agent's\n");
    helper('git add -A && git -c user.name=x -c user.email=x@x commit -qm "$1"');
    repo.write("notes.txt", "another agent's, changed\n");
    repo.write("more.txt", "mine\n");
    const before = head();
    expect(await commit()).toMatch(/is not in the patch\. The branch is back at/);
    expect(head()).toBe(before);
    expect(repo.git("status", "--porcelain")).toContain("?? more.txt");
  });

  it("is not asked for when git does not know it: an untracked program is not the repository's", async () => {
    helper("exit 1", false);
    repo.write(".git/info/exclude", "scripts/\n");
    expect(await commit()).toBe(head());
    expect(files()).toBe("a.txt");
  });
});
