import { describe, expect, it } from "vitest";
import { discoverChecks } from "./discover.ts";
import { isHollowCheck } from "./hollow.ts";
import { isHollow } from "./hollow.ts";

const labels = async (files: Record<string, string>) => {
  const tree = { paths: Object.keys(files), read: (path: string) => Promise.resolve(files[path]) };
  const plan = await discoverChecks(tree);
  return {
    labels: plan.checks.map(
      (check) => `${check.kind}: ${check.argv.join(" ")}${check.cwd ? ` (in ${check.cwd})` : ""}`,
    ),
    plan,
  };
};
const scripts = (value: Record<string, string>, more: object = {}) => JSON.stringify({ scripts: value, ...more });

describe("finding the checks of a project [R-33]", () => {
  it("[R-33] takes every script, not only the first one it finds", async () => {
    const text = scripts({
      test: "node --test",
      build: "tsc -b",
      lint: "eslint .",
      typecheck: "tsc",
      start: "x",
    });
    expect((await labels({ "package.json": text })).labels).toEqual([
      "typecheck: npm run typecheck",
      "lint: npm run lint",
      "test: npm run test",
      "build: npm run build",
    ]);
  });

  it.each([
    [{ "pnpm-lock.yaml": "" }, {}, "pnpm"],
    [{ "yarn.lock": "" }, {}, "yarn"],
    [{ "bun.lockb": "" }, {}, "bun"],
    [{ "package-lock.json": "" }, {}, "npm"],
    [{ "package-lock.json": "" }, { packageManager: "pnpm@9.1.0" }, "pnpm"],
    [{}, { packageManager: "evil; rm -rf@1" }, "npm"],
  ])("uses the package manager of the project: %j %j → %s", async (files, more, manager) => {
    const found = await labels({ "package.json": scripts({ test: "x" }, more), ...files });
    expect(found.labels).toEqual([`test: ${manager} run test`]);
  });

  it("finds packages below when the root has none, and not those of dependencies", async () => {
    const found = await labels({
      "web/package.json": scripts({ test: "vitest run" }),
      "web/node_modules/x/package.json": scripts({ test: "bad" }),
      "web/sub/package.json": scripts({ test: "covered by web" }),
      "api/go.mod": "module api\n",
    });
    expect(found.labels).toContain("test: npm run test (in web)");
    expect(found.labels).toContain("test: go test ./... (in api)");
    expect(found.plan.checks.filter((check) => check.argv[0] === "npm")).toHaveLength(1);
  });

  it("[B-8] a project inside the project is checked where the work touches it", async () => {
    const { plan } = await labels({
      "package.json": scripts({ test: "node --test" }),
      "web/package.json": scripts({ test: "vitest run", lint: "eslint" }),
      "Cargo.toml": '[workspace]\nmembers = ["core"]\nexclude = ["left"]\n',
      "core/Cargo.toml": "[package]\n",
      "left/Cargo.toml": "[package]\n",
      "own/Cargo.toml": "[workspace]\n[package]\n",
      "pyproject.toml": '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
      "api/pyproject.toml": "[tool.pytest.ini_options]\n",
      "api/test_api.py": "",
    });
    expect(
      plan.checks.flatMap(({ id, cwd, within }) => (within === undefined ? [] : [`${id} ${cwd} ${within}`])),
    ).toEqual([
      "npm:test@web web web",
      "cargo:test@left left left",
      "cargo:test@own own own",
      "python:pytest@api api api",
    ]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["rust", { "Cargo.toml": "" }, "test: cargo test --offline"],
    [
      "cmake",
      { "CMakeLists.txt": "enable_testing()\n" },
      "test: bash -c cmake -S . -B build-check && cmake --build build-check && ctest --test-dir build-check --output-on-failure --no-tests=error",
    ],
    [
      "cmake without tests",
      { "CMakeLists.txt": "project(x)\n" },
      "build: bash -c cmake -S . -B build-check && cmake --build build-check",
    ],
    ["nox", { "noxfile.py": "import nox\n" }, "test: nox -R"],
    ["a cargo workspace", { "Cargo.toml": '[workspace]\nmembers = ["a"]\n' }, "test: cargo test --offline --workspace"],
    ["a module inside a module", { "go.mod": "", "tools/go.mod": "" }, "test: go test ./... (in tools)"],
    [
      "pytest in a folder",
      { "backend/pyproject.toml": "[tool.pytest.ini_options]\n", "backend/tests/test_a.py": "" },
      "test: python3 -m pytest (in backend)",
    ],
    [
      "a linter that only looks",
      { "package.json": scripts({ lint: "biome lint --write .", "lint:check": "biome lint ." }) },
      "lint: npm run lint:check",
    ],
    ["go", { "go.mod": "" }, "test: go test ./..."],
    ["pytest", { "pyproject.toml": "[tool.pytest.ini_options]\n" }, "test: python3 -m pytest"],
    ["pytest by conftest", { "a/conftest.py": "", "setup.py": "" }, "test: python3 -m pytest"],
    ["pytest by requirements", { "requirements-dev.txt": "pytest==8\n", "test_a.py": "" }, "test: python3 -m pytest"],
    ["unittest", { "tests/test_a.py": "" }, "test: python3 -m unittest discover -s tests -t ."],
    ["tox", { "tox.ini": "[tox]\n" }, "test: tox"],
    ["mypy", { "pyproject.toml": "[tool.mypy]\n" }, "typecheck: python3 -m mypy ."],
    ["ruff", { "ruff.toml": "", "setup.py": "" }, "lint: ruff check ."],
    ["make", { Makefile: "test: deps\n\tcc\nX := 1\n" }, "test: make test"],
    ["just", { justfile: "@lint arg='x':\n  echo\n" }, "lint: just lint"],
    ["gradle", { "build.gradle": "", gradlew: "" }, "test: ./gradlew check --offline --no-daemon --console=plain"],
    ["maven", { "pom.xml": "" }, "test: mvn -o -B test"],
    ["dotnet", { "App.sln": "" }, "test: dotnet test --no-restore"],
    ["composer", { "composer.json": scripts({ test: "phpunit" }) }, "test: composer run-script test"],
    ["phpunit", { "composer.json": "{}", "phpunit.xml.dist": "" }, "test: vendor/bin/phpunit"],
    ["rspec", { Gemfile: "", "spec/a_spec.rb": "" }, "test: bundle exec rspec"],
    ["rake", { Rakefile: "Rake::TestTask.new\n" }, "test: rake test"],
    ["swift", { "Package.swift": "" }, "test: swift test"],
    ["elixir", { "mix.exs": "" }, "test: mix test"],
    ["deno", { "deno.json": "{}" }, "test: deno test --cached-only"],
  ])("knows %s", async (_name, files, expected) => {
    expect((await labels(files)).labels).toContain(expected);
  });

  it("a make target does not run a second time what the manifest names", async () => {
    const found = await labels({ "go.mod": "", Makefile: "test:\n\tgo test\ndeploy:\n\tx\n" });
    expect(found.labels.filter((label) => label.startsWith("test:"))).toEqual(["test: go test ./..."]);
  });

  it("takes what is left from CI, and nothing that installs, publishes or needs a secret", async () => {
    const steps = (...lines: string[]) =>
      `jobs:\n  a:\n    steps:\n${lines.map((line) => `      - run: ${line}\n`).join("")}`;
    const path = ".github/workflows/ci.yml";
    const found = await labels({
      [path]: steps("cmake --build build", "ctest --test-dir build", "npm publish", "pytest ${{ secrets.X }}", "|"),
    });
    expect(found.labels).toEqual(["test: bash -c ctest --test-dir build", "build: bash -c cmake --build build"]);
    const covered = await labels({ [path]: steps("go test ./..."), "go.mod": "" });
    expect(covered.plan.checks.every(({ id }) => !id.startsWith("ci:"))).toBe(true);
  });

  it("finding nothing is itself a finding", async () => {
    const { plan } = await labels({ "README.md": "" });
    expect(plan).toMatchObject({ checks: [], findings: [expect.stringContaining("no check was found")] });
  });

  it("a configured check is not reported as missing", async () => {
    const tree = { paths: ["README.md"], read: () => Promise.resolve("") };
    const findings = async (kind: "test" | "lint") => {
      const configured = { id: "own", kind, cwd: "", source: "config", timeoutMs: 1_000 };
      return (await discoverChecks(tree, [{ ...configured, argv: ["make", "it"] }])).findings;
    };
    expect(await findings("test")).toEqual([]);
    expect(await findings("lint")).toEqual(["no check of kind test was found"]);
  });

  it("a manifest that cannot be read is reported, not skipped in silence", async () => {
    const { plan } = await labels({ "package.json": "{ oops" });
    expect(plan.findings.join()).toContain("package.json cannot be read");
  });

  it.each([
    ["true", true],
    [": ; exit 0", true],
    ["echo ok && true", true],
    ['echo "Error: no test specified" && exit 1', true],
    ["echo start && node --test", false],
    ["true | tsc", false],
    ["echo $(tsc)", false],
  ])("the script %j judges nothing: %s", (script, hollow) => {
    expect(isHollow(script)).toBe(hollow);
  });

  it("names each check for good", async () => {
    const files = {
      "web/package.json": scripts({ test: "x" }),
      "go.mod": "",
      "pytest.ini": "",
      gradlew: "",
      "build.gradle": "",
    };
    const ids = (await labels(files)).plan.checks.map((check) => check.id);
    expect(ids.toSorted()).toEqual(
      ["go:build", "go:test", "go:vet", "gradlew:check", "npm:test@web", "python:pytest"].toSorted(),
    );
  });

  it.each<[string, Record<string, string>, object]>([
    ["npm", {}, { workspaces: ["packages/*", "!packages/old"] }],
    ["yarn", {}, { workspaces: { packages: ["packages/*", "!packages/old"] } }],
    ["pnpm", { "pnpm-workspace.yaml": "packages:\n  - 'packages/*'  # all\n  - '!packages/old'\n" }, {}],
  ])("[R-33] what the root of a workspace does not check, its packages do: %s", async (_manager, more, root) => {
    const files = {
      "package.json": scripts({ lint: "eslint ." }, root),
      "packages/a/package.json": scripts({ test: "node --test", lint: "eslint ." }),
      "packages/b/package.json": scripts({ build: "tsc" }),
      "packages/old/package.json": scripts({ test: "node --test" }),
      "packages/a/examples/x/package.json": scripts({ test: "node --test" }),
      "examples/y/package.json": scripts({ test: "node --test" }),
      ...more,
    };
    expect((await labels(files)).labels.map((label) => label.replace(/p?npm/, "npm"))).toEqual([
      "lint: npm run lint",
      "test: npm run test (in packages/a)",
      "build: npm run build (in packages/b)",
    ]);
  });

  it("finds targets in what a Makefile includes", async () => {
    const files = { Makefile: "include rules.inc\n", "rules.inc": "test:\n\tnode --test\n" };
    expect((await labels(files)).labels).toEqual(["test: make test"]);
  });

  it.each([
    ["test:\n\t@true\n\nbuild:\n\tcc x.c\n", true],
    ["test: ; @echo fine\n", true],
    [".PHONY: test\ntest:\n\t# later\n", true],
    ["test: build\n\t@true\n", false],
    ["test:\n\t@echo start\n\tnode --test\n", false],
  ])("[R-33] a target that runs nothing judges nothing: %j", async (Makefile, hollow) => {
    const tree = { paths: ["Makefile"], read: () => Promise.resolve(Makefile) };
    const spec = (await discoverChecks(tree)).checks.find(({ kind }) => kind === "test");
    expect(spec && (await isHollowCheck(tree, spec))).toBe(hollow);
  });
});
