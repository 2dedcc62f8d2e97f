// Every way a run can end, with its status, its exit code and a result that fits the published schema.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/server/validators/ajv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type RunResult, resultStatuses } from "../../src/core/contract/transport/index.ts";
import { resultJsonSchema } from "../../src/core/contract/transport/schema/index.ts";
import { Bench, type DoubleTurn, fence } from "./bench.ts";
import { waitFor } from "./wait.ts";

const published = resolve(import.meta.dirname, "../../docs/schemas/result.schema.json");
const diff = "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n";
const secret = ["ghp", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].join("_");

let bench: Bench;
beforeEach(() => {
  bench = new Bench();
});
afterEach(() => bench.dispose());

const schema = () => JSON.parse(readFileSync(published, "utf8")) as Record<string, unknown>;
const valid = (value: unknown) => new AjvJsonSchemaValidator().getValidator(schema())(value);

/** As the clause tells them: a script that reads them outlives our tables. */
const exitCodes = {
  success: 0,
  diff_missing: 2,
  invalid_diff: 2,
  partial: 2,
  secret_detected: 3,
  apply_failed: 4,
  commit_failed: 5,
  timeout: 6,
  error: 1,
} satisfies Record<RunResult["status"], number>;

/** The keys that every result has, as the clause tells them. */
const always = [
  "status",
  "diffFound",
  "diffValidated",
  "diffApplied",
  "applyMode",
  "branch",
  "commitSha",
  "retryCount",
  "elapsedMs",
  "promptChars",
  "responseChars",
  "patchBytes",
  "diffPath",
  "secretScan",
];

interface Case {
  readonly status: RunResult["status"];
  readonly turns?: readonly DoubleTurn[];
  readonly flags?: readonly string[];
  readonly prompt?: string;
  readonly repository?: boolean;
}

const cases: readonly Case[] = [
  { status: "success", turns: [{ answer: "fine" }] },
  {
    status: "success",
    turns: [{ answer: fence(diff) }],
    flags: ["--apply-mode", "commit"],
    repository: true,
  },
  { status: "diff_missing", turns: [{ answer: "none" }], flags: ["--strict-diff"] },
  {
    status: "invalid_diff",
    turns: [{ answer: fence(diff.replace("@@ -1 +1 @@", "@@ x @@")) }],
    flags: ["--strict-diff"],
  },
  { status: "partial", turns: [{ answer: "```diff\n" + diff }], flags: ["--strict-diff"] },
  {
    status: "partial",
    turns: [{ answer: "half", complete: false, incompleteReason: "no proof of completion" }],
  },
  { status: "secret_detected", prompt: `use ${secret}`, flags: ["--secret-scan"] },
  {
    status: "apply_failed",
    turns: [{ answer: fence(diff.replace("-one", "-uno")) }],
    flags: ["--apply-mode", "apply"],
    repository: true,
  },
  {
    status: "commit_failed",
    turns: [
      {
        answer: fence(
          "diff --git a/x.log b/x.log\nnew file mode 100644\n--- /dev/null\n+++ b/x.log\n@@ -0,0 +1 @@\n+x\n",
        ),
      },
    ],
    flags: ["--apply-mode", "commit"],
    repository: true,
  },
  { status: "timeout", turns: [{ hang: true, answer: "so far so good" }], flags: ["--timeout", "500ms"] },
  { status: "timeout", turns: [{ deaf: true }], flags: ["--timeout", "300ms"] },
  { status: "error", turns: [{ crash: "The page died." }] },
  { status: "error", turns: [{ bug: "undefined is not a function" }] },
  { status: "error", turns: [{ stray: "an error that nobody awaited" }] },
  { status: "error", turns: [] },
];

