// The result of a check on the base commit from an earlier run or from `checks test` is used again where commit, command, tools and settings are
// the same. Only a pass is: work that breaks it is then a regression, so a wrong memory can never excuse a failure.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { CheckEvidence, CheckSpec, EffectOf } from "../../../core/contract/index.ts";
import type { EffectDeps } from "../deps.ts";

/** Folders and files that hold what a check needs beside its tree. */
const dependencies = ["node_modules", "node_modules/.package-lock.json", ".venv", "venv", "vendor", "target", "build"];

function stampOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.mtimeMs}` : "";
}

/** The command with its limits, the machine, and the state of what is installed in the checkout. */
export function toolsOf(root: string, { argv, cwd, files = [], timeoutMs, lacks = [] }: CheckSpec): string {
  const installed = ["", cwd].flatMap((folder) => dependencies.map((name) => stampOf(join(root, folder, name))));
  const machine = [process.version, process.platform, process.arch, process.getuid?.() ?? 0];
  return createHash("sha256")
    .update(JSON.stringify([argv, cwd, files, timeoutMs, lacks, machine, installed]))
    .digest("hex");
}

const dayMs = 24 * 60 * 60_000;

const sameWords = (one: readonly string[], other: readonly string[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export async function earlierResult(
  deps: EffectDeps,
  { check, tree }: EffectOf<"run_check">,
  tools: string,
): Promise<CheckEvidence | undefined> {
  const found = await deps.earlier?.(tree, check.id);
  if (!found || Date.now() - found.at > dayMs) return undefined;
  const { check: known, runId, at } = found;
  if (known.result !== "passed" || known.tools !== tools || !sameWords(known.argv, check.argv)) return undefined;
  // A test is compared by name with the tests of the base commit, so their list must be there.
  if (check.kind === "test" && (!known.baseline || !(await deps.artifacts.has(known.baseline.ref)))) return undefined;
  const logs = [known.stdout, known.stderr].filter((ref) => ref !== null);
  for (const { ref } of logs) if (!(await deps.artifacts.has(ref))) return undefined;
  return { ...known, reused: known.reused ?? { ...(runId === undefined ? {} : { runId }), at } };
}
