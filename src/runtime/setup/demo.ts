// Makes the demo's sample repository: a copy of the shipped sample, committed.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { findRepository, git, gitProgram } from "../../platform/git/index.ts";
import { installedFile, systemCode, temporaryRoot } from "../../platform/system/index.ts";

export async function makeSample(searchPath: string | undefined, folder?: string) {
  const from = installedFile("demo", "demo");
  const repo = folder === undefined ? mkdtempSync(join(temporaryRoot(), "thehood-demo-")) : resolve(folder);
  try {
    mkdirSync(repo, { recursive: true });
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    fail("invalid_input", `${repo} cannot be made (${code}).`, {
      remedy: "Give an empty or a new folder with --dir.",
    });
  }
  if (readdirSync(repo).length > 0)
    fail("invalid_input", `${repo} is not empty.`, { remedy: "Give an empty or a new folder with --dir." });
  cpSync(join(from, "sample"), repo, { recursive: true });
  // The only git call outside of platform/git: the repository does not exist yet.
  const env = {
    PATH: searchPath,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_TEMPLATE_DIR: "",
  };
  const made = spawnSync(gitProgram(), ["init", "-q", "-b", "main", repo], { env, encoding: "utf8" });
  if (made.status !== 0)
    fail("git_failed", `git init failed: ${made.error?.message ?? made.stderr.trim()}`, {
      remedy: "Install git.",
    });
  const repository = findRepository(repo);
  if (!repository) throw new Error("git init made no repository");
  await git(repository, ["add", "-A"]);
  await git(repository, ["commit", "--message=A small library with a bug"]);
  return {
    repo: repository.top,
    script: JSON.parse(readFileSync(join(from, "script.json"), "utf8")) as unknown,
    goal: "Make minutes() understand hours: its tests fail",
  };
}
