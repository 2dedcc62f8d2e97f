// A first look at whether a repository tracks our own state folder, from the index alone: every start can afford it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../system/index.ts";
import { isStateName } from "../paths/names/index.ts";
import { someTop } from "./index-file.ts";
import type { Repository } from "./locate.ts";

const mostBytes = 64 << 20;
const idBytes = 20;

/** False when it certainly tracks none. An index that cannot be read here, or looks like some, is for a closer look. */
export function mayTrackState({ gitDir }: Repository): boolean {
  const file = join(gitDir, "index");
  const found = entryAt(file);
  if (!found) return false;
  if (!found.isFile() || found.size > mostBytes) return true;
  return someTop(readFileSync(file), idBytes, looksLikeState) ?? true;
}

/** Plain letters are compared as they stand: an expression with Unicode properties takes long to compile. */
const looksLikeState = (top: string): boolean =>
  /^[\x20-\x7e]*$/.test(top)
    ? /^\.?thehoo/i.test(top)
    : isStateName(Buffer.from(top, "latin1").toString("utf8"));
