// Reads the refs under one folder of our own namespace from git's files. `git for-each-ref` reads every folder beside it
// too, and there is one for each run.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "../../core/contract/index.ts";
import { entryAt } from "../system/index.ts";
import type { Repository } from "./locate.ts";
import { isFullId } from "./objects.ts";
import { git } from "./run.ts";

export interface OwnRef {
  readonly ref: string;
  /** The id of what it points at. */
  readonly object: string;
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
    const [object = "", ref = ""] = line.split(" ");
    if (ref.startsWith(`${folder}/`)) found.set(ref, object);
  }
  // A file that is gone since was packed or dropped meanwhile.
  for (const [ref, object] of ids) if (object !== undefined) found.set(ref, object);
  const refs = [...found].map(([ref, object]) => ({ ref, object }));
  return refs.every(({ object }) => isFullId(object)) ? refs : undefined;
}

/** What one ref holds; null where there is none, undefined where the files cannot say it. */
export function readOwnRef({ commonDir }: Repository, ref: string): string | null | undefined {
  if (entryAt(join(commonDir, "reftable"))) return undefined;
  const read = () => {
    const loose = textOf(join(commonDir, ref))?.trim();
    if (loose !== undefined && loose !== "") return loose;
    const packed = [...linesWith(textOf(join(commonDir, "packed-refs")) ?? "", ` ${ref}`)];
    return packed.map((line) => line.split(" ")).find(([, name]) => name === ref)?.[0] ?? null;
  };
  // One that was packed between the two looks is found by the second.
  const found = read() ?? read();
  return found === null || isFullId(found) ? found : undefined;
}

/** The same, by asking git where the files cannot say it. */
export async function askOwnRef(repository: Repository, ref: string): Promise<string | null> {
  const known = readOwnRef(repository, ref);
  if (known !== undefined) return known;
  const { exitCode, stdout } = await git(repository, ["rev-parse", "--verify", "--quiet", ref], { accept: [0, 1] });
  return exitCode === 0 ? stdout.toString("latin1").trim() : null;
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
