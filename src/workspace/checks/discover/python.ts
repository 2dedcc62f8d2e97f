// Python projects: pytest or unittest, and the type checker and linter the project configures.
import type { CheckSpec } from "../../../core/contract/index.ts";
import {
  type Finder,
  type DiscoveredChecks,
  type TreeFiles,
  check,
  firstOf,
  folderOf,
  hasFile,
  nothing,
  topmost,
} from "../tree.ts";

const isTestFile = (path: string) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);

const manifests = [
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "tox.ini",
  "pytest.ini",
  "noxfile.py",
  "requirements.txt",
];

/** The project at the root, or, when the root has none, the projects in folders below. */
export const findPython: Finder = async (tree) => {
  if (firstOf(tree, ...manifests)) return projectAt(tree, "");
  const folders = [...new Set(manifests.flatMap((name) => topmost(tree, name).map(folderOf)))]
    .toSorted()
    .filter((folder, _, all) => !all.some((above) => folder.startsWith(`${above}/`)));
  const isBelow = (path: string) => folders.some((folder) => path.startsWith(`${folder}/`));
  const rest: TreeFiles = { ...tree, paths: tree.paths.filter((path) => !isBelow(path)) };
  const found = await Promise.all([
    projectAt(rest, ""),
    ...folders.map((folder) => projectAt(below(tree, folder), folder)),
  ]);
  return { checks: found.flatMap(({ checks }) => checks), findings: [] };
};

/** The files of one folder, as if it were the root. */
export const below = (tree: TreeFiles, folder: string): TreeFiles => ({
  paths: tree.paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)),
  read: (path) => tree.read(`${folder}/${path}`),
});

async function projectAt(tree: TreeFiles, cwd: string): Promise<DiscoveredChecks> {
  const manifest = firstOf(tree, ...manifests);
  const tests = tree.paths.filter(isTestFile);
  if (!manifest && tests.length === 0) return nothing;
  const read = async (name: string) => (hasFile(tree, name) ? ((await tree.read(name)) ?? "") : "");
  const [project, setup, tox] = [await read("pyproject.toml"), await read("setup.cfg"), await read("tox.ini")];
  const checks: CheckSpec[] = [];
  if (hasFile(tree, "mypy.ini") || /^\[tool\.mypy/m.test(project) || /^\[mypy\]/m.test(setup))
    checks.push(check("pyproject.toml", "typecheck", ["python3", "-m", "mypy", "."], cwd));
  if (firstOf(tree, "ruff.toml", ".ruff.toml") || /^\[tool\.ruff/m.test(project))
    checks.push(check("pyproject.toml", "lint", ["ruff", "check", "."], cwd));
  else if (hasFile(tree, ".flake8") || /^\[flake8\]/m.test(setup + tox))
    checks.push(check(".flake8", "lint", ["python3", "-m", "flake8"], cwd));
  const test = await testCheck(tree, tests, { project, setup, tox }, cwd);
  if (test) checks.push(test);
  return { checks, findings: [] };
}

async function testCheck(
  tree: TreeFiles,
  tests: readonly string[],
  text: { project: string; setup: string; tox: string },
  cwd: string,
): Promise<CheckSpec | undefined> {
  if (await usesPytest(tree, text)) return check("pytest", "test", ["python3", "-m", "pytest"], cwd);
  if (/^\[tox\]/m.test(text.tox) || /^\[tool\.tox/m.test(text.project)) return check("tox.ini", "test", ["tox"], cwd);
  // -R: the sessions as they are installed; nothing is fetched.
  if (hasFile(tree, "noxfile.py")) return check("noxfile.py", "test", ["nox", "-R"], cwd);
  if (tests.length === 0) return undefined;
  const folders = new Set(tests.map((path) => (path.includes("/") ? (path.split("/")[0] ?? ".") : ".")));
  const [only] = folders;
  const start = folders.size === 1 && only && only !== "." ? ["-s", only, "-t", "."] : [];
  const pattern = tests.some((path) => /(^|\/)test_/.test(path)) ? [] : ["-p", "*_test.py"];
  return check("unittest", "test", ["python3", "-m", "unittest", "discover", ...start, ...pattern], cwd);
}

async function usesPytest(tree: TreeFiles, text: { project: string; setup: string; tox: string }): Promise<boolean> {
  if (tree.paths.some((path) => /(^|\/)(pytest\.ini|conftest\.py)$/.test(path))) return true;
  if (/\bpytest\b/.test(text.project + text.setup + text.tox)) return true;
  const lists = tree.paths.filter((path) =>
    /^requirements[^/]*\.(txt|in)$|^requirements\/[^/]+\.txt$|^Pipfile$/.test(path),
  );
  for (const path of lists.slice(0, 10)) if (/\bpytest\b/.test((await tree.read(path)) ?? "")) return true;
  return false;
}
