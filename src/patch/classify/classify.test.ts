// Which paths need an approval of their own, in every ecosystem and case; and what is proven documentation.
import { describe, expect, it } from "vitest";
import { classifyPath, globMatches, isProtectedPath } from "./index.ts";
import { pathRules } from "./rules.ts";

const guarded: Record<string, readonly string[]> = {
  dependency: [
    ".pnp.cjs",
    ".pnp.loader.mjs",
    "node_modules",
    "node_modules/.bin/tsc",
    "web/node_modules/mocha/index.js",
    "NODE_MODULES/x.js",
    ".venv/bin/python3",
    "venv/lib/python3.12/site-packages/pytest/__init__.py",
    "vendor/bin/phpunit",
    "vendor/github.com/x/y.go",
    "deps/ecto/mix.exs",
  ],
  test: [
    "test",
    "tests",
    "spec",
    "test/app.test.js",
    "tests/a.py",
    "Tests/Foo.swift",
    "__tests__/a.ts",
    "spec/models/user_spec.rb",
    "Spec/a.rb",
    "e2e/login.ts",
    "cypress/e2e/a.cy.ts",
    "src/foo.test.ts",
    "src/foo.spec.tsx",
    "pkg/foo_test.go",
    "test_foo.py",
    "foo_test.py",
    "conftest.py",
    "src/test/java/FooTest.java",
    "FooTest.java",
    "FooTests.cs",
    "TestFoo.java",
    "FooIT.java",
    "FooSpec.scala",
    "MyApp.Tests/Foo.cs",
    "MyAppTests/Foo.swift",
    "MyAppUITests/Bar.swift",
    "src/androidTest/A.kt",
    "t/basic.t",
    "foo_test.exs",
    "foo_test.dart",
    "login.feature",
    "a.bats",
    "integration-tests/a.ts",
    "integration_tests/a.rs",
    "tests.rs",
    "src/tests.rs",
    "test-utils/x.ts",
    "setupTests.ts",
    "spec_helper.rb",
    "packages/x/test/y.ts",
    "playwright/a.ts",
    "unittests/a.cpp",
    "TEST/A.JS",
    "foo-spec.js",
    "x.e2e.ts",
  ],
  fixture: [
    "fixtures/a.json",
    "__fixtures__/a",
    "pkg/testdata/a.golden.txt",
    "__mocks__/fs.js",
    "spec/cassettes/a.yml",
    "test-data/x",
  ],
  snapshot: [
    "__snapshots__/a.snap",
    "a.test.ts.snap",
    "goldens/a.png",
    "x.approved.txt",
    "__image_snapshots__/a.png",
  ],
  eval: ["evals/a.yaml", "eval/x.py", "src/agent.eval.ts", "promptfooconfig.yaml", "__evals__/a"],
  runner: [
    "pytest.py",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    "pytest/__init__.py",
    "_pytest/__main__.py",
    "unittest.py",
    "src/argparse.py",
    "sitecustomize.py",
    "re.py",
    "x.pth",
    "node.config.json",
    "jest.config.js",
    "vitest.config.ts",
    "packages/a/vitest.config.mts",
    "playwright.config.ts",
    "cypress.config.js",
    "karma.conf.js",
    ".mocharc.yml",
    "pytest.ini",
    "tox.ini",
    "phpunit.xml.dist",
    ".rspec",
    "jest.setup.ts",
    "vitest.workspace.ts",
    ".coveragerc",
    "codecov.yml",
  ],
  ci: [
    ".github/workflows/ci.yml",
    ".github/actions/x/action.yml",
    ".gitlab-ci.yml",
    ".circleci/config.yml",
    ".travis.yml",
    "azure-pipelines.yml",
    "Jenkinsfile",
    ".buildkite/pipeline.yml",
    ".drone.yml",
    "bitbucket-pipelines.yml",
    "appveyor.yml",
    ".cirrus.yml",
    "action.yml",
    ".GitHub/Workflows/x.yml",
    "CODEOWNERS",
    ".github/CODEOWNERS",
    "cloudbuild.yaml",
    ".forgejo/workflows/a.yml",
  ],
  hook: [
    ".husky/pre-commit",
    ".husky/_/husky.sh",
    "lefthook.yml",
    ".pre-commit-config.yaml",
    ".githooks/pre-push",
    ".lintstagedrc.json",
    "lint-staged.config.js",
  ],
  agent: [
    ".claude/settings.json",
    ".claude/commands/x.md",
    "CLAUDE.md",
    "AGENTS.md",
    "sub/AGENTS.md",
    ".mcp.json",
    ".codex/config.toml",
    ".cursor/rules/a.mdc",
    ".cursorrules",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".aider.conf.yml",
    "opencode.json",
    ".vscode/mcp.json",
    ".windsurf/x",
    "skills/a/SKILL.md",
  ],
  editor: [
    ".vscode/tasks.json",
    ".vscode/settings.json",
    ".idea/workspace.xml",
    "a.code-workspace",
    ".exrc",
    ".dir-locals.el",
  ],
  registry: [
    ".npmrc",
    "packages/a/.npmrc",
    ".yarnrc.yml",
    ".yarn/releases/yarn.cjs",
    "pip.conf",
    ".cargo/config.toml",
    "nuget.config",
    ".mvn/extensions.xml",
    "gradle/wrapper/gradle-wrapper.properties",
    "gradlew",
    ".pnpmfile.cjs",
    "bunfig.toml",
  ],
  git: [".gitattributes", "src/.gitattributes", ".gitconfig", ".lfsconfig"],
  environment: [".envrc", ".env", ".env.local", "mise.toml"],
  container: [".devcontainer/devcontainer.json", "devcontainer.json"],
  manifest: [
    "package.json",
    "packages/a/package.json",
    "pyproject.toml",
    "setup.py",
    "requirements.txt",
    "requirements-dev.txt",
    "requirements/base.txt",
    "Cargo.toml",
    "go.mod",
    "Gemfile",
    "pom.xml",
    "composer.json",
    "App.csproj",
    "mix.exs",
    "pubspec.yaml",
    "Package.swift",
    "build.rs",
    "deno.json",
    "pnpm-workspace.yaml",
    "turbo.json",
  ],
  lockfile: [
    "package-lock.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "go.sum",
    "Gemfile.lock",
    "composer.lock",
    "bun.lockb",
    "packages.lock.json",
    "Podfile.lock",
    "flake.lock",
    ".terraform.lock.hcl",
  ],
  build: [
    "Makefile",
    "makefile",
    "GNUmakefile",
    "sub/Makefile",
    "rules.mk",
    "justfile",
    "Taskfile.yml",
    "Rakefile",
    "CMakeLists.txt",
    "build.gradle.kts",
    "webpack.config.js",
    "vite.config.ts",
    "babel.config.json",
    ".babelrc",
    "gulpfile.js",
    "meson.build",
    "BUILD.bazel",
    ".nvmrc",
    "rust-toolchain.toml",
  ],
  lint: [
    ".eslintrc.json",
    "eslint.config.mjs",
    ".prettierrc",
    ".prettierignore",
    "biome.json",
    ".oxlintrc.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "ruff.toml",
    ".flake8",
    "mypy.ini",
    ".rubocop.yml",
    ".golangci.yml",
    "clippy.toml",
    ".clang-tidy",
    "phpstan.neon",
    ".swiftlint.yml",
    "knip.json",
    "commitlint.config.js",
  ],
};

