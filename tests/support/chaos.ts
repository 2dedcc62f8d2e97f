// Random courses of a run: any role may say anything, any effect may go wrong, any command may come at any time.
import * as fc from "fast-check";
import type { EffectOf, EffectOutcome, GateAnswer, Policy, RunCommand } from "../../src/core/contract/index.ts";
import { gateAnswers, roles } from "../../src/core/contract/index.ts";
import { awaited, defaultPolicy, openGates } from "../../src/core/machine/index.ts";
import { type Cast, Play, type Reply, agent, check, creation } from "./play.ts";

const trouble: fc.Arbitrary<Reply> = fc
  .constantFrom("refused", "failed", "not_sent", "in_doubt")
  .map((kind) => ({ trouble: kind }) as Reply);

function reply(payload: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<Reply> {
  const said = fc.record({
    payload,
    status: fc.constantFrom(
      "ok" as const,
      "ok" as const,
      "ok" as const,
      "ok" as const,
      "blocked" as const,
      "failed" as const,
    ),
  });
  const forged = payload.map((given): Reply => ({ payload: given, ack: "run_other/nonce0000" }));
  return fc.oneof({ weight: 16, arbitrary: said }, { weight: 1, arbitrary: trouble }, { weight: 1, arbitrary: forged });
}

const texts = fc.array(fc.constantFrom("race", "empty input", "sha256:abc", "waive npm run test"), {
  maxLength: 2,
});
const decision = fc.record({
  action: fc.constantFrom(
    "delegate",
    "delegate",
    "delegate",
    "verify",
    "critique",
    "request_approval",
    "revise_plan",
    "complete",
    "abort",
  ),
  reason: fc.constantFrom("go", "protected test changes", "apply isolated patch"),
  delegateTo: fc.option(fc.constantFrom("implementer" as const, "implementer" as const, ...roles), {
    nil: undefined,
  }),
  requiresMoreEvidence: fc.option(fc.boolean(), { nil: undefined }),
  requestedPaths: fc.array(fc.constantFrom("a.ts", "b.ts"), { maxLength: 2 }),
});
const verdict = (...words: string[]) =>
  fc.record({
    verdict: fc.constantFrom(...words),
    summary: fc.constant("s"),
    failedCriteria: texts,
    blockingConcerns: texts,
  });
const many = (one: fc.Arbitrary<Reply>) => fc.array(one, { minLength: 1, maxLength: 6 });

const judgement = fc.record({
  verdict: fc.constantFrom("accept" as const, "accept" as const, "approval" as const, "reject" as const),
  protectedPaths: fc.constantFrom(
    [],
    [],
    [{ path: "test/a.test.ts", why: "test" }],
    [{ path: "test/b.test.ts", why: "test", change: "added" as const }],
  ),
  definingPaths: fc.constantFrom([], [], ["package.json"]),
  outsidePaths: fc.constantFrom([], [], [], ["infra/x"]),
  docsOnly: fc.boolean(),
});

/** The candidate on another base: another tree with the same patch, a conflict, or edits of the user in the way. */
function builtAgain({ patch }: EffectOf<"rebuild_candidate">, how: "built" | "conflict" | "dirty"): EffectOutcome {
  const onto = { commit: "d".repeat(40), tree: "9".repeat(40) };
  const tree = `${patch.tree.slice(0, 20)}${"9".repeat(20)}`;
  if (how === "dirty") return { kind: "rebuild_candidate_blocked", message: "dirty", paths: ["a"] };
  return how === "built"
    ? { kind: "rebuild_candidate", onto, patch: { ...patch, fromTree: onto.tree, tree } }
    : { kind: "rebuild_candidate_conflict", onto, tree, paths: ["a"], message: "both changed a" };
}

const cast: fc.Arbitrary<Cast> = fc
  .record({
    orchestrator: many(reply(decision)),
    planner: many(reply(decision)),
    researcher: many(reply(fc.constant({ summary: "s", findings: ["f"] }))),
    implementer: many(reply(fc.record({ status: fc.constantFrom("changed", "changed", "no_change") }))),
    qa: many(reply(verdict("pass", "pass", "needs_revision", "needs_more_evidence", "blocked"))),
    verifier: many(reply(verdict("approve", "approve", "approve", "revise", "abort", "ask_user"))),
    critic: many(reply(verdict("acceptable", "acceptable", "needs_revision", "unsafe", "unclear"))),
    results: fc.array(
      fc.constantFrom(
        "passed" as const,
        "passed" as const,
        "passed" as const,
        "failed" as const,
        "nothing_ran" as const,
        "timed_out" as const,
        "not_started" as const,
      ),
      { minLength: 1, maxLength: 12 },
    ),
    judged: fc.array(judgement, { minLength: 1, maxLength: 4 }),
    trees: fc.array(fc.constantFrom("1", "2", "3", "4", null), { minLength: 1, maxLength: 6 }),
    dirty: fc.boolean(),
    moved: fc.array(fc.constantFrom(null, null, null, "8", "9"), { minLength: 1, maxLength: 6 }),
    rebuilt: fc.constantFrom("built" as const, "conflict" as const, "dirty" as const),
    checks: fc.constantFrom(0, 1, 2),
    risk: fc.constantFrom("repo_context" as const, "secret_risk" as const),
  })
  .map(({ results, judged, trees, dirty, moved, rebuilt, checks, risk, ...replies }) => {
    let [runs, looks] = [0, 0];
    return {
      replies,
      checks: [check("npm:test"), check("npm:lint", { kind: "lint" })].slice(0, checks),
      result: () => results[runs++ % results.length] ?? "passed",
      judge: (pass: number) => judged[(pass - 1) % judged.length] ?? {},
      tree: (pass: number) => trees[(pass - 1) % trees.length]?.repeat(40) ?? null,
      apply: (_pass: number, tries: number): EffectOutcome | undefined =>
        dirty && tries === 0
          ? { kind: "apply_patch_blocked", reason: "dirty_checkout", message: "dirty", paths: ["a"] }
          : undefined,
      look: () => moved[looks++ % moved.length]?.repeat(40) ?? undefined,
      rebuild: (effect: EffectOf<"rebuild_candidate">) => builtAgain(effect, rebuilt),
      manifest: { risk },
    };
  });

const policy: fc.Arbitrary<Policy> = fc
  .record({
    approvals: fc.constantFrom("manual" as const, "auto_low_risk" as const, "autopilot" as const, "autopilot" as const),
    maxIterations: fc.oneof(fc.integer({ min: 1, max: 16 }), fc.integer({ min: 6, max: 16 })),
    maxTokens: fc.oneof(fc.constant(null), fc.constant(null), fc.integer({ min: 10, max: 160 })),
    maxRevisions: fc.integer({ min: 0, max: 4 }),
    edit: fc.boolean(),
    host: fc.boolean(),
    fanoutParallel: fc.integer({ min: 1, max: 4 }),
    integrate: fc.constantFrom("early" as const, "late" as const, "late" as const),
  })
  .map(({ approvals, maxIterations, maxTokens, maxRevisions, edit, host, fanoutParallel, integrate }) => ({
    ...defaultPolicy,
    integrate,
    fanoutParallel,
    approvals,
    editRequiresApproval: edit,
    hostMayApprove: host,
    budgets: { ...defaultPolicy.budgets, maxIterations, maxTokens, maxRevisions },
  }));

export type Move =
  /** Performs one of what is due. */
  | { readonly move: "step"; readonly which: number }
  /** Only sends, and leaves the answer for later. */
  | { readonly move: "send" }
  | {
      readonly move: "answer";
      readonly answer: GateAnswer;
      readonly honest: boolean;
      readonly host: boolean;
      readonly words: string;
    }
  | { readonly move: "command"; readonly command: Exclude<RunCommand, { type: "create" }> }
  | { readonly move: "replay" }
  | { readonly move: "fail" };

const by = { kind: "person" as const, surface: "cli" as const };
const request = {
  role: "critic" as const,
  kind: "review" as const,
  brief: "b",
  persona: null,
  constraints: [],
  evidenceRefs: [],
  agent: null,
};
const commands: fc.Arbitrary<Move> = fc
  .constantFrom<Exclude<RunCommand, { type: "create" }>>(
    { type: "summon", request, by },
    { type: "summon", request: { ...request, role: "verifier", agent: agent("codex-cli:spark") }, by },
    { type: "fanout", items: [request, { ...request, role: "qa" }], by },
    {
      type: "fanout",
      items: [request, { ...request, role: "qa" }, request, { ...request, agent: agent("codex-cli:spark") }, request],
      by,
    },
    { type: "capture_evidence", by },
    { type: "exec", argv: ["ls"], cwd: "", allowRisky: false, by },
    { type: "switch_role", role: "verifier", assignment: agent("stub:second"), by },
    { type: "switch_role", role: "verifier", assignment: agent("stub:implementer"), by },
    { type: "switch_role", role: "implementer", assignment: agent("stub:verifier"), by },
    { type: "switch_role", role: "planner", assignment: agent("stub:planner"), by },
    { type: "reconcile", role: null, by },
    { type: "export_board", by },
    { type: "undo", by },
    { type: "abort", reason: "no", by },
  )
  .map((command) => ({ move: "command", command }));

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 80,
    arbitrary: fc.record({ move: fc.constant("step" as const), which: fc.nat({ max: 3 }) }),
  },
  { weight: 15, arbitrary: fc.constant<Move>({ move: "send" }) },
  {
    weight: 20,
    arbitrary: fc.record({
      move: fc.constant("answer" as const),
      answer: fc.oneof(
        { weight: 3, arbitrary: fc.constant("approve" as const) },
        { weight: 1, arbitrary: fc.constantFrom(...gateAnswers) },
      ),
      honest: fc.constantFrom(true, true, true, false),
      host: fc.constantFrom(false, false, false, true),
      words: fc.constantFrom("", "please", "apply isolated patch"),
    }),
  },
  { weight: 2, arbitrary: commands },
  { weight: 1, arbitrary: fc.constant<Move>({ move: "replay" }) },
  { weight: 1, arbitrary: fc.constant<Move>({ move: "fail" }) },
);

