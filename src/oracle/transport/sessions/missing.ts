// The refusal of a session that is not there. It names the one that was probably meant: nothing is done with it unasked.
import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { fail, nearest } from "../../../core/contract/index.ts";
import { systemCode } from "../../../platform/system/index.ts";
import type { SessionFolder } from "./folder.ts";

function namesBeside({ dir }: SessionFolder): string[] {
  try {
    return readdirSync(dirname(dir)).sort();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [];
  }
}

export function noSession(folder: SessionFolder): never {
  const names = namesBeside(folder);
  const meant = names.find((name) => name.startsWith(folder.id)) ?? nearest(folder.id, names);
  const asks = meant === undefined ? "" : `Did you mean ${meant}? `;
  return fail("not_found", `There is no session "${folder.id}".`, {
    remedy: `${asks}List them with: oracle status`,
  });
}