describe("protected paths", () => {
  const rows = Object.entries(guarded).flatMap(([kind, paths]) => paths.map((path) => [kind, path] as const));
  it.each(rows)("[R-32] %s: %s", (kind, path) => {
    const found = classifyPath(path);
    expect(found.protected).toBe(true);
    expect(found.kinds).toContain(kind);
  });

  it.each([
    "src/app.js",
    "src/contest.ts",
    "src/latest/x.ts",
    "src/features/login/form.tsx",
    "lib/attestation.go",
    "src/inspect.ts",
    "bin/run.sh",
    "README.md",
    "docs/guide.md",
    ".gitignore",
    ".github/ISSUE_TEMPLATE/bug.md",
    ".github/dependabot.yml",
    "Dockerfile",
    "src/medieval/x.ts",
    "src/retrieval.ts",
    "src/Protest.java",
    "src/lock.ts",
    "src/makefile-parser.ts",
    "src/jest/index.ts",
    "src/app/app.config.ts",
    "src/hooks/use-login.ts",
    "src/agents/planner.ts",
    "img/dot.bin",
    "src/fastest.py",
    "hosts",
    "src/specification.ts",
  ])("ordinary: %s", (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });

  it("what makes programs run is told apart from what is only checked by", () => {
    for (const path of [
      ".github/workflows/a.yml",
      ".husky/pre-commit",
      ".claude/settings.json",
      ".npmrc",
      ".gitattributes",
      "package.json",
      ".envrc",
    ]) {
      expect(classifyPath(path).executes).toBe(true);
    }
    for (const path of ["test/a.ts", "Makefile", "yarn.lock", "tsconfig.json"])
      expect(classifyPath(path).executes).toBe(false);
  });

  it("the user's globs add to the table", () => {
    expect(isProtectedPath("src/billing/a.ts", ["src/billing/**"])).toBe(true);
    expect(isProtectedPath("SRC/Billing/a.ts", ["src/billing/"])).toBe(true);
    expect(isProtectedPath("src/other/a.ts", ["src/billing/**"])).toBe(false);
    expect(classifyPath("docs/contract.md", ["docs/**"])).toEqual({
      protected: true,
      executes: false,
      kinds: ["source"],
    });
  });
});

