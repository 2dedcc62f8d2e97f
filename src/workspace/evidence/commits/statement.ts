// The statement about a commit of a run, in the form of in-toto: what it is about (trees and changes), and what happened. Pure.
// It holds ids, hashes, verdicts and commands, and no text of a model or of a person: it is made to be published.
import { z } from "zod";
import { gateAnswer, type CheckEvidence } from "../../../core/contract/index.ts";
import { callOf, commandLine, resultOf, type Pass, type Run } from "../../../core/machine/index.ts";
import type { CommitChange } from "./change.ts";

const predicateType = "https://github.com/thehood/thehood/run/v1";

/** A change that the statement is about: the commit itself, or a row of commits that ends with it. */
export interface Subject {
  readonly name: "commit" | "range";
  readonly change: CommitChange;
}

export interface About {
  readonly tree: string;
  readonly subjects: readonly Subject[];
  readonly head: { readonly seq: number; readonly hash: string };
  readonly program: string;
  readonly sha256: (text: string) => string;
  readonly redact: (text: string) => string;
}

/** Without the words about what went unnoticed, which quote the code. */
function sabotageOf(control: NonNullable<CheckEvidence["control"]>) {
  if (control === "off") return control;
  const { canary, planned, ran, noticed, reachRan, reachNoticed, weakened } = control;
  return { canary, planned, ran, noticed, reachRan, reachNoticed, weakened: weakened !== null };
}

function checksOf(run: Run, verified: string, redact: About["redact"]) {
  return run.passes
    .flatMap(({ checks }) => checks)
    .filter(({ tree, variant }) => variant === "base" || tree === verified)
    .map(({ checkId, kind, variant, tree, result, exitCode, testsRun, sandbox, argv, cwd, seq, control }) => ({
      check: checkId,
      kind,
      command: redact(commandLine(argv)),
      folder: cwd,
      variant,
      tree,
      result,
      exitCode,
      testsRun,
      sandbox,
      event: seq,
      ...(control === undefined ? {} : { sabotage: sabotageOf(control) }),
    }));
}

function reviewsOf(run: Run, pass: Pass) {
  return (["qa", "verifier", "critic"] as const).flatMap((role) => {
    const call = pass[role] === null ? undefined : callOf(run, pass[role]);
    const outcome = call?.result?.outcome;
    if (!call || outcome?.result !== "accepted") return [];
    const verdict = outcome.brief && "verdict" in outcome.brief ? outcome.brief.verdict : null;
    return [
      {
        role,
        verdict,
        agent: call.record.assignment.assignment,
        response: outcome.response.ref,
        event: call.result?.seq,
      },
    ];
  });
}

const approvalsOf = (run: Run, sha256: About["sha256"]) =>
  run.approvals.map(({ gateId, kind, answer, by, subjectSha256, message, auto, at, seq, signature }) => ({
    gate: gateId,
    kind,
    answer,
    by: by.kind,
    surface: by.surface,
    automatic: auto !== null,
    subject: subjectSha256,
    message: sha256(message),
    at,
    event: seq,
    ...(signature === undefined ? {} : { signature }),
  }));

const transfersOf = (run: Run) =>
  run.calls.flatMap(({ manifest }) =>
    manifest
      ? [
          {
            provider: manifest.destination.provider,
            model: manifest.destination.model,
            purpose: manifest.purpose,
            content: manifest.contentSha256,
            bytes: manifest.totalBytes,
            risk: manifest.risk,
            event: manifest.seq,
          },
        ]
      : [],
  );

export function makeStatement(run: Run, about: About) {
  const result = resultOf(run);
  if (!result) throw new Error(`Run ${run.runId} has no verified work.`);
  const { pass, tree: verifiedTree } = result;
  const { created, roles, report } = run;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: "tree", digest: { gitTree: about.tree } },
      ...about.subjects.map(({ name, change }) => ({
        name,
        digest: { gitPatchId: change.patchId, sha256: change.sha256 },
      })),
    ],
    predicateType,
    predicate: {
      run: run.runId,
      program: about.program,
      goal: about.sha256(created.goal),
      base: { commit: created.baseCommit, tree: created.baseTree },
      verifiedTree,
      log: about.head,
      policy: about.sha256(JSON.stringify(created.policy)),
      createdBy: { kind: created.createdBy.kind, surface: created.createdBy.surface },
      crew: Object.fromEntries(Object.entries(roles).map(([role, seat]) => [role, seat.assignment])),
      approvals: approvalsOf(run, about.sha256),
      checks: checksOf(run, verifiedTree, about.redact),
      waivers: run.passes.flatMap(({ waivers }) =>
        waivers.map(({ checkId, tree, by }) => ({ check: checkId, tree, by: by.kind })),
      ),
      reviews: reviewsOf(run, pass),
      transfers: transfersOf(run),
      report: report && { ref: report.report.ref, proven: report.proven, unproven: report.unproven },
    },
  };
}

const approval = z.object({
  gate: z.string(),
  answer: gateAnswer,
  subject: z.string(),
  signature: z.string().optional(),
});
const digests = z.object({ gitTree: z.string(), gitPatchId: z.string(), sha256: z.string() }).partial();

/** The part of a statement that a verifier reads. */
export const readStatement = z.object({
  _type: z.literal("https://in-toto.io/Statement/v1"),
  subject: z.array(z.object({ name: z.string(), digest: digests })).min(1),
  predicateType: z.literal(predicateType),
  predicate: z.looseObject({
    run: z.string(),
    verifiedTree: z.string().optional(),
    approvals: z.array(approval).optional(),
  }),
});
export type ReadStatement = z.infer<typeof readStatement>;
