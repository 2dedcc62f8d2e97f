// The results of `checks test`, one file a check, so that a run on the same commit uses them and `checks` and `doctor` show
// them. A wrong file can excuse nothing: a run uses only a pass, and work that breaks it is then a regression.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { parseJson, type CheckEvidence } from "../../core/contract/index.ts";
import { writeWhole } from "../../platform/system/index.ts";

export interface TestedOnTree {
  readonly at: number;
  readonly check: CheckEvidence;
}

const folderOf = (stateDir: string): string => join(stateDir, "tested");

const nameOf = (checkId: string): string => createHash("sha256").update(checkId).digest("hex").slice(0, 32);

/** The newest result of a check takes the place of the one before. */
export function keepTested(stateDir: string, { at, check }: TestedOnTree): void {
  const folder = folderOf(stateDir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = nameOf(check.checkId);
  const bytes = Buffer.from(`${JSON.stringify({ at, check })}\n`);
  writeWhole(join(folder, `${name}.json`), join(folder, `${name}.${process.pid}`), bytes);
}

/** Undefined where the check was not tested on exactly this tree. */
export function testedCheck(stateDir: string, tree: string, checkId: string): TestedOnTree | undefined {
  const file = join(folderOf(stateDir), `${nameOf(checkId)}.json`);
  if (!existsSync(file)) return undefined;
  const found = parseJson(readFileSync(file, "utf8")) as Partial<TestedOnTree> | undefined;
  const check = found?.check;
  return check?.tree === tree && check.checkId === checkId && typeof found?.at === "number"
    ? { at: found.at, check }
    : undefined;
}
