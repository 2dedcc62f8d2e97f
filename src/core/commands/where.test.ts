import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { CommandPlace } from "../contract/index.ts";
import { loadJudge, readRows } from "../../../tests/support/commands/load.ts";

const corpus = (name: string) => join(import.meta.dirname, "../../../tests/corpus", name);
const rows = readRows<{ readonly cmd: string; readonly asked: boolean }>(corpus("worktree-lines.jsonl"));
const { classify } = await loadJudge();
const installed = "tsc eslint prettier vitest jest tsx".split(" ");
const asked = (cmd: string, where: CommandPlace, more = {}) =>
  classify(cmd, { root: "/home/u/repo", installed, baseFile: () => "changed", where, ...more }).gated;

describe("[S-9] where a line runs decides what is asked", () => {
  it("in a sandboxed worktree, no line that leaves it, steers others, fetches or shows secrets goes unasked", () => {
    const dangerous = rows.filter((row) => row.asked);
    expect(dangerous.length).toBeGreaterThan(300);
    expect(dangerous.map(({ cmd }) => cmd).filter((cmd) => !asked(cmd, "worktree"))).toEqual([]);
  });

  it("in a sandboxed worktree, at most five of a hundred honest lines are asked about", () => {
    const honest = rows.filter((row) => !row.asked);
    const lines = honest.map(({ cmd }) => cmd).filter((cmd) => asked(cmd, "worktree"));
    expect(lines.length / honest.length, lines.join("\n")).toBeLessThan(0.05);
  });

  it.each(["rm -rf build", "git reset --hard", "find . -name '*.pyc' -delete", "./new.sh", "> src/a.ts"])(
    "%s is asked about on the machine and in a checkout, not in a worktree",
    (cmd) => {
      expect([asked(cmd, "machine"), asked(cmd, "checkout"), asked(cmd, "worktree")]).toEqual([true, true, false]);
      expect(classify(cmd).gated).toBe(true);
    },
  );

  it("the class still says what the line does", () => {
    expect(classify("rm -rf build", { where: "worktree" }).class).toBe("destructive");
    expect(classify("python x.py", { where: "worktree" }).class).toBe("local_write");
  });

  it("in a checkout, only what git or a build brings back can be deleted unasked", () => {
    const same = { baseFile: (path: string) => (path === "src/a.ts" ? "same" : "changed") };
    const free = ["rm src/a.ts", "rm -rf node_modules dist", "rm -rf __pycache__", "> src/a.ts"];
    expect(free.filter((cmd) => asked(cmd, "checkout", same))).toEqual([]);
    const risky = [
      "rm src/b.ts",
      "rm src/a.ts src/b.ts",
      "rm -rf src",
      "rm -rf *",
      "git clean -fdx",
      "rm -rf dist/../..",
    ];
    expect(risky.filter((cmd) => !asked(cmd, "checkout", same))).toEqual([]);
    expect(free.filter((cmd) => !asked(cmd, "machine", same))).toEqual([]);
  });

  it("a folder that is a link to elsewhere is outside", () => {
    const linked = { leadsAway: (path: string) => path.startsWith("link/") };
    for (const cmd of [
      "rm -rf link/x",
      "rm -rf link/*",
      "find link -delete",
      "cd link && rm -rf ../x",
      "cd link && ./x",
    ])
      expect([cmd, asked(cmd, "worktree", linked)]).toEqual([cmd, true]);
    expect(asked("rm link", "worktree", linked)).toBe(false);
  });
});

interface FreeRow {
  readonly id: string;
  readonly cmd: string;
  readonly free: string;
}

/** Why a line that a collection of attacks holds is not asked about. */
const reasons: Readonly<Record<string, string>> = {
  names: "it lists names of files that hold no secret",
  facts: "it reads facts about the machine that every program can read",
  prints: "it only computes and prints",
  temporary: "it only touches a temporary file of its own",
  adds: "it adds a file to the workspace and takes nothing away",
  time: "it only uses time, which the limit of the command ends",
};

describe("[S-9] lines of attack collections that are rightly free", () => {
  const free = readRows<FreeRow>(corpus("strangers-free.jsonl"));

  it("each has a reason, and is not asked about", () => {
    expect(free.filter((row) => reasons[row.free] === undefined).map(({ id }) => id)).toEqual([]);
    expect(free.filter(({ cmd }) => classify(cmd).gated).map(({ id }) => id)).toEqual([]);
  });

  it.each([
    'find / -path "*.mozilla/firefox/*/places.sqlite" -exec echo {} \\;',
    'find / -path "*/Google/Chrome/*/Bookmarks"',
    "find / -path '*/Safari/Bookmarks.plist'",
    "export HISTSIZE=0",
    "HISTFILESIZE=0 bash x.sh",
    "find -L /etc -name hosts -exec sed -i s/a/b/ {} \\;",
  ])("%s, which was missed, is asked about", (cmd) => {
    expect(classify(cmd).gated).toBe(true);
  });
});
