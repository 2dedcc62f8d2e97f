import { describe, expect, it } from "vitest";
import { Play, agent, creation, type Cast } from "../../../../../tests/support/play.ts";
import type { CheckControl } from "../../../contract/index.ts";
import type { Run } from "../../index.ts";
import { reachesChange } from "../../review/measure.ts";
import { gateSummaries } from "./summary.ts";

const atResult = (cast: Cast = {}) => new Play({}, cast).through("implementation_start");

function summaryOf(run: Run) {
  const [found] = gateSummaries(run);
  if (!found) throw new Error("no gate is open");
  return found;
}

/** The run with this outcome of planted mistakes in each check of the work. */
function planted(run: Run, more: Partial<CheckControl>): Run {
  const control: CheckControl = {
    canary: "noticed",
    planned: 6,
    ran: 6,
    noticed: 5,
    reachRan: 6,
    reachNoticed: 5,
    missed: [],
    weakened: null,
    budgetMs: 1,
    spentMs: 1,
    ...more,
  };
  const passes = run.passes.map((pass) => ({
    ...pass,
    checks: pass.checks.map((one) => (one.variant === "base" ? one : { ...one, control })),
  }));
  return { ...run, passes };
}

const changedTest = { path: "test/a.test.ts", why: "test", change: "changed" as const };

describe("[B-32] the result of a run as rows", () => {
  it("says what happens in one question, and takes no typed word for an honest change", () => {
    const { result, ...found } = summaryOf(atResult().run);
    expect(found).toMatchObject({ sort: "result", word: null, risk: "low" });
    expect(found.questions.approve).toMatch(/^Apply 1 file\?$/);
    expect(result?.facts.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^1 file \+\d+ −\d+$/),
      "checks ✔ 1 of 1",
      "verifier ✔",
    ]);
    expect(result?.checks).toEqual([
      expect.objectContaining({ before: expect.objectContaining({ mark: "pass" }), passes: true, withOldTests: null }),
    ]);
    expect(result?.reviews.find(({ role }) => role === "verifier")).toMatchObject({ approves: true });
  });

  it("names the changed test in the question, and calls an added one no risk", () => {
    const judge = (path: object) => ({ judge: () => ({ protectedPaths: [{ ...changedTest, ...path }] }) });
    const changed = summaryOf(atResult(judge({})).run);
    expect(changed.questions.approve).toBe("Apply 1 file and accept the changed test test/a.test.ts?");
    expect(changed).toMatchObject({ risk: "medium", word: null });
    expect(changed.result?.facts.at(-1)).toEqual({ text: "⚠ changes a test", tone: "warn" });
    const added = summaryOf(atResult(judge({ change: "added" })).run);
    expect(added.questions.approve).toBe("Apply 1 file?");
    expect(added.risk).toBe("low");
    expect(added.result?.facts.at(-1)).toEqual({ text: "adds a test", tone: "plain" });
    const removed = summaryOf(atResult(judge({ change: "removed" })).run);
    expect(removed.risk).toBe("high");
    expect(removed.result?.facts.at(-1)?.text).toBe("⚠ removes a test file");
  });

  it("answers whether a mistake in the changed lines would be noticed", () => {
    const { run } = atResult();
    const noticed = (more: Partial<CheckControl>) => summaryOf(planted(run, more)).result?.noticed;
    expect(noticed({})).toMatchObject({ answer: "yes", planted: 6, noticed: 5 });
    expect(noticed({ reachNoticed: 0, triedFiles: ["a.go"], reachedFiles: [] })).toMatchObject({
      answer: "no",
      text: "Your tests do not look at the changed lines (0 of 6 mistakes noticed)",
    });
    expect(noticed({ reachNoticed: 2 })?.answer).toBe("partly");
    expect(noticed({ reachRan: 0, reachNoticed: 0, ran: 0 })?.answer).toBe("unknown");
    // Documentation holds nothing to plant a mistake in; code in which none could be planted stays a doubt.
    expect(summaryOf(run).result?.noticed.answer).toBe("unknown");
    const { run: docs } = atResult({ judge: () => ({ docsOnly: true }) });
    expect(summaryOf(docs).result?.noticed).toMatchObject({ answer: "nothing", planted: 0 });
    expect(summaryOf(planted(run, {})).result?.checks[0]?.mistakes).toEqual({ planted: 6, noticed: 5 });
  });

  it("counts a mistake once that was planted under both sets of tests, in the claim as in the row", () => {
    const { run } = atResult();
    const shown = planted(run, {});
    const after = shown.passes.flatMap(({ checks }) => checks.filter(({ variant }) => variant === "patched"));
    const again = after.map((one) => ({ ...one, variant: "guarded" as const }));
    expect(after.length).toBeGreaterThan(0);
    expect(reachesChange([{ after: [...after, ...again] }])).toMatchObject({ ran: 6, noticed: 5 });
  });

  it("[B-6] counts what the tests of the work notice, also where the old tests noticed more", () => {
    const kept = planted(atResult().run, {}).passes.flatMap(({ checks }) => checks);
    const old = kept
      .filter(({ variant }) => variant === "patched")
      .map((one) => ({ ...one, variant: "guarded" as const }));
    const weakened = planted(atResult().run, { reachNoticed: 1 }).passes.flatMap(({ checks }) => checks);
    const now = weakened.filter(({ variant }) => variant === "patched");
    expect(reachesChange([{ after: [...old, ...now] }])).toMatchObject({ ran: 6, noticed: 1 });
  });

  it("[B-6] does not call a function reached of which only errors and missing values are noticed", () => {
    const reach = (...all: readonly NonNullable<CheckControl["functions"]>[]) =>
      reachesChange(
        all.map((functions) => ({
          after: planted(atResult().run, { functions }).passes.flatMap(({ checks }) => checks),
        })),
      );
    const place = "add in a.go:1";
    const crude = { place, tried: 4, noticed: 2, crudely: true as const };
    expect(reach([crude])).toMatchObject({ unreached: [place], functions: { reached: 0, all: 1 } });
    expect(reach([{ place, tried: 4, noticed: 2 }])).toMatchObject({
      unreached: [],
      functions: { reached: 1, all: 1 },
    });
    // Another check looks at its values.
    expect(reach([crude], [{ place, tried: 4, noticed: 3 }])?.unreached).toEqual([]);
    expect(reach([crude], [{ place, tried: 4, noticed: 0 }])?.unreached).toEqual([place]);
  });

  it("asks for one short word where a check is waived, and says which check is not green", () => {
    const found = summaryOf(atResult({ result: () => "not_started" }).run);
    expect(found).toMatchObject({ word: "waive", risk: "high" });
    expect(found.questions.approve).toMatch(/^Apply 1 file, without a green `.+`\?$/);
    expect(found.result?.facts[1]).toEqual({ text: "checks ✘ 0 of 1", tone: "bad" });
    expect(found.result?.warnings.join(" ")).toContain("could not be run");
  });

  it("shows the doubts of the runtime with their place", () => {
    const doubts = () => [{ kind: "replay", place: "add in a.js:1", measure: "add(1) gives 2, then 3" }] as const;
    const found = summaryOf(atResult({ doubts }).run);
    expect(found.result?.doubts.map(({ text }) => text)).toEqual([
      "another result outside of the tests: add in a.js:1: add(1) gives 2, then 3. So it may behave differently in real use.",
    ]);
    expect(found.risk).toBe("medium");
  });
});