/** Mostly well-behaved, so that courses get far; one or two roles still say what they like. */
const kindCast: fc.Arbitrary<Cast> = fc
  .record({
    wild: cast,
    keep: fc.subarray(["qa", "verifier", "critic", "orchestrator"] as const, { maxLength: 2 }),
    judged: fc.boolean(),
    checked: fc.boolean(),
  })
  .map(({ wild, keep, judged, checked }) => ({
    replies: Object.fromEntries(Object.entries(wild.replies ?? {}).filter(([role]) => keep.includes(role as never))),
    checks: [check("npm:test")],
    ...(judged && wild.judge ? { judge: wild.judge } : {}),
    ...(checked && wild.result ? { result: wild.result } : {}),
  }));

export const course = fc.record({
  mode: fc.oneof(
    { weight: 8, arbitrary: fc.constant("implement" as const) },
    { weight: 3, arbitrary: fc.constantFrom("plan" as const, "research" as const, "review" as const) },
  ),
  policy,
  cast: fc.oneof(cast, kindCast, kindCast),
  external: fc.boolean(),
  missing: fc.oneof(fc.constant([]), fc.constant([]), fc.subarray(["qa", "verifier", "critic", "planner"] as const)),
  moves: fc.array(move, { minLength: 50, maxLength: 160 }),
});
export type Course = typeof course extends fc.Arbitrary<infer T> ? T : never;

