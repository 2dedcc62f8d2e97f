// Blind tests with real git, a real runner and a tester that means no good.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { ProviderCall, ProviderPort } from "../../src/core/contract/index.ts";
import type { UserPolicy } from "../../src/core/crew/policy/index.ts";
import { createStub } from "../../src/agents/index.ts";
import { claims } from "../../src/core/machine/index.ts";
import { cleanUp, fix, git, nodeTest, person, project, sample, start } from "./harness.ts";

afterEach(cleanUp);

const careful: UserPolicy = {
  approvals: "autopilot",
  blindTests: "on",
  checks: [nodeTest],
  discoverChecks: false,
  sabotage: "off",
};
const head = "import assert from 'node:assert';\nimport test from 'node:test';\nimport { add } from '../src/add.js';\n";
const good = `${head}test('adds other numbers', () => assert.equal(add(20, 22), 42));\n`;
const wrong = `${head}test('wants the impossible', () => assert.equal(add(1, 1), 3));\n`;

const answer = (tests: readonly { path: string; content: string }[]) => [{ payload: { summary: "written", tests } }];
const scripted = (...tests: { path: string; content: string }[]) => ({
  roles: { implementer: [{ edits: [fix] }, { edits: [], payload: { status: "no_change", reason: "it is right" } }] },
  blindTests: answer(tests),
  repeatLast: true,
});

/** The sample already tests its bug, so its base fails; a test of another behaviour passes there. */
const files = {
  ...sample,
  "test/add.test.js": sample["test/add.test.js"]?.toString().replace("add(1, 2), 3", "add(1, 0), 1") ?? "",
};

async function run(...tests: { path: string; content: string }[]) {
  const done = await (await start({ files, policy: careful, script: scripted(...tests) })).drive();
  return { done, result: done.events("blind_tests_run")[0]?.tests };
}

