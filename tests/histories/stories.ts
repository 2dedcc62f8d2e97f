// Courses worth keeping: between them they use every part of the log that a later version must still read.
import type { Actor, SummonRequest } from "../../src/core/contract/index.ts";
import { next, openGates } from "../../src/core/machine/index.ts";
import { Play, agent, autopilot, check, creation, early, ref } from "../support/play.ts";

const by: Actor = { kind: "person", surface: "cli" };
const request: SummonRequest = {
  role: "critic",
  kind: "critique",
  brief: "look at the race",
  persona: "a sceptic",
  constraints: ["be short"],
  evidenceRefs: [],
  agent: null,
};

/** Plan, gates, a patch sent back, QA and the critic, a repair, a waiver, sidecars, reconciliation. */
function implemented(): Play {
  const play = new Play(
    {
      policy: early,
      constraints: ["no new dependency"],
      roles: { ...creation().roles, planner: agent("stub:planner") },
    },
    {
      checks: [check("npm:test"), check("npm:lint", { kind: "lint" })],
      result: (id, variant, pass) =>
        id === "npm:lint" ? "failed" : variant !== "base" && pass === 1 ? "failed" : "passed",
      judge: (pass) =>
        pass === 2
          ? {
              verdict: "approval",
              reason: "protected",
              protectedPaths: [{ path: "test/a.test.ts", why: "test" }],
              definingPaths: ["package.json"],
            }
          : {},
      replies: {
        qa: [{ payload: { verdict: "needs_more_evidence", summary: "which browser?" } }],
        verifier: [
          {
            payload: {
              verdict: "revise",
              summary: "rename it",
              failedCriteria: ["name"],
              markdown: "# Review\n\nRename it.",
            },
          },
          { payload: { verdict: "ask_user", summary: "is this what you want?" } },
        ],
      },
    },
  ).go();
  play.answer("revise", "smaller").go().answer("approve").go().answer("approve").go();
  while (play.gate === "isolated_patch_application" || play.gate === "protected_patch_changes")
    play.answer("approve").go();
  play.answer("accept", "yes, that is it").go().answer("approve").go();
  play.give({ type: "summon", request, by }).go();
  play.give({ type: "fanout", items: [request, { ...request, role: "qa" }], by }).go();
  play
    .give({ type: "exec", argv: ["git", "status"], cwd: "", allowRisky: false, by })
    .give({ type: "capture_evidence", by })
    .go();
  play.give({ type: "reconcile", role: "planner", by }).give({ type: "export_board", by }).go();
  return play;
}

/** Verified first: the checkout moves twice, once with a conflict, and one sheet asks about everything. */
function verifiedFirst(): Play {
  const onto = (name: string) => ({ commit: name.repeat(40), tree: name.repeat(40) });
  let moved = 0;
  const play = new Play(
    { policy: autopilot },
    {
      judge: () => ({
        verdict: "approval",
        reason: "protected",
        protectedPaths: [{ path: "test/a.test.ts", why: "test", change: "changed" }],
        definingPaths: ["test/a.test.ts"],
      }),
      look: () => (moved < 2 ? ["8", "9"][moved++]?.repeat(40) : undefined),
      rebuild: ({ patch }) =>
        moved === 1
          ? {
              kind: "rebuild_candidate_conflict",
              onto: onto("8"),
              tree: "7".repeat(40),
              paths: ["src/login.ts"],
              message: "both changed src/login.ts",
            }
          : {
              kind: "rebuild_candidate",
              onto: onto("9"),
              patch: { ...patch, fromTree: onto("9").tree, tree: "6".repeat(40) },
            },
    },
  ).go();
  return play.answer("approve").go();
}

/** A plan by an outside model: invocation and transfer gates, repository context, a role switched, a handoff. */
function planned(): Play {
  const decide = (payload: Record<string, unknown>) => ({ payload: { reason: "because", ...payload } });
  const play = new Play(
    {
      mode: "plan",
      roles: { ...creation().roles, orchestrator: agent("openai-api:big", { boundary: "external" }) },
    },
    {
      replies: {
        orchestrator: [
          decide({ action: "delegate", requiresMoreEvidence: true, requestedPaths: ["src/login.ts"] }),
          decide({ action: "request_approval" }),
          decide({ action: "delegate", delegateTo: "implementer" }),
        ],
      },
    },
  ).go();
  play.answer("approve").go().answer("approve").go().answer("approve").go().answer("approve", "go on").go();
  return play.answer("approve").go();
}