describe("the end of a run", () => {
  it.each(cases)("[T-27][T-28][T-29] $status has its exit code and a complete result", async (one) => {
    if (one.repository === true) bench.withRepository({ "a.txt": "one\n", ".gitignore": "*.log\n" });
    bench.double(one.turns ?? []);
    const ran = await bench.run(["-p", one.prompt ?? "a question here", ...(one.flags ?? [])]);
    expect(ran.code, ran.stderr).toBe(exitCodes[one.status]);
    const { result, record, dir } = bench.session();
    expect(result.status).toBe(one.status);
    expect(record.status).toBe(one.status);
    expect(valid(result)).toMatchObject({ valid: true });
    expect(Object.keys(result)).toEqual(expect.arrayContaining(always));
    expect(existsSync(join(dir, "metrics.json"))).toBe(true);
    expect(readFileSync(join(dir, "output.log"), "utf8")).toMatch(new RegExp(`ended: ${one.status}\\n`));
    const isTold = one.status === "error" || one.status === "timeout";
    expect(result.error?.message ?? "").toMatch(isTold ? /./ : /^/);
  });

  it("[T-28] the cases above cover every status", () => {
    expect([...new Set(cases.map(({ status }) => status))].sort()).toEqual([...resultStatuses].sort());
  });

  it("[T-27] the published schema is the one of the code, and refuses a result with a missing key", () => {
    expect(schema()).toEqual(resultJsonSchema());
    expect(valid({ status: "success" })).toMatchObject({ valid: false });
    expect(schema()["required"]).toEqual(expect.arrayContaining(always));
    expect(Object.keys(schema()["properties"] as object)).toEqual(
      expect.arrayContaining(["diffScore", "diffBlocks", "diffReason", "gitApplyError", "gitCommitError", "snapshots"]),
    );
  });

  it("[T-33] a timed out run keeps the text that had come", async () => {
    bench.double([{ hang: true, answer: "so far so good" }]);
    await bench.run(["-p", "x", "--timeout", "400ms"]);
    expect(readFileSync(bench.session().result.answerPath ?? "", "utf8")).toBe("so far ");
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s ends an inline run with a result and exit 1",
    async (signal) => {
      bench.double([{ hang: true, answer: "half of it" }]);
      const child = bench.start(["-p", "interrupt me please"], { ORACLE_NO_DETACH: "1" });
      const ended = bench.ended(child);
      await waitFor(() => bench.sent.length > 0, "the send");
      child.kill(signal);
      expect((await ended).code).toBe(1);
      expect(bench.session().result).toMatchObject({ status: "error", error: { code: "interrupted" } });
      expect(bench.record.at(-1)).toEqual({ closed: true });
    },
  );

  it("a second signal ends a run whose engine does not listen, at once and still with a result", async () => {
    bench.double([{ deaf: true }], { deafClose: true });
    const child = bench.start(["-p", "interrupt me twice"], { ORACLE_NO_DETACH: "1" });
    const ended = bench.ended(child);
    await waitFor(() => bench.sent.length > 0, "the send");
    child.kill("SIGINT");
    await new Promise((resolve) => setTimeout(resolve, 100));
    child.kill("SIGINT");
    expect((await ended).code).toBe(1);
    expect(bench.session().result).toMatchObject({ status: "error", error: { code: "interrupted" } });
  });

  it("[T-10] snapshots of the page are listed in the result", async () => {
    bench.double([{ answer: "x", snapshots: ["<p>1</p>", "<p>2</p>"] }]);
    await bench.run(["-p", "take some pictures", "--dom-snapshot", "100"]);
    const { result, dir } = bench.session();
    expect(result.snapshots).toEqual([join(dir, "snapshot-001.html"), join(dir, "snapshot-002.html")]);
  });
});

describe("asking again", () => {
  const ask = (...flags: string[]) => bench.run(["-p", "change it", "--json", ...flags]);

  it("[T-17] stays in the same conversation and says why the answer could not be used", async () => {
    bench.double([{ answer: "no diff" }, { answer: fence(diff) }]);
    expect(JSON.parse((await ask("--retry-if-no-diff")).stdout)).toMatchObject({
      status: "success",
      retryCount: 1,
    });
    expect(bench.record.map((entry) => Object.keys(entry)[0])).toEqual(["open", "turn", "turn", "closed"]);
    expect(bench.sent[1]?.["prompt"]).toMatch(/could not be used[\s\S]*unified diff/);
  });

  it("[T-17] happens at most --max-retries times, with --followup-prompt in the user's words", async () => {
    bench.double([{ answer: "a" }, { answer: "b" }, { answer: "c" }, { answer: "d" }]);
    const ran = await ask("--retry-if-no-diff", "--max-retries", "2", "--followup-prompt", "Diff please.");
    expect(ran.code).toBe(2);
    expect(JSON.parse(ran.stdout)).toMatchObject({ status: "diff_missing", retryCount: 2 });
    expect(bench.sent).toHaveLength(3);
    expect(bench.sent[2]?.["prompt"]).toMatch(/Diff please\.$/);
  });

  it("[T-17] does not happen without the flag", async () => {
    bench.double([{ answer: "a" }, { answer: fence(diff) }]);
    expect(JSON.parse((await ask("--strict-diff")).stdout)).toMatchObject({
      status: "diff_missing",
      retryCount: 0,
    });
    expect(bench.sent).toHaveLength(1);
  });

  it("[T-17] does not ask the model to mend what is the user's: a file with changes of its own", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.write("a.txt", "mine\n");
    bench.double([{ answer: fence(diff) }, { answer: fence(diff) }]);
    const ran = await ask("--retry-if-no-diff", "--apply-mode", "apply");
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "apply_failed",
      diffReason: "dirty_target",
      retryCount: 0,
    });
    expect(bench.sent).toHaveLength(1);
    expect(bench.read("a.txt")).toBe("mine\n");
  });

  it("[T-17] tells the model what git said about a patch that does not fit", async () => {
    bench.withRepository({ "a.txt": "one\n" });
    bench.double([{ answer: fence(diff.replace("-one", "-uno")) }, { answer: fence(diff) }]);
    const ran = await ask("--retry-if-no-diff", "--apply-mode", "apply");
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: "success",
      retryCount: 1,
      diffApplied: true,
      gitApplyError: null,
    });
    expect(bench.sent[1]?.["prompt"]).toContain("error: patch failed: a.txt:1");
  });
});

