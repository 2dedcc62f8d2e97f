// The result of a check on the base commit, kept beside the run so that a later process compares with it instead of
// running the check again. It counts only in the surroundings that it was made in.
import { createHash } from "node:crypto";
import { promises } from "node:fs";
import { join } from "node:path";
import type { CheckSpec, CommandRunner } from "../../core/contract/index.ts";
import type { Repository } from "../../platform/git/index.ts";
import type { CheckRunResult } from "./run/index.ts";

export type Baseline = Omit<CheckRunResult, "command" | "read">;

interface Place {
  readonly repository: Repository;
  readonly runner: CommandRunner;
}

/** Variables that differ from shell to shell and tell nothing. */
const passing = /^(?:PWD|OLDPWD|SHLVL|_)=/;
const programs = ["sh", "node", "npm", "pnpm", "yarn", "bun", "python3", "go", "cargo", "make"];
const look = 'env; for name; do at=$(command -v "$name") && ls -lL "$at"; done; true';

/** A hash of everything around a check that may change its result: variables, programs, installed packages, sandbox, command. */
export async function surroundingsOf({ repository, runner }: Place, spec: CheckSpec): Promise<string> {
  const { stdout } = await runner.run({
    argv: ["sh", "-c", look, "sh", ...new Set([...programs, spec.argv[0]])],
    cwd: repository.top,
    writable: [],
    network: false,
    inherit: true,
    timeoutMs: 20_000,
    maxOutputBytes: 1_000_000,
  });
  const seen = Buffer.from(stdout).toString("utf8").split("\n");
  const { id, argv, cwd, timeoutMs } = spec;
  const parts = [
    [id, argv, cwd, timeoutMs, process.version, await runner.confinement()],
    seen.filter((line) => !passing.test(line)).toSorted(),
    await installed(repository.top, cwd),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

const folders = ["node_modules", "node_modules/.bin", ".venv", "venv", "vendor", "deps"];

/** The installed packages by name and time, beside the check and at the top. */
async function installed(top: string, cwd: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of new Set([top, join(top, cwd)].flatMap((at) => folders.map((name) => join(at, name)))))
    for (const name of (await promises.readdir(folder).catch(() => [])).toSorted()) {
      const stat = await promises.stat(join(folder, name)).catch(() => undefined);
      found.push(`${join(folder, name)} ${stat?.size ?? ""} ${stat?.mtimeMs ?? ""}`);
    }
  return found;
}

export const writeBaseline = (surroundings: string, { hasRunner, report, ...rest }: Baseline): string => {
  const { result, why, testsRun, silentFiles, tests } = rest;
  const kept: Baseline = { hasRunner, report, result, why, testsRun, silentFiles, tests };
  return JSON.stringify({ surroundings, kept });
};

/** Undefined where it was made in other surroundings. */
export function readBaseline(surroundings: string, text: string): Baseline | undefined {
  const made = JSON.parse(text) as { readonly surroundings: string; readonly kept: Baseline };
  return made.surroundings === surroundings ? made.kept : undefined;
}
