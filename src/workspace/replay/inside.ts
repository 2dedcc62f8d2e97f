// The same calls as one more test of the project, inside its own runner: a call that gives there what was recorded, and
// something else outside, behaves by the runner. One that gives something else there too depends on what its tests set up.
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { temporaryRoot } from "../../platform/system/index.ts";
import { runCheck, runnersNamed, scriptOf, shownAt, type TreeFiles, treeFiles } from "../checks/index.ts";
import type { ReplaySite } from "./bare.ts";
import type { LoadedModule } from "./calls.ts";
import { isModuleText } from "./instrument.ts";
import { openPipe } from "./pipe.ts";
import { type PlannedCall, type Played, readPlayed } from "./played.ts";
import { isTestCode } from "./targets.ts";
import { nodeTest, pythonTest } from "./texts.ts";

interface InsideRun {
  readonly tree: string;
  readonly modules: readonly LoadedModule[];
  readonly calls: readonly PlannedCall[];
  readonly seed: number;
  /** In the place of a test file that loads one of the modules: code may ask for its name. */
  readonly inPlace?: true;
}

/** Each test file has a process of its own there, so that none leaves anything behind for another one. */
const apart = new Set(["node", "vitest", "jest"]);

const label = "inside";

/** Undefined where the runner did not run the added test. */
export async function playInside(site: ReplaySite, run: InsideRun): Promise<Played | undefined> {
  const files = await treeFiles(site.repository, run.tree);
  const python = run.calls[0]?.m.endsWith(".py") ?? false;
  const models = files.paths.filter(
    (path) =>
      isTestCode(path) &&
      path.endsWith(".py") === python &&
      (site.spec.cwd === "" || path.startsWith(`${site.spec.cwd}/`)) &&
      !/(?:conftest|__init__)\.py$/.test(path),
  );
  const runner = runnersNamed(await scriptOf(files, site.spec))[0] ?? "";
  if (run.inPlace && !apart.has(runner)) return undefined;
  const model = run.inPlace ? await loaderOf(files, models, run.calls) : models[0];
  const pipe = openPipe();
  if (model === undefined || !pipe) {
    await pipe?.close();
    return undefined;
  }
  const top = shownAt(site.repository.top);
  // Before the other tests, and with another folder for temporary files: what they leave behind is not to be met.
  const mark = `0${randomBytes(3).toString("hex")}`;
  const temporary = mkdtempSync(join(temporaryRoot(), "app-"));
  const plan = {
    pipe: pipe.path,
    label,
    calls: run.calls,
    times: 8,
    modules: Object.fromEntries(
      run.modules.flatMap(({ file, module }) => (module === undefined ? [] : [[file, module]])),
    ),
    paths: [...new Set(run.modules.flatMap(({ paths }) => paths.map((path) => join(top, path))))],
  };
  const isModule = isModuleText(model, (await files.read(model)) ?? "");
  const text = python ? pythonTest(plan, `T${mark}`) : nodeTest(runner, plan, top, isModule);
  let said = "";
  try {
    if (text !== null)
      await runCheck({
        ...site,
        tree: run.tree,
        edits: [{ path: run.inPlace ? model : join(dirname(model), besideName(basename(model), mark)), text }],
        attached: {
          own: [
            { path: pipe.folder, access: "read" },
            { path: temporary, access: "private" },
          ],
          env: { TMPDIR: temporary, ...(python ? { PYTHONHASHSEED: String(run.seed) } : {}) },
        },
      });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
    said = await pipe.close();
  }
  return readPlayed(said).get(label);
}

const mostRead = 60;

/** The first test file that names a module of these calls. */
async function loaderOf(
  files: TreeFiles,
  models: readonly string[],
  calls: readonly PlannedCall[],
): Promise<string | undefined> {
  const names = new Set(calls.map(({ m }) => basename(m).replace(/\.\w+$/, "")));
  for (const path of models.slice(0, mostRead)) {
    const text = (await files.read(path)) ?? "";
    if ([...names].some((name) => text.includes(`/${name}`))) return path;
  }
  return undefined;
}

/** A name by which the runner finds it as it found the other one. */
export function besideName(name: string, mark: string): string {
  if (/^test_.*\.py$/.test(name)) return `test_${mark}.py`;
  if (name.endsWith("_test.py")) return `${mark}_test.py`;
  if (/^test.*\.py$/.test(name)) return `test${mark}.py`;
  const ending = /(?:[.-_](?:test|spec))?\.[cm]?[jt]sx?$/.exec(name)?.[0] ?? name;
  return `${/^test[.-]/.test(name) && !/\.test\./.test(name) ? "test-" : ""}${mark}${ending}`;
}
