import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRepository } from "../../../platform/git/index.ts";
import { redact, valueRules } from "../../../core/secrets/index.ts";
import { makeRepository } from "../../../../tests/support/repository.ts";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { valuesIn } from "./include.ts";
import {
  captureChanges,
  createWorktree,
  includedFiles,
  includedValues,
  listPinnedFolders,
  retireWorktree,
  stateFolder,
} from "./index.ts";

const files = {
  ".gitignore": ".env\nlocal/\nbig.bin\nlink/\n",
  ".worktreeinclude": "# settings of this machine\n.env\nlocal/*.json\nsrc/**\nbig.bin\nlink/x\n",
  "src/a.js": "1;\n",
};

function scene() {
  const made = makeRepository(files);
  const secret = ["pk", "49ae", "Lmn0", "7731"].join("-");
  made.write(".env", `export KEY="${secret}"\nMODE=development\nPORT=30000\nHOME_URL=http://localhost:3000/x\n`);
  made.write("local/settings.json", '{\n  "token": "zQ81-another-value",\n  "short": "abc"\n}\n');
  made.write("local/notes.txt", "not named\n");
  made.write("src/new.js", "named, and not ignored\n");
  made.write("big.bin", "x".repeat((1 << 20) + 1));
  const found = findRepository(made.dir);
  if (!found) throw new Error("no repository");
  return { made, repository: found, secret };
}

describe(".worktreeinclude", () => {
  it("gives a worker the ignored files that it names, and no others, as no part of its work", async () => {
    const { made, repository } = scene();
    expect(await includedFiles(repository)).toEqual([".env", "local/settings.json"]);
    const worktree = await createWorktree(repository, {
      runId: "run_000001",
      baseCommit: made.git("rev-parse", "HEAD").trim(),
    });
    expect(readFileSync(join(worktree.path, ".env"), "utf8")).toContain("KEY=");
    expect(existsSync(join(worktree.path, "local/settings.json"))).toBe(true);
    expect(
      ["local/notes.txt", "src/new.js", "big.bin"].filter((path) => existsSync(join(worktree.path, path))),
    ).toEqual([]);
    writeFileSync(join(worktree.path, "src/a.js"), "2;\n");
    const { tree } = await captureChanges(worktree);
    expect(made.git("ls-tree", "-r", "--name-only", tree).trim().split("\n")).toEqual(Object.keys(files));
    await retireWorktree(repository, "run_000001");
    expect(existsSync(worktree.path)).toBe(false);
    expect(listPinnedFolders(stateFolder(repository))).toEqual([]);
    made.remove();
  });

  it("writes through no link of the commit", async () => {
    const outside = tempFolder("outside-");
    const made = makeRepository({ ".gitignore": "link/x\n", ".worktreeinclude": "link/x\n" });
    symlinkSync(outside, join(made.dir, "link"));
    made.git("add", "-A");
    const base = made.commit("a link");
    made.git("rm", "-q", "--cached", "link");
    rmSync(join(made.dir, "link"));
    mkdirSync(join(made.dir, "link"));
    writeFileSync(join(made.dir, "link", "x"), "secret=1234567a\n");
    const repository = findRepository(made.dir);
    if (!repository) throw new Error("no repository");
    expect(await includedFiles(repository)).toEqual(["link/x"]);
    await createWorktree(repository, { runId: "run_000002", baseCommit: base.trim() });
    expect(existsSync(join(outside, "x"))).toBe(false);
    made.remove();
  });

  it("makes their values secrets, and leaves words, numbers and addresses of this machine alone", async () => {
    const { made, repository, secret } = scene();
    const values = await includedValues(repository);
    expect(values).toEqual([secret, "zQ81-another-value"]);
    const { text } = redact(`key ${secret} in development at http://localhost:3000/x`, {
      rules: valueRules(values, undefined),
    });
    expect(text).toBe("key ***REDACTED*** in development at http://localhost:3000/x");
    expect(valuesIn("no assignment here at all: none\n")).toEqual([]);
    made.remove();
  });
});