describe("secrets in the prompt", () => {
  it("[T-23][T-26] are reported by label, never by value, and kept out of the session", async () => {
    bench.double([{ answer: "ok" }]);
    const ran = await bench.run(["-p", `my token is ${secret} keep it`, "--no-sanitize-prompt", "--json"]);
    expect(ran.code).toBe(0);
    expect((JSON.parse(ran.stdout) as RunResult).secretScan).toEqual({
      status: "matches_detected",
      matches: [expect.stringMatching(/github/)],
    });
    expect(bench.sent[0]?.["prompt"]).toContain(secret);
    const { dir, record } = bench.session();
    for (const name of ["session.json", "result.json", "output.log", "metrics.json"])
      expect(readFileSync(join(dir, name), "utf8"), name).not.toContain(secret);
    expect(record.options).toMatchObject({ promptRedacted: true });
    expect(record.id).not.toContain("ghp");
    expect((await bench.run(["restart", record.id])).stderr).toContain("stored without them");
  });

  it("[T-26] a clean prompt is ok", async () => {
    bench.double([{ answer: "ok" }]);
    await bench.run(["-p", "nothing to hide"]);
    expect(bench.session().result.secretScan).toEqual({ status: "ok", matches: [] });
  });

  it.each([[["--sanitize-prompt"]], [[]]])("[T-24] each is replaced before sending, with %j", async (flags) => {
    bench.double([{ answer: "ok" }]);
    expect((await bench.run(["-p", `token ${secret} and ${secret}!`, ...flags])).code).toBe(0);
    expect(bench.sent[0]?.["prompt"]).toBe("token ***REDACTED*** and ***REDACTED***!");
    expect(bench.session().result.secretScan.status).toBe("matches_detected");
  });

  it("[T-24] a configuration file cannot have them sent", async () => {
    bench.double([{ answer: "ok" }]);
    bench.write(".oracle/config.json", JSON.stringify({ sanitizePrompt: false }));
    const ran = await bench.run(["-p", `token ${secret}`]);
    expect(JSON.stringify([bench.sent, ran.stdout, ran.stderr])).not.toContain(secret);
  });

  it("[T-25] --secret-scan stops before anything is sent, also together with --sanitize-prompt", async () => {
    bench.double([{ answer: "never" }]);
    const ran = await bench.run(["-p", `token ${secret}`, "--secret-scan", "--sanitize-prompt"]);
    expect(ran.code).toBe(3);
    expect(bench.record).toEqual([]);
    expect(bench.session().result).toMatchObject({
      status: "secret_detected",
      secretScan: { status: "matches_detected" },
    });
    expect(ran.stdout + ran.stderr).not.toContain(secret);
  });

  it("a detached run sends the prompt as given although the disk never sees it", async () => {
    bench.double([{ answer: "ok" }]);
    const ran = await bench.ended(bench.start(["-p", `my token is ${secret}`, "--no-sanitize-prompt"]));
    expect(ran.code, ran.stderr).toBe(0);
    expect(bench.sent[0]?.["prompt"]).toContain(secret);
    expect(readFileSync(bench.file(bench.sessionIds[0] ?? "", "session.json"), "utf8")).not.toContain(secret);
  });
});
