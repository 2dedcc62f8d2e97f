// The folder of one session: its name, claimed once, private to the user, with a fixed name for each file in it (T-6).
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fail } from "../../../core/contract/index.ts";

const maxBytes = 80;
const maxWord = 24;

function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => [...word].slice(0, maxWord).join(""));
}

/** Joins words with dashes as far as they fit; the first word always does, since words are short. */
function joinWords(parts: readonly string[]): string {
  let slug = "";
  for (const part of parts) {
    const longer = slug === "" ? part : `${slug}-${part}`;
    if (new TextEncoder().encode(longer).length > maxBytes) break;
    slug = longer;
  }
  return slug;
}

/** A single word could be a device name on Windows (`con`), so it is never used alone. */
const safe = (slug: string) => (slug.includes("-") ? slug : `session-${slug}`);

export function slugFromWords(given: string): string {
  const parts = wordsOf(given);
  if (parts.length < 3 || parts.length > 5)
    return fail("invalid_input", `A slug has 3 to 5 words; "${given}" has ${parts.length}.`, {
      remedy: 'For example --slug "fix login test"',
    });
  return joinWords(parts);
}

export function slugFromPrompt(prompt: string): string {
  const parts = wordsOf(prompt.slice(0, 2000)).filter((word) => word.length > 1);
  return parts.length === 0 ? "session" : safe(joinWords(parts.slice(0, 5)));
}

export const slugPattern = /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u;

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
  /** The messages of a conversation over an API, in order, so that it can be continued. */
  readonly turns: string;
  /** Space that is released when the disk is full. */
  readonly reserve: string;
  /** Files that are removed when the run ends. */
  readonly temporary: string;
}

/** In bytes. Generated names are shorter; file systems allow 255. */
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

/** The folder of the sessions cannot be used: it, or the home folder, is a file, a dead link or not the user's. */
export function homeFault(home: string, error: unknown): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
  if (code === undefined || !["ENOTDIR", "EEXIST", "ENOENT", "EACCES", "EPERM", "EROFS", "ELOOP"].includes(code))
    throw error;
  const why =
    code === "ENOTDIR" || code === "EEXIST"
      ? "it or a folder above it is a file"
      : code === "ENOENT" || code === "ELOOP"
        ? "it or a folder above it is a link to nothing"
        : code;
  return fail("store_io", `Sessions cannot be stored in ${sessionsRoot(home)}: ${why}.`, {
    remedy: "Remove what is there, or name another folder with ORACLE_HOME_DIR.",
  });
}

const taken = (error: unknown) => error instanceof Error && "code" in error && error.code === "EEXIST";

/** Creating the folder claims the name: of two runs that ask for it at once, one gets EEXIST. */
export function claimFolder(home: string, slug: string): SessionFolder {
  try {
    mkdirSync(sessionsRoot(home), { recursive: true, mode: 0o700 });
  } catch (error) {
    homeFault(home, error);
  }
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
