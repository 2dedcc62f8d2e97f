// Writes blind tests into the checkout, because a person wants them: as new files of the user's, never over one that is
// there and never through a link. They are in no commit of ours.
import { promises } from "node:fs";
import { dirname, join } from "node:path";
import type { EffectContext, EffectOf, EffectOutcome } from "../../../core/contract/index.ts";
import { entryAt, systemCode } from "../../../platform/system/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { answeredTests, type TestFile, unusable } from "./files.ts";

export async function keepBlindTests(
  deps: EffectDeps,
  { response, files }: EffectOf<"keep_blind_tests">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const { top } = repositoryOf(deps);
  const paths: string[] = [];
  const left: string[] = [];
  const tests = await answeredTests(deps, response);
  await context.fence();
  for (const path of files) {
    const test = tests.find((one) => one.path === path);
    const why = test === undefined || unusable(path, new Set()) ? "it is not in the answer" : await write(top, test);
    if (why === undefined) paths.push(path);
    else left.push(`${path}: ${why}`);
  }
  return { kind: "keep_blind_tests", kept: { paths, left } };
}

/** Why it was not written. A file with the very same text was written before a crash, and counts as written. */
async function write(top: string, { path, text }: TestFile): Promise<string | undefined> {
  const file = join(top, path);
  if (passesLink(top, path)) return "a link is in its way";
  try {
    await promises.mkdir(dirname(file), { recursive: true });
    await promises.writeFile(file, text, { flag: "wx" });
    return undefined;
  } catch (error) {
    const code = systemCode(error);
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    const isSame = entryAt(file)?.isFile() && (await promises.readFile(file, "utf8")) === text;
    return isSame ? undefined : "a file is there already";
  }
}

function passesLink(top: string, path: string): boolean {
  const parts = path.split("/");
  return parts.some((_, at) => entryAt(join(top, ...parts.slice(0, at + 1)))?.isSymbolicLink() === true);
}
