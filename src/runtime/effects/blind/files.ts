// The files of a blind tester's answer, and which of them may be run: new test files alone, each inside the project.
import { type ArtifactRef, parseJson, recordOf, responseContracts } from "../../../core/contract/index.ts";
import { classifyPath } from "../../../core/patch/index.ts";
import type { EffectDeps } from "../deps.ts";
import { loadedByName } from "../patch/paths.ts";

export interface TestFile {
  readonly path: string;
  readonly text: string;
}

/** As the answer is stored: secrets in it are redacted. */
export async function answeredTests({ artifacts, text }: EffectDeps, response: ArtifactRef): Promise<TestFile[]> {
  const { data } = recordOf(parseJson(text.decode(await artifacts.read(response.ref))));
  const { tests: list } = recordOf(recordOf(data)[responseContracts.blind_tests_result.key]);
  const tests: unknown[] = Array.isArray(list) ? list : [];
  return tests.flatMap((one) => {
    const { path, content } = recordOf(one);
    return typeof path === "string" && typeof content === "string" ? [{ path, text: content }] : [];
  });
}

const outside = /^[/\\~]|^[A-Za-z]:|\\|[\0-\x1f\x7f]|\/\/|\/$/;

/** Why a path is not used; undefined when it may be. `taken`: paths of the base commit and of the work. */
export function unusable(path: string, taken: ReadonlySet<string>): string | undefined {
  const parts = path.split("/");
  if (outside.test(path) || parts.some((part) => part === "" || part === "." || part === ".."))
    return "it is not a path inside the project";
  const { kinds, executes } = classifyPath(path);
  if (!kinds.includes("test")) return "its name is not one of a test";
  if (executes || loadedByName.test(path) || kinds.some((kind) => kind !== "test" && kind !== "source"))
    return "its name is one that runners or tools load for other files";
  if (taken.has(path)) return "a file is there already";
  const folders = parts.slice(0, -1).map((_, at) => parts.slice(0, at + 1).join("/"));
  return folders.some((folder) => taken.has(folder)) ? "a file is there already" : undefined;
}

export interface Sorted {
  readonly used: readonly TestFile[];
  readonly unused: readonly string[];
}

export function sortTests(tests: readonly TestFile[], taken: ReadonlySet<string>): Sorted {
  const used = new Map<string, TestFile>();
  const unused: string[] = [];
  for (const test of tests) {
    const why = used.has(test.path) ? "the answer holds it twice" : unusable(test.path, taken);
    if (why === undefined) used.set(test.path, test);
    else unused.push(`${test.path.slice(0, 200)}: ${why}`);
  }
  return { used: [...used.values()], unused };
}
