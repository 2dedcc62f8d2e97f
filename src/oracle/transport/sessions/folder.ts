// The folder of one session: claimed once, private to the user, with a fixed name for each file in it (T-6).
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../../core/contract/index.ts";
import { slugPattern } from "./slug.ts";

export interface SessionFolder {
  readonly id: string;
  readonly dir: string;
  readonly session: string;
  readonly log: string;
  readonly result: string;
  readonly metrics: string;
  readonly diff: string;
  readonly answer: string;
  readonly answerHtml: string;
  readonly partial: string;
  readonly bundle: string;
  /** The conversation over an API, in order, so that it can go on. */
  readonly turns: string;
  /** Holds what must not outlive the run. */
  readonly reserve: string;
  readonly temporary: string;
}

/** Ours are shorter; the name of a folder can be a little longer. */
const longestId = 200;

export const sessionsRoot = (home: string) => join(home, "sessions");

export function sessionFolder(home: string, id: string): SessionFolder {
  if (!slugPattern.test(id) || Buffer.byteLength(id) > longestId)
    return fail("not_found", `"${id.slice(0, longestId)}" is not the name of a session.`, {
      remedy: "List them with: oracle status",
    });
  const dir = join(sessionsRoot(home), id);
  const at = (name: string) => join(dir, name);
  return {
    id,
    dir,
    session: at("session.json"),
    log: at("output.log"),
    result: at("result.json"),
    metrics: at("metrics.json"),
    diff: at("diff.patch"),
    answer: at("answer.md"),
    answerHtml: at("answer.html"),
    partial: at("answer.partial.md"),
    bundle: at("bundle.json"),
    turns: at("turns.json"),
    reserve: at("reserve.tmp"),
    temporary: at("tmp"),
  };
}

const taken = (error: unknown) => error instanceof Error && "code" in error && error.code === "EEXIST";

/** Making the folder is the claim: of two runs that want a name at the same moment the system lets one have it. */
export function claimFolder(home: string, slug: string): SessionFolder {
  mkdirSync(sessionsRoot(home), { recursive: true, mode: 0o700 });
  for (let number = 1; ; number += 1) {
    const folder = sessionFolder(home, number === 1 ? slug : `${slug}-${number}`);
    try {
      mkdirSync(folder.dir, { mode: 0o700 });
      return folder;
    } catch (error) {
      if (!taken(error)) throw error;
    }
  }
}