/** In doubt after a crash, budget extended, refused answers, and the end of the iterations. */
function exhausted(): Play {
  const play = new Play(
    { policy: { ...autopilot, budgets: { ...autopilot.budgets, maxIterations: 6, maxTokens: 25 } } },
    {
      tokens: 10,
      replies: {
        implementer: [{ trouble: "in_doubt" }, { trouble: "refused" }, { payload: { status: "changed" } }],
        verifier: [{ payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } }],
      },
    },
  ).go();
  play.answer("retry").go().answer("extend", "", { addTokens: 1_000 }).go();
  return play;
}

function aborted(): Play {
  const play = new Play(
    {},
    {
      apply: () => ({
        kind: "apply_patch_blocked",
        reason: "dirty_checkout",
        message: "dirty",
        paths: ["src/login.ts"],
      }),
    },
  ).go();
  return play.answer("approve").go().answer("approve").go().answer("abort", "not today").go();
}

/** A web guest pointed at the remote commit, the orchestrator switched mid-run, a risky command refused. */
function switched(): Play {
  const context = ref("remote_context", "remote");
  const remote = { context, owner: "owner", repo: "repo", branch: "main", commit: "c".repeat(40) };
  const play = new Play(
    {
      mode: "plan",
      policy: autopilot,
      roles: {
        ...creation().roles,
        orchestrator: agent("chatgpt-web:chatgpt-pro", { boundary: "external" }),
      },
    },
    {
      remote: { kind: "select_remote_context", remote, reason: "connector confirmed" },
      replies: {
        orchestrator: [
          { payload: { action: "request_approval", reason: "may I?" } },
          { payload: { action: "complete", reason: "done" } },
        ],
      },
      command: () => ({ kind: "run_command_gated", class: "destructive", why: "removes files" }),
    },
  ).go();
  play.give({ type: "exec", argv: ["rm", "-rf", "build"], cwd: "", allowRisky: false, by }).go();
  const risky = openGates(play.run).find(({ kind }) => kind === "risky_command");
  play.give({
    type: "answer",
    gateId: risky?.id ?? "",
    subjectSha256: risky?.subject.sha256 ?? "",
    answer: "reject",
    message: "no",
    by,
  });
  play.give({ type: "switch_role", role: "orchestrator", assignment: agent("stub:second"), by });
  const open = openGates(play.run).find(({ kind }) => kind === "role_switch");
  play.give({
    type: "answer",
    gateId: open?.id ?? "",
    subjectSha256: open?.subject.sha256 ?? "",
    answer: "approve",
    message: open?.phrase ?? "",
    by,
  });
  return play.answer("approve", "you may").go();
}

/** A command that was begun by a process that is gone. */
function cutOff(): Play {
  const play = new Play(
    { mode: "plan", policy: autopilot },
    {
      command: ({ begun }) =>
        begun
          ? { kind: "effect_failed", code: "conflict", message: "what it did is unknown", remedy: null }
          : { kind: "run_command_gated", class: "destructive", why: "removes files" },
    },
  ).go();
  play.give({ type: "exec", argv: ["rm", "-rf", "build"], cwd: "", allowRisky: true, by });
  play.give({ type: "command_begun", key: next(play.run)?.key ?? "" });
  return play.go();
}

/** A fan-out of agents that were found: several out at once, answers in another order, a gate, and an abort of the rest. */
function together(): Play {
  const found = { source: "found" as const, why: "1.2.3, installed and logged in" };
  const roles = Object.fromEntries(Object.entries(creation().roles).map(([role, who]) => [role, { ...who, ...found }]));
  const play = new Play({ mode: "plan", roles, policy: { ...autopilot, fanoutParallel: 3 } }).go();
  play.give({ type: "fanout", items: Array.from({ length: 5 }, () => request), by }).sendAll();
  play.now += 500;
  play.step(2);
  play.sendAll().step(1);
  play.go();
  play.give({ type: "fanout", items: Array.from({ length: 5 }, () => request), by }).sendAll();
  play.step(1);
  return play.give({ type: "abort", reason: "enough opinions", by }).go();
}

/** A check was waived when the run was started, and the work takes tests away from it. */
function fewerTests(): Play {
  const policy = { ...autopilot, waivedChecks: ["npm run test"] };
  const play = new Play({ policy }, { testsRun: (variant) => (variant === "base" ? 3 : 1) }).go();
  return play.answer("approve").go();
}

/** Work that is taken out of the checkout again, when edits of the user are out of the way. */
function undone(): Play {
  let tries = 0;
  const blocked = { kind: "take_out_work_blocked", message: "in the way", paths: ["src/login.ts"] } as const;
  const play = new Play({ policy: autopilot }, { takeOut: () => (tries++ === 0 ? blocked : undefined) }).go();
  return play.give({ type: "undo", by }).go().give({ type: "undo", by }).go();
}

