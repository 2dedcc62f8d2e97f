// A repository that tracks our own state folder ships runs, approvals or policy for us: none of it is taken.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../core/contract/index.ts";
import { isStateName } from "../system/index.ts";
import { entryAt, systemCode } from "../system/index.ts";
import { mayTrackState, parseStaged, type StagedEntry } from "./index-file.ts";
import type { Repository } from "./locate.ts";
import { readRepositoryConfig } from "./config-read.ts";
import { fromBytePath, splitRecords } from "./records.ts";
import { gitSync } from "./run.ts";

const mostBytes = 64 << 20;

export function stagedEntries(repository: Repository): StagedEntry[] {
  const file = join(repository.gitDir, "index");
  const found = entryAt(file);
  if (!found) return [];
  const plain = found.isFile() && found.size <= mostBytes ? readWhole(file) : undefined;
  return (plain && parseStaged(plain, idBytesOf(repository))) ?? askGit(repository);
}

/** Undefined when it is gone since the stat, or may not be read: git then reports it. */
function readWhole(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function idBytesOf(repository: Repository): number {
  const formats = readRepositoryConfig(repository).filter(
    ({ section, subsection, name }) => section === "extensions" && subsection === null && name === "objectformat",
  );
  return formats.at(-1)?.value?.toLowerCase() === "sha256" ? 32 : 20;
}

function askGit(repository: Repository): StagedEntry[] {
  return splitRecords(gitSync(repository, ["ls-files", "-s", "-z"]).stdout).map((record) => {
    const tab = record.indexOf("\t");
    const [mode = "", id = "", stage = "0"] = record.slice(0, tab).split(" ");
    return {
      path: fromBytePath(record.slice(tab + 1)),
      mode: Number.parseInt(mode, 8),
      id,
      stage: Number(stage),
    };
  });
}

/** A foreign file that is removed from the index alone stays in the folder and would be read as ours. */
export const trackedRemedy =
  "If a stranger shipped it: git rm -r .thehood. If it is your own: git rm -r --cached .thehood.";

/** Paths of our state folder that the repository itself tracks. Any is a reason to refuse it. */
export function trackedState(repository: Repository): string[] {
  if (!mayTrackState(repository)) return [];
  return stagedEntries(repository)
    .map(({ path }) => path)
    .filter((path) => isStateName(path.split("/", 1)[0] ?? ""));
}

export function refuseTrackedState(repository: Repository): void {
  const tracked = trackedState(repository);
  if (tracked.length === 0) return;
  fail(
    "unsafe_repository",
    `This repository tracks ${tracked[0] ?? ".thehood"}: it ships state or policy for the runtime.`,
    {
      remedy: `Policy comes from you, never from a repository. ${trackedRemedy}`,
      details: { paths: tracked.slice(0, 20) },
    },
  );
}
