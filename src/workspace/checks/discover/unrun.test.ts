import { describe, expect, it } from "vitest";
import type { CheckSpec } from "../../../core/contract/index.ts";
import { unrunScripts } from "./unrun.ts";

const treeOf = (files: Readonly<Record<string, unknown>>) => ({
  paths: Object.keys(files),
  read: (path: string) => Promise.resolve(path in files ? JSON.stringify(files[path]) : undefined),
});
const spec = (name: string, cwd = ""): CheckSpec => ({
  id: `npm:${name}@${cwd}`,
  kind: "test",
  argv: ["npm", "run", name],
  cwd,
  source: "package.json",
  timeoutMs: 1,
});
const unrun = async (files: Readonly<Record<string, unknown>>, checks: readonly CheckSpec[]) =>
  (await unrunScripts(treeOf(files), checks)).map(({ command, paths }) => `${command}: ${paths.join(", ")}`);

describe("[B-8] suites that no check runs", () => {
  it("a script beside the check is named, with the paths that it names", async () => {
    const scripts = {
      test: "node --test test/unit",
      "test:integration": "node --test test/integration",
      "test:all": "npm test && npm run test:integration",
    };
    expect(await unrun({ "package.json": { scripts } }, [spec("test")])).toEqual([
      "npm run test:integration: test/integration",
    ]);
    expect(await unrun({ "package.json": { scripts } }, [spec("test:all")])).toEqual([]);
  });

  it("the same suite in another form is not", async () => {
    const scripts = {
      test: "vitest run",
      "test:ci": "vitest run --reporter=junit",
      "test:unit": "vitest run src/unit",
      "test:watch": "vitest",
      coverage: "vitest run --coverage",
      build: "tsc",
      "test:e2e": "vitest run --config e2e.config.ts",
    };
    expect(await unrun({ "package.json": { scripts } }, [spec("test")])).toEqual(["npm run test:e2e: e2e.config.ts"]);
  });

  it("packages of a workspace are named where no check runs their tests", async () => {
    const files = {
      "package.json": { workspaces: ["packages/*"], scripts: { test: "node --test packages/a" } },
      "packages/a/package.json": { scripts: { test: "node --test" } },
      "packages/b/package.json": { scripts: { test: "node --test" } },
    };
    expect(await unrun(files, [spec("test")])).toEqual(["npm run test in packages/b: packages/b"]);
    const needing = { ...files, "packages/b/package.json": { scripts: { test: "jest" }, dependencies: { a: "*" } } };
    const named = { ...needing, "packages/a/package.json": { name: "a", scripts: { test: "node --test" } } };
    expect((await unrunScripts(treeOf(named), [spec("test")]))[0]?.needs).toEqual(["packages/a"]);
    const whole = { ...files, "package.json": { scripts: { test: "npm test --workspaces" } } };
    expect(await unrun(whole, [spec("test")])).toEqual([]);
  });

  const ci = async (workflow: string, check: CheckSpec["argv"], path = ".github/workflows/ci.yml") => {
    const tree = { paths: [path], read: (name: string) => Promise.resolve(name === path ? workflow : undefined) };
    const found = await unrunScripts(tree, [{ ...spec("x"), argv: check }]);
    return found.map(({ command, paths }) => `${command}: ${paths.join(", ")}`);
  };

  it("lines of CI that start a runner are named, also in a block", async () => {
    const workflow =
      "jobs:\n  a:\n    steps:\n      - name: Run pytest tests/slow\n      - run: pytest tests/unit\n      - run: |\n          pip install pytest\n          pytest tests/integration\n      - run: go test -tags integration ./...\n";
    expect(await ci(workflow, ["python3", "-m", "pytest", "tests/unit"])).toEqual([
      "go test -tags integration ./...: ",
      "pytest tests/integration: tests/integration",
    ]);
    expect(await ci(workflow, ["bash", "-c", "pytest"])).toEqual(["go test -tags integration ./...: "]);
  });

  it.each([
    [".travis.yml", "script:\n  - npm test\n  - pytest integration/slow\n"],
    [
      "azure-pipelines.yml",
      "steps:\n  - script: pytest integration/slow\n    displayName: slow\n  - bash: |\n      true\n",
    ],
    [
      "bitbucket-pipelines.yml",
      "pipelines:\n  default:\n    - step:\n        script:\n          - pytest integration/slow\n",
    ],
    [".gitlab-ci.yml", "slow:\n  script: pytest integration/slow\n"],
  ])("lines of %s are read too", async (path, text) => {
    expect(await ci(text, ["pytest", "tests/unit"], path)).toEqual(["pytest integration/slow: integration/slow"]);
  });

  it("a line of CI that runs what a check runs is not", async () => {
    const lines = (...all: string[]) => all.map((line) => `      - run: ${line}\n`).join("");
    expect(await ci(lines("go test -race ./...", "go vet ./..."), ["go", "test", "./..."])).toEqual([]);
    expect(await ci(lines("python -m pytest --cov", "pytest -m 'not slow'"), ["pytest"])).toEqual([]);
    expect(await ci(lines("cargo test --all-features"), ["cargo", "test"])).toEqual([]);
    expect(await ci(`${lines("jest")}        working-directory: web\n`, ["npx", "jest", "web/src"])).toEqual([]);
  });
});