/** Tests of an agent that does not see the work fail once; the person keeps them. */
function blindlyTested(): Play {
  const policy = { ...autopilot, blindTests: "on" as const };
  const blind = (pass: number) => (pass === 1 ? { proving: 1, failing: 1, failingNames: ["adds"] } : {});
  const play = new Play({ policy }, { testsRun: () => 3, blind }).go();
  return play.give({ type: "keep_tests", by }).go();
}

/** A check could not run; the person installs its program and has the checks run again. */
function rechecked(): Play {
  let installed = false;
  const play = new Play({}, { result: () => (installed ? "passed" : "not_started"), note: "no xo" }).go();
  play.answer("approve").go();
  installed = true;
  play.give({ type: "recheck", by }).go();
  return play.answer("approve").go();
}

/** A program that a check needs is missing: autopilot asks before any agent is called. */
function lacking(): Play {
  const policy = { ...autopilot, waivedChecks: [] };
  const play = new Play({ policy }, { result: () => "not_started", note: "xo is not installed" }).go();
  play.answer("approve").go();
  return play.answer("approve").go();
}

/** A run that was to change something and changed nothing. */
const unchanged = (): Play => new Play({ policy: autopilot }, { tree: () => null }).go();

/** The critic is called and answers, and its trigger is written again with the answer. */
const criticised = (): Play =>
  new Play(
    { policy: autopilot },
    {
      replies: {
        verifier: [
          { payload: { verdict: "revise", summary: "no", failedCriteria: ["x"] } },
          { payload: { verdict: "approve", summary: "yes" } },
        ],
      },
    },
  ).go();

/** The verifier asks for two commands, one of which waits for a person, and is asked again. */
function commanded(): Play {
  const requestedCommands = ["npm test", "curl -s http://127.0.0.1/"];
  const replies = {
    verifier: [
      { payload: { verdict: "approve", summary: "let me see", requestedCommands } },
      { payload: { verdict: "approve", summary: "seen" } },
    ],
  };
  const risky = { kind: "run_command_gated", class: "network", why: "it reaches out" } as const;
  const refused = { kind: "effect_failed", code: "internal", message: "nobody there", remedy: null } as const;
  const play = new Play(
    { policy: autopilot },
    {
      replies,
      command: ({ argv, allowed }) => (argv.at(-1)?.startsWith("curl") ? (allowed ? refused : risky) : undefined),
    },
  ).go();
  return play.answer("approve").go();
}

/** QA names cases that are missed and commands; the verifier hears of both and asks for one of them. */
function advised(): Play {
  const qa = {
    verdict: "pass",
    summary: "fine but for the edges",
    missedCases: ["an empty list"],
    suggestedCommands: ["npm test"],
  };
  const replies = {
    qa: [{ payload: qa }],
    verifier: [
      { payload: { verdict: "approve", summary: "let me see", requestedCommands: ["npm test"] } },
      { payload: { verdict: "approve", summary: "seen" } },
    ],
  };
  return new Play({ policy: autopilot }, { replies }).go();
}

/** A pull request is opened and its checks fail; on a second try they pass. */
function proposed(): Play {
  const commit = "e".repeat(40);
  const url = "https://forge.example/owner/repo/pull/7";
  const request = { commit, branch: "login", remote: "origin", url, created: true };
  const ci = (state: "passed" | "failed") => ({ commit, url, state, checks: [{ name: "test", state, url }] });
  return new Play({ policy: autopilot }, {})
    .go()
    .give({ type: "record_request", request, by })
    .give({ type: "record_ci", ci: { ...ci("failed"), logs: [ref("log", "1 test failed")] }, by })
    .give({ type: "record_ci", ci: { ...ci("passed"), logs: [] }, by })
    .go();
}

/** A limit of a provider is waited for; a person narrows the run, widens it at a gate, and has the worker asked again. */
function messaged(): Play {
  const limit = { trouble: "failed" as const, until: 60_000 };
  const play = new Play(
    { policy: autopilot },
    { replies: { implementer: [limit, { payload: { status: "changed" } }] } },
  );
  for (let most = 0; most < 100 && play.of("provider_limit_over").length === 0; most += 1) play.step();
  while (!play.send()) play.step();
  play.give({ type: "tell", message: { text: "not there", how: "now", disallowedPaths: ["legacy/**"] }, by });
  const widens = { acceptanceCriteria: ["the guide names it"], addAnswers: 2 };
  play.give({ type: "tell", message: { text: "the guide too", how: "next", widens }, by });
  return play.answer("approve").go();
}

export const stories: Readonly<Record<string, () => Play>> = {
  implemented,
  verifiedFirst,
  planned,
  exhausted,
  aborted,
  switched,
  cutOff,
  together,
  fewerTests,
  undone,
  unchanged,
  rechecked,
  criticised,
  commanded,
  lacking,
  advised,
  blindlyTested,
  proposed,
  messaged,
};
