// The gate of a result as the surfaces get it, made by hand: ten changed lines in two files, three checks, two reviewers.
import type { ResultSummary, GateSummary } from "../../src/core/machine/view/index.ts";
import { showPatch } from "../../src/core/patch/index.ts";
import type { GateDetails } from "../../src/operations/run-data/index.ts";

const pass = { mark: "pass", tests: null, note: null } as const;

const check = (command: string, planted: number, noticed: number) => ({
  checkId: command,
  command,
  before: pass,
  now: pass,
  withOldTests: pass,
  mistakes: { planted, noticed },
  passes: true,
});

export const honest: ResultSummary = {
  facts: [
    { text: "2 files +9 −1", tone: "plain" },
    { text: "checks ✔ 3 of 3", tone: "good" },
    { text: "verifier ✔", tone: "good" },
    { text: "⚠ changes a test", tone: "warn" },
  ],
  noticed: { answer: "yes", planted: 6, noticed: 5, text: "5 of 6 planted: mostly" },
  doubts: [],
  warnings: [],
  checks: [check("go vet ./...", 1, 1), check("go test ./...", 6, 5), check("go build ./...", 1, 1)],
  reviews: [
    {
      role: "verifier",
      agent: "claude-code:sonnet",
      approves: true,
      verdict: "approve",
      sentence: "The change does what was asked and nothing else.",
    },
    { role: "qa", agent: "claude-code:haiku", approves: true, verdict: "pass", sentence: "The recorded tests pass." },
  ],
  needsYes: [{ path: "sum_test.go", why: "changed test" }],
};

/** A change of `lines` lines: one line of the program, the others in its test. */
export const changeOf = (lines: number): string => {
  const added = lines - 2;
  const tests = Array.from({ length: added }, (_, at) => `+\tif Sum("${at}") != ${at} { t.Fatal(${at}) }`);
  return `diff --git a/sum.go b/sum.go
--- a/sum.go
+++ b/sum.go
@@ -10,7 +10,7 @@ func Sum(text string) int64 {
 \ttotal := int64(0)
 \tfor _, f := range strings.Fields(text) {
 \t\t// every field
-\t\tn, err := strconv.ParseInt(f, 0, 64)
+\t\tn, err := strconv.ParseInt(strings.Trim(f, ",;"), 0, 64)
 \t\tif err != nil {
 \t\t\tcontinue
 \t\t}
diff --git a/sum_test.go b/sum_test.go
--- a/sum_test.go
+++ b/sum_test.go
@@ -9,3 +9,${3 + added} @@ func TestSum(t *testing.T) {
 \tif Sum("1 2") != 3 {
 \t\tt.Fatal("1 2")
 \t}
${tests.join("\n")}
`;
};

export const hash = "ab".repeat(32);

export function resultGate(
  diff = changeOf(10),
  more: Partial<ResultSummary> = {},
  about: Partial<GateSummary> = {},
): { gate: GateDetails["gates"][number]; open: GateDetails } {
  const result = { ...honest, ...more };
  const gate: GateDetails["gates"][number] = {
    id: "gate_1",
    kind: "protected_patch_changes",
    lane: "main",
    title: "Apply the verified work to the checkout",
    phrase: "protected test changes; apply isolated patch",
    answers: ["approve", "revise", "reject", "abort"],
    sha256: hash,
    text: `Apply the verified work to the checkout\ngate gate_1 (protected_patch_changes) of run_1\npatch sha256: ${hash}`,
    risk: "medium",
    cause: null,
    since: 0,
    summary: {
      gateId: "gate_1",
      sort: "result",
      goal: "Ignore commas and semicolons after a number",
      workedMs: 107_000,
      cost: "$0.34",
      risk: "medium",
      questions: { approve: "Apply 2 files and accept the changed test sum_test.go?" },
      word: null,
      branch: {
        name: "ignore-commas",
        files: "2 files",
        rest: " and accept the changed test sum_test.go?",
        pullRequest: true,
      },
      result,
      start: null,
      ...about,
    },
    parts: [{ kind: "diff", ref: `sha256:${hash}`, summary: "the work", patch: showPatch(diff) }],
  };
  const open: GateDetails = {
    runId: "run_1",
    repo: "/repos/gosum",
    goal: "Ignore commas and semicolons after a number",
    state: "awaiting_approval",
    gates: [gate],
    commands: [],
    failing: [],
    pushesTo: { remote: "origin", url: "https://example.com/o/r.git" },
    usual: null,
    attempts: [],
    meets: [],
    findings: [],
    lanes: [],
  };
  return { gate, open };
}
