import { describe, expect, it } from "vitest";
import { filesOf } from "./defining-files.ts";

const filesFor = (files: Record<string, string>, argv: [string, ...string[]], cwd = "") =>
  filesOf(
    { paths: Object.keys(files), read: (path) => Promise.resolve(files[path]) },
    { id: "x", kind: "test", argv, cwd, source: "x", timeoutMs: 1 },
  );
const pkg = (scripts: Record<string, string>, more: object = {}) => JSON.stringify({ scripts, ...more });

describe("what a check runs is part of the check [R-33]", () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      "a script file",
      { "package.json": pkg({ test: "node tools/verify.mjs" }), "tools/verify.mjs": "" },
      ["tools/verify.mjs"],
    ],
    [
      "the script that a shell script loads from its own folder",
      {
        "package.json": pkg({ test: "sh scripts/verify.sh" }),
        "scripts/verify.sh": '. "$(dirname "$0")/common.sh"\nmust true\n',
        "scripts/common.sh": "",
      },
      ["scripts/common.sh", "scripts/verify.sh"],
    ],
    [
      "the plugin that the configuration of a runner imports, and what it imports in turn",
      {
        "package.json": pkg({ test: "vitest run" }),
        "vitest.config.js": "import { banner } from './build/banner.js';\nexport default { plugins: [banner()] };",
        "build/banner.js": "import { mark } from './mark.js';\nimport '../src/add.js';",
        "build/mark.js": "",
        "src/add.js": "",
      },
      ["build/banner.js", "build/mark.js"],
    ],
    [
      "the setup files that a field of the manifest names",
      {
        "package.json": pkg({ test: "jest" }, { jest: { setupFiles: ["<rootDir>/support/early.js"] } }),
        "support/early.js": "",
        "support/late.js": "",
      },
      ["support/early.js"],
    ],
    [
      "the plugins that pytest loads by name",
      {
        "conftest.py": 'pytest_plugins = ["helpers.quality"]\n',
        "pyproject.toml":
          '[tool.pytest.ini_options]\naddopts = "-p tools.extra -p no:cacheprovider"\n[project.entry-points.pytest11]\nown = "calc.plug"\n',
        "helpers/quality.py": "",
        "tools/extra.py": "",
        "calc/plug.py": "",
        "calc/add.py": "",
      },
      ["calc/plug.py", "helpers/quality.py", "tools/extra.py"],
    ],
    [
      "the module beside a Python script",
      {
        "package.json": pkg({ test: "python3 tools/v.py" }),
        "tools/v.py": "from rules import must\nimport os\n",
        "tools/rules.py": "",
      },
      ["tools/rules.py", "tools/v.py"],
    ],
    [
      "the rules that a script reads",
      {
        "package.json": pkg({ test: "node tools/lint.mjs" }),
        "tools/lint.mjs": "read('config/rules.json'); read('../src/data.json'); read(\"absent.json\");",
        "config/rules.json": "[]",
        "src/data.json": "[]",
      },
      ["config/rules.json", "tools/lint.mjs"],
    ],
    [
      "without its ending",
      { "package.json": pkg({ test: "node tools/verify" }), "tools/verify.js": "" },
      ["tools/verify.js"],
    ],
    [
      "a shell file, and what that starts",
      {
        "package.json": pkg({ test: "sh ./go.sh" }),
        "go.sh": "set -e\npython3 tools/x.py \\\n  --all\n",
        "tools/x.py": "",
      },
      ["go.sh", "tools/x.py"],
    ],
    [
      "hooks around the script",
      { "package.json": pkg({ pretest: "./prepare", test: "node --test", posttest: "node after.js" }) },
      ["after.js"],
    ],
    [
      "other scripts it calls",
      {
        "package.json": pkg({
          test: "npm run unit && yarn lint",
          unit: "node unit.js",
          lint: "node lint.js",
          other: "node other.js",
        }),
      },
      ["lint.js", "unit.js"],
    ],
    [
      "what is loaded before",
      { "package.json": pkg({ test: "node -r ./setup.cjs --import=./hooks.mjs --test" }) },
      ["hooks.mjs", "setup.cjs"],
    ],
    [
      "configuration by option",
      { "package.json": pkg({ test: "mocha --config ci/m.json --reporter=./r.js" }) },
      ["ci/m.json", "r.js"],
    ],
    [
      "environment files",
      { "package.json": pkg({ test: "FOO=1 node --env-file-if-exists=my.env --test" }) },
      ["my.env"],
    ],
    [
      "what the script imports beside itself",
      {
        "package.json": pkg({ test: "node tools/v.mjs" }),
        "tools/v.mjs": "import { a } from './lib/a.mjs';\nimport '../src/x.js';",
        "tools/lib/a.mjs": "",
      },
      ["tools/lib/a.mjs", "tools/v.mjs"],
    ],
  ])("npm: %s", async (_what, files, expected) => {
    expect(await filesFor(files, ["npm", "run", "test"])).toEqual(expected);
  });

  it("make: what it includes, here or not yet, and what its recipes start", async () => {
    const files = {
      Makefile:
        "include rules.inc\n-include local.inc\nX := $(shell node a.js)\ntest: build\n\t@node tools/t.js && ./run-all.sh\n",
      "rules.inc": "build:\n\t$(PYTHON) tools/b.py\n",
      "tools/b.py": "",
    };
    expect(await filesFor(files, ["make", "test"])).toEqual([
      "local.inc",
      "rules.inc",
      "run-all.sh",
      "tools/b.py",
      "tools/t.js",
    ]);
  });

  it("a configured shell line, and one in a folder of its own", async () => {
    expect(await filesFor({}, ["bash", "-c", "cd x; ./check.sh | tee log"])).toEqual(["check.sh"]);
    const web = { "web/package.json": pkg({ test: "node t/go.js" }), "web/t/go.js": "" };
    expect(await filesFor(web, ["npm", "run", "test"], "web")).toEqual(["web/t/go.js"]);
  });

  it("what is judged is not part of what judges: source, entry points, other packages", async () => {
    const files = {
      "package.json": pkg(
        { test: "node src/index.js && node cli.js --self-test && node node_modules/x/y.js" },
        { bin: { x: "./cli.js" } },
      ),
      "src/index.js": "",
      "cli.js": "",
    };
    expect(await filesFor(files, ["npm", "run", "test"])).toEqual([]);
  });

  it("a script that calls itself, or leads out of the tree, ends", async () => {
    const files = {
      "package.json": pkg({ test: "npm run test && sh a.sh", x: "y" }),
      "a.sh": "sh a.sh\nsh ../../etc/passwd\n",
    };
    expect(await filesFor(files, ["npm", "run", "test"])).toEqual(["a.sh"]);
  });
});

describe("files that only tests use", () => {
  const files = {
    "package.json": "{}",
    "src/add.js": "export const add = (a, b) => a + b; load('../data/units.json');",
    "data/units.json": "{}",
    "data/cases.json": "[]",
    "support/same.js": "import assert from 'node:assert'; export const same = assert.equal;",
    "calc.js": "export const calc = 1;",
    "test/add.test.js":
      "import { add } from '../src/add.js'; import '../calc.js'; import { same } from '../support/same';\n" +
      "read('../data/cases.json'); read('data/units.json');",
  };
  it("[R-33] expected values and helpers that assert define the check, product files do not", async () => {
    expect(await filesFor(files, ["node", "--test"])).toEqual(["data/cases.json", "support/same.js"]);
  });

  it("expected values that a test names and that are not there yet are the test's own", async () => {
    const files = { "test/a.test.js": "const f = 'out/expected.txt'; if (!existsSync(f)) write(f, '3');" };
    expect(await filesFor(files, ["node", "--test"])).toContain("out/expected.txt");
  });
});