export function begin({ mode, policy: frozen, cast: given, external, missing }: Course): Play {
  const all = {
    ...creation().roles,
    planner: agent("stub:planner"),
    ...(external ? { verifier: agent("openai-api:judge", { boundary: "external" }) } : {}),
  };
  const assigned = Object.fromEntries(Object.entries(all).filter(([role]) => !missing.includes(role as never)));
  return new Play({ mode, policy: frozen, roles: assigned }, given);
}

/** Makes a move; what is refused changes nothing and is no mistake. */
export function make(play: Play, next: Move): void {
  switch (next.move) {
    case "step":
      play.step(next.which);
      return;
    case "send":
      play.send();
      return;
    case "command":
      attempt(play, next.command);
      return;
    case "answer": {
      const gate = openGates(play.run)[0];
      if (!gate) return;
      const message = next.honest ? `${next.words} ${gate.phrase ?? "because"}` : next.words;
      attempt(play, {
        type: "answer",
        gateId: gate.id,
        subjectSha256: next.honest ? gate.subject.sha256 : "0".repeat(64),
        answer: next.answer,
        message,
        by: next.host ? { kind: "host", surface: "mcp" } : by,
        addTokens: 50,
        addMinutes: 5,
      });
      return;
    }
    case "replay": {
      const old = play.effects.at(-1);
      if (old)
        attempt(play, {
          type: "effect_done",
          key: old.key,
          tookMs: 1,
          outcome: { kind: "effect_failed", code: "timeout", message: "again", remedy: null },
        });
      return;
    }
    case "fail": {
      const due = awaited(play.run)[0];
      if (due)
        attempt(play, {
          type: "effect_done",
          key: due.key,
          tookMs: 1,
          outcome: { kind: "effect_failed", code: "git_failed", message: "boom", remedy: null },
        });
    }
  }
}

function attempt(play: Play, command: Exclude<RunCommand, { type: "create" }>): void {
  try {
    play.give(command);
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith("refused: ")) throw error;
  }
}