describe("blind tests in a real run", () => {
  it("[B-33] fail on the base, pass on the work, and are kept only when a person wants them", async () => {
    const { done, result } = await run({ path: "test/other.test.js", content: good });
    expect(result, done.story()).toMatchObject({
      ran: 1,
      proving: 1,
      idle: 0,
      failing: 0,
      files: ["test/other.test.js"],
    });
    expect(done.state, done.story()).toBe("completed");
    expect(claims(done.run)).toContainEqual(expect.objectContaining({ kind: "blind_tests", standing: "proven" }));
    expect(done.text(result?.text)).toContain("==> test/other.test.js <==");
    expect(git(done.dir, "status", "--short")).toBe(" M src/add.js");
    await done.submit({ type: "keep_tests", by: person });
    await done.go();
    expect(done.file("test/other.test.js")).toBe(good);
    expect(git(done.dir, "status", "--short")).toBe(" M src/add.js\n?? test/other.test.js");
  });

  it("[B-33] the tester reads the base commit alone: no work, no git folder, and the checkout is named as hidden", async () => {
    const seen: { files: string[]; source: string; workspace: ProviderCall["workspace"] }[] = [];
    const stub = createStub();
    const watching: ProviderPort = {
      ...stub,
      id: "watcher",
      resolve: (model) => ({ ok: true, identity: `watcher:${model}` }),
      send(call, signal) {
        const { dir } = call.workspace;
        if (call.purpose === "blind_tests" && dir !== null)
          seen.push({
            files: readdirSync(dir).toSorted(),
            source: readFileSync(join(dir, "src/add.js"), "utf8"),
            workspace: call.workspace,
          });
        return stub.send(call, signal);
      },
    };
    const script = scripted({ path: "test/other.test.js", content: good });
    const done = await (
      await start({ files, policy: careful, script, providers: [watching], roles: { qa: "watcher:one" } })
    ).drive();
    const [one] = seen;
    expect(one?.files, done.story()).toEqual(["README.md", "package.json", "src", "test"]);
    expect(one?.source).toBe(sample["src/add.js"]);
    expect(one?.workspace).toMatchObject({
      mode: "read_only",
      hides: expect.arrayContaining([done.dir, join(done.dir, ".git")]),
    });
    expect(existsSync(one?.workspace.dir ?? "/")).toBe(false);
    expect(
      done.events("agent_asked").find(({ call }) => call.purpose === "blind_tests")?.call.assignment.assignment,
    ).toBe("watcher:one");
  });

  it("[B-33] a test that always fails goes back once and then waits for a person; it is in no directive", async () => {
    const { done } = await run({ path: "test/never.test.js", content: wrong });
    expect(done.gate.kind, done.story()).toBe("isolated_patch_application");
    expect(done.gate.doubts?.map(({ kind }) => kind)).toContain("blind_tests");
    expect(done.events("revision_packet_written")).toHaveLength(1);
    const directives = done.events("agent_directive_created").map(({ record }) => done.text(record.directive));
    for (const text of directives) expect(text).not.toMatch(/impossible|never\.test/);
  });

  it.each([
    ["that always pass prove nothing", "test('x', () => {});", { ran: 1, proving: 0, idle: 1, failing: 0 }],
    ["that end the process prove nothing", "test('x', () => {}); process.exit(0);", { proving: 0 }],
    [
      "that patch the runner's assertions prove nothing",
      "assert.equal = () => {}; test('x', () => assert.equal(add(1, 1), 3));",
      { proving: 0 },
    ],
    [
      "that write into the project leave nothing behind",
      "import { writeFileSync } from 'node:fs'; writeFileSync(new URL('../src/add.js', import.meta.url), 'export const add = () => 42;'); writeFileSync(new URL('../planted.js', import.meta.url), ''); test('x', () => {});",
      { proving: 0 },
    ],
    [
      "with an error do not load, and that is no proof",
      "import { nothing } from '../src/none.js';",
      { proving: 0, failing: 1 },
    ],
  ])("[B-33] tests %s", async (_, body, expected) => {
    const { done, result } = await run({ path: "test/hostile.test.js", content: `${head}${body}\n` });
    expect(result, done.story()).toMatchObject(expected);
    expect(existsSync(join(done.dir, "planted.js"))).toBe(false);
    expect(claims(done.run).find(({ kind }) => kind === "blind_tests")?.standing).toBe("unproven");
  });

  it("[B-33] files that are no new tests of the project are not used, each for a reason", async () => {
    const bad = [
      "../out.test.js",
      "/tmp/x.test.js",
      "test/add.test.js",
      "package.json",
      "test/conftest.py",
      "src/add.js",
      ".github/workflows/test.yml",
      "test/a/../b.test.js",
    ];
    const { done, result } = await run(...bad.slice(0, 8).map((path) => ({ path, content: good })));
    expect(
      result?.unused.map((line) => line.split(": ")[0]),
      done.story(),
    ).toEqual(bad);
    expect(result).toMatchObject({ files: [], ran: 0, notRun: expect.stringContaining("no file of the answer") });
  });

  it("[B-33] an answer that is far too long is refused like that of any role, and holds nothing up", async () => {
    const { done, result } = await run({ path: "test/big.test.js", content: `${good}${"//x\n".repeat(20_000)}` });
    expect(done.state, done.story()).toBe("completed");
    expect(result?.notRun).toContain("did not keep their contract");
  });

  it("[B-33] a runner that reports no tests is known before anybody is asked", async () => {
    const check = { id: "own", kind: "test", argv: ["grep", "-q", "add", "src/add.js"] } as const;
    const done = await (
      await start({
        files,
        policy: { ...careful, checks: [{ ...check, argv: [...check.argv] }] },
        script: scripted({ path: "test/o.test.js", content: good }),
      })
    ).drive();
    expect(done.events("agent_asked").some(({ call }) => call.purpose === "blind_tests")).toBe(false);
    expect(done.events("blind_tests_run")[0]?.tests.notRun).toContain("reports no single tests");
  });

  it("[B-33] are not written over a file of the user's, nor through a link", async () => {
    const dir = project(files);
    const script = scripted({ path: "test/other.test.js", content: good });
    const done = await (await start({ dir, policy: careful, script })).drive();
    const { writeFileSync } = await import("node:fs");
    writeFileSync(join(dir, "test/other.test.js"), "mine");
    await done.submit({ type: "keep_tests", by: person });
    await done.go();
    expect(done.file("test/other.test.js")).toBe("mine");
    expect(done.events("blind_tests_kept")[0]?.kept).toMatchObject({
      paths: [],
      left: [expect.stringContaining("already")],
    });
  });
});
