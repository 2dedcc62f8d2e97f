import { describe, expect, it } from "vitest";
import { judgePatch } from "./judge.ts";

const modify = (path: string, removed: string, added: string) =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${removed}\n+${added}\n`;
const create = (path: string) =>
  `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
const remove = (path: string) =>
  `diff --git a/${path} b/${path}\ndeleted file mode 100644\n--- a/${path}\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n`;

const manifest = modify("package.json", '"a": "1"', '"a": "2"');
const npm = (host: string) => `"resolved": "https://${host}/a/-/a-2.0.0.tgz"`;
const lock = modify(
  "package-lock.json",
  npm("registry.npmjs.org"),
  npm("registry.npmjs.org").replace("2.0.0", "2.1.0"),
);

const effects = (patch: string) =>
  judgePatch(patch, {})
    .findings.filter(({ reason }) => reason === "protected_path")
    .map(({ path, effect }) => `${path} ${effect}`);

/** Which kinds of change to protected files can weaken the checks, and which only add or follow. */
const table: readonly (readonly [what: string, patch: string, effect: string])[] = [
  ["a lock file beside its changed manifest", manifest + lock, "package-lock.json follows"],
  ["a lock file alone", lock, "package-lock.json weakens"],
  [
    "a lock file with the manifest of a member of its workspace",
    lock + modify("sub/package.json", "a", "b"),
    "package-lock.json follows",
  ],
  [
    "a lock file with the manifest of another folder",
    modify("a/yarn.lock", "a", "b") + modify("b/package.json", "a", "b"),
    "a/yarn.lock weakens",
  ],
  ["a lock file in a member of a workspace", manifest + modify("sub/yarn.lock", "a", "b"), "sub/yarn.lock weakens"],
  [
    "an approved output of a changed test",
    modify("test/ReportTest.java", "a", "b") + modify("test/ReportTest.monthly.approved.txt", "a", "b"),
    "test/ReportTest.monthly.approved.txt follows",
  ],
  [
    "a lock file that fetches from a new place",
    manifest + modify("package-lock.json", npm("registry.npmjs.org"), npm("evil.invalid")),
    "package-lock.json weakens",
  ],
  ["a removed lock file", manifest + remove("package-lock.json"), "package-lock.json weakens"],
  [
    "Cargo.lock beside Cargo.toml",
    modify("c/Cargo.toml", "a", "b") + modify("c/Cargo.lock", "a", "b"),
    "c/Cargo.lock follows",
  ],
  ["a new test", create("tests/new.test.ts"), "tests/new.test.ts adds"],
  ["a new file that runners load before the tests", create("tests/conftest.py"), "tests/conftest.py weakens"],
  ["a changed test", modify("tests/a.test.ts", "a", "b"), "tests/a.test.ts weakens"],
  ["a removed test", remove("tests/a.test.ts"), "tests/a.test.ts weakens"],
  [
    "the snapshot of a changed test",
    modify("src/a.test.ts", "a", "b") + modify("src/__snapshots__/a.test.ts.snap", "a", "b"),
    "src/__snapshots__/a.test.ts.snap follows",
  ],
  [
    "the snapshot of a test that did not change",
    modify("src/__snapshots__/a.test.ts.snap", "a", "b"),
    "src/__snapshots__/a.test.ts.snap weakens",
  ],
  [
    "a removed snapshot",
    modify("src/a.test.ts", "a", "b") + remove("src/__snapshots__/a.test.ts.snap"),
    "src/__snapshots__/a.test.ts.snap weakens",
  ],
];

describe("[R-32] changes of protected files differ by their effect", () => {
  it.each(table)("%s", (_, patch, effect) => {
    expect(effects(patch)).toContain(effect);
  });

  it("every one of them is still asked about, once, and what can weaken the checks is the message", () => {
    const verdict = judgePatch(create("tests/new.test.ts") + lock + modify("tests/a.test.ts", "a", "b"), {});
    expect(verdict.verdict).toBe("approval");
    expect(verdict.findings.map(({ path }) => path)).toEqual([
      "package-lock.json",
      "tests/a.test.ts",
      "tests/new.test.ts",
    ]);
    expect(verdict.message).toBe("package-lock.json is protected (lockfile, dependency)");
    expect(judgePatch(create("tests/new.test.ts"), {}).message).toBe(
      "tests/new.test.ts is protected (test): it is new and takes nothing away",
    );
  });
});
