// Small real repositories for tests, made with plain git as a user would.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { prepareRepository } from "./prepared-repository.ts";
import { removeFolder } from "./remove-folder.ts";

const identity = [
  "user.name=Ann",
  "user.email=ann@example.com",
  "commit.gpgSign=false",
  "maintenance.auto=false",
].flatMap((setting) => ["-c", setting]);

/** Plain git, as somebody else would run it: hooks and config of the repository are in force. */
export function plainGit(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...identity, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent", GIT_CONFIG_NOSYSTEM: "1" },
  });
}

/** Plain git in one folder. */
export const gitIn =
  (folder: string) =>
  (...args: string[]): string =>
    plainGit(folder, ...args).trimEnd();

/** Writes files below a folder, with the folders that they need. */
export function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** A repository on `main` with these files in its only commit. */
export function commitFiles(
  folder: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  message: string,
): void {
  writeFiles(folder, files);
  const content = Object.entries(files).map(([path, text]) => [path, Buffer.from(text).toString("latin1")]);
  prepareRepository(folder, JSON.stringify([message, content]), () => {
    plainGit(folder, "init", "-q", "-b", "main");
    plainGit(folder, "add", "-A");
    plainGit(folder, "commit", "-q", "--allow-empty", "-m", message);
  });
}

export interface TestRepository {
  readonly dir: string;
  git(...args: string[]): string;
  write(path: string, content: string | Uint8Array, mode?: number): void;
  commit(message?: string): string;
  remove(): void;
}

export function makeRepository(
  files: Readonly<Record<string, string | Uint8Array>> = { "a.txt": "one\n" },
): TestRepository {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "thehood-repo-")));
  const repository: TestRepository = {
    dir,
    git: (...args) => plainGit(dir, ...args),
    write(path, content, mode) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), content, mode === undefined ? {} : { mode });
    },
    commit(message = "change") {
      plainGit(dir, "add", "-A");
      plainGit(dir, "commit", "-q", "--allow-empty", "-m", message);
      return plainGit(dir, "rev-parse", "HEAD").trim();
    },
    remove: () => removeFolder(dir),
  };
  commitFiles(dir, files, "first");
  return repository;
}
