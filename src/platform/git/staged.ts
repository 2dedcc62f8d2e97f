// The staged entries: read from the index file itself, which git replaces as a whole, or asked of git where the file has a
// form of its own.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt, systemCode } from "../system/index.ts";
import { readRepositoryConfig } from "./config-read.ts";
import { parseStaged, type StagedEntry } from "./index-file.ts";
import { fromBytePath, splitRecords } from "./lists.ts";
import type { Repository } from "./locate.ts";
import { gitSync } from "./run.ts";

const mostBytes = 64 << 20;

export function stagedEntries(repository: Repository): StagedEntry[] {
  const file = join(repository.gitDir, "index");
  const found = entryAt(file);
  if (!found) return [];
  const plain = found.isFile() && found.size <= mostBytes ? readWhole(file) : undefined;
  return (plain && parseStaged(plain, idBytesOf(repository))) ?? askGit(repository);
}

/** Undefined when it has gone at this very moment, or may not be read: git then says so. */
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
    ({ section, subsection, name }) =>
      section === "extensions" && subsection === null && name === "objectformat",
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