describe("documentation", () => {
  it.each([
    "README.md",
    "readme",
    "CHANGELOG.md",
    "LICENSE",
    "docs/a/b.md",
    "docs/img/a.png",
    "CONTRIBUTING.rst",
    "SECURITY.md",
    "docs/authentication.md",
    "doc/notes.txt",
    "src/module/README.md",
  ])("[R-40] proven: %s", (path) => {
    expect(classifyPath(path).kinds).toEqual(["docs"]);
  });

  it.each([
    "requirements.txt",
    "CMakeLists.txt",
    "docs/conf.py",
    "docs/package.json",
    "notes.txt",
    "AGENTS.md",
    "prompts/system.md",
    "test/README.md",
    "docs/site.js",
    "src/content/post.md",
    "robots.txt",
    "docs/page.mdx",
  ])("[R-40] not proven: %s", (path) => {
    expect(classifyPath(path).kinds).not.toContain("docs");
  });
});

describe("globs", () => {
  it.each([
    ["**/test/**", "a/test/b", true],
    ["**/*.snap", "x/y.snap", true],
    ["**/*.snap", "y.snap", true],
    ["*.snap", "x/y.snap", true],
    ["/x.ts", "a/x.ts", false],
    ["/x.ts", "x.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["src/**/b.ts", "src/b.ts", true],
    ["src/**/b.ts", "src/x/y/b.ts", true],
    ["src/{a,b}/*.ts", "src/b/x.ts", true],
    ["src/{a,b}/*.ts", "src/c/x.ts", false],
    ["src/[ab]*.ts", "src/abc.ts", true],
    ["src/[!ab]*.ts", "src/abc.ts", false],
    ["src/?.ts", "src/a.ts", true],
    ["src", "src/deep/a.ts", true],
    ["src/", "src-evil/a.ts", false],
    ["", "x", false],
    ["**", "x/y", true],
  ])("%s on %s: %s", (glob, path, wanted) => {
    expect(globMatches(glob, path)).toBe(wanted);
  });

  it("in a list of what is allowed a plain name means the one at the top", () => {
    expect(globMatches("src", "lib/src/a.ts")).toBe(true);
    expect(globMatches("src", "lib/src/a.ts", { anchored: true })).toBe(false);
    expect(globMatches("src", "src/a.ts", { anchored: true })).toBe(true);
    expect(globMatches("*.md", "docs/a.md", { anchored: true })).toBe(true);
  });

  it("a hostile pattern ends", () => {
    expect(globMatches(`${"*a".repeat(200)}b`, "a".repeat(1000))).toBe(false);
    expect(globMatches(`${"**/a/".repeat(50)}b`, "a/".repeat(300))).toBe(false);
    expect(globMatches("{a,b}".repeat(40), "c".repeat(40))).toBe(false);
  });
});

describe("what is told from a name before a pattern is asked", () => {
  it("patterns of hidden names take no other, and those with a case want a capital letter", () => {
    const hidden = pathRules.flatMap((rule) => rule.hidden ?? []);
    expect(hidden.length).toBeGreaterThan(5);
    for (const { source } of hidden) expect(source).toMatch(/^\^\\\./);
    const cased = pathRules.flatMap(({ cased: own }) => [own?.name ?? [], own?.folder ?? []].flat());
    expect(cased.length).toBeGreaterThan(0);
    for (const name of ["FooTest.java", "TestFoo.kt", "ITFoo.cs", "fooIT.java", "appUITests", "fooSpecs"])
      for (const pattern of cased) expect(pattern.test(name.toLowerCase()), `${pattern} ${name}`).toBe(false);
  });
});
