// Reads the refs under one folder of our own namespace from git's files. `git for-each-ref` reads every folder beside it
// too, and there is one for each run.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../core/contract/index.ts";
import { entryAt } from "../system/index.ts";
import type { Repository } from "./locate.ts";
import { isFullId } from "./objects.ts";

export interface OwnRef {
  readonly ref: string;
  readonly commit: string;
}

/**
 * The refs directly in `folder`, which starts with `refs/thehood/`. Undefined where the files cannot say it: git stores
 * refs in another form, or a file holds something else than an id.
 */
export function readOwnRefs({ commonDir }: Repository, folder: string): readonly OwnRef[] | undefined {
  if (entryAt(join(commonDir, "reftable"))) return undefined;
  const found = new Map<string, string>();
  // git writes the packed refs before it removes the files of them, so in this order none is missed.
  const loose = namesIn(join(commonDir, folder)).filter((name) => !name.endsWith(".lock"));
  const ids = loose.map((name) => [`${folder}/${name}`, textOf(join(commonDir, folder, name))?.trim()] as const);
  for (const line of linesWith(textOf(join(commonDir, "packed-refs")) ?? "", ` ${folder}/`)) {
    const [commit = "", ref = ""] = line.split(" ");
    if (ref.startsWith(`${folder}/`)) found.set(ref, commit);
  }
  // A file that is gone since was packed or dropped meanwhile.
  for (const [ref, commit] of ids) if (commit !== undefined) found.set(ref, commit);
  const refs = [...found].map(([ref, commit]) => ({ ref, commit }));
  return refs.every(({ commit }) => isFullId(commit)) ? refs : undefined;
}

const absent = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (absent(error)) return [];
    throw error;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "latin1");
  } catch (error) {
    if (absent(error)) return undefined;
    // A folder of that name is no ref of ours.
    if (systemCode(error) === "EISDIR") return "";
    throw error;
  }
}

/** The lines that contain the words, without a list of all lines. */
function* linesWith(text: string, words: string): Generator<string> {
  for (let at = text.indexOf(words); at !== -1;) {
    const end = text.indexOf("\n", at);
    yield text.slice(text.lastIndexOf("\n", at) + 1, end === -1 ? undefined : end);
    if (end === -1) return;
    at = text.indexOf(words, end);
  }
}