describe("[B-32] an approval that lets work out", () => {
  it("names the remote and its address in the question", () => {
    const pullRequest = { remote: "origin", url: "https://example.com/o/r.git" };
    const asks = (more: object) =>
      summaryOf(new Play({ pullRequest, ...more }).through("implementation_start").run).questions.approve;
    expect(asks({ toBranch: "fix" })).toBe(
      "Commit 1 file on the new branch fix, push it to origin (https://example.com/o/r.git), open a draft pull request?",
    );
    expect(asks({ commit: true })).toMatch(/^Apply and commit 1 file, push it to origin/);
  });
});

describe("[B-32] the start of a run as rows", () => {
  it("names who works, who verifies, the checks, what is sent, and the limits", () => {
    const { start, ...found } = summaryOf(new Play().go().run);
    expect(found).toMatchObject({ sort: "start", word: null, result: null });
    expect(start).toMatchObject({
      works: { agent: "stub:implementer", where: "in its own worktree; your files are not touched" },
      verifies: "stub:verifier",
      sends: "nothing leaves this machine",
      limit: "at most 12 model calls; no money, token or time limit",
      checks: [{ cell: { mark: "pass" } }],
    });
  });

  it("names whose words it began with, what speaks to agents in them, and what must be true", () => {
    const quoted = [
      {
        ref: `sha256:${"ab".repeat(32)}`,
        kind: "evidence" as const,
        bytes: 73,
        mediaType: "text/markdown",
        summary: "issue 28",
      },
    ];
    const run = new Play({
      quoted,
      quotedWarnings: ["It asks for secrets: “print env”"],
      acceptanceCriteria: ["it adds"],
    });
    const { start } = summaryOf(run.go().run);
    expect(start).toMatchObject({ from: ["issue 28 (73 bytes, sha256:abababababab)"], criteria: ["it adds"] });
    expect(start?.warnings).toContain("The text that the run began with: It asks for secrets: “print env”");
  });

  it("says where data goes", () => {
    const roles = { ...creation().roles, implementer: agent("codex-cli:work", { modelBacked: true }) };
    const { start } = summaryOf(new Play({ roles }).go().run);
    expect(start?.sends).toContain("codex-cli");
  });
});

describe("[B-32] a transfer", () => {
  it("takes a typed word where a secret may leave, and none otherwise", () => {
    const roles = { ...creation().roles, orchestrator: agent("openai-api:big", { boundary: "external" }) };
    const at = (risk: "secret_risk" | "repo_context") => {
      const play = new Play({ mode: "plan", roles }, { manifest: { risk } }).through("provider_invocation");
      return summaryOf(play.run);
    };
    expect(at("secret_risk")).toMatchObject({ sort: "other", word: "send" });
    expect(at("secret_risk").questions.approve).toContain("which may hold a secret");
    expect(at("repo_context").word).toBeNull();
  });
});
