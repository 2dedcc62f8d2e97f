// Where the programs are measured: repositories and a home folder that are gone afterwards.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { tempFolder } from "./temp-folder.ts";

export const program = (name: "thehood" | "oracle") => join(import.meta.dirname, "..", "..", "bin", `${name}.js`);
export const bin = program("thehood");

const home = tempFolder();
export const env = { PATH: process.env["PATH"], HOME: home, THEHOOD_HOME: home, NO_COLOR: "1" };

/** Runs `thehood` in a folder and gives what it prints. */
export const thehood = (cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [bin, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

/** A repository with these files in its only commit, and the stub team. */
export function makeRepository(files: Readonly<Record<string, string>> = { "a.txt": "one\n" }): string {
  const dir = tempFolder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@example.com", ...args], {
      cwd: dir,
      stdio: "ignore",
    });
  git("init", "-q", "-b", "main");
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  thehood(dir, "teams", "apply", "stub");
  return dir;
}
