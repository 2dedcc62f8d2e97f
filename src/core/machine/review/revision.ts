// From a finding to a repair: the revision packet, or a gate when repairs do not converge.
import {
  type ArtifactRef,
  type CheckComparisonResult,
  type FailureClass,
  type RevisionPacket,
  type RevisionReason,
  plainLine,
} from "../../contract/index.ts";
import { nameFor } from "../facts/index.ts";
import { openGate } from "../gate/open.ts";
import { type Decision, type MachineDeps, emit, jsonArtifact, combine } from "../decision.ts";
import type { Critiquing, Implementing, Integrating, Pass, Run, Verifying } from "../state/index.ts";
import { enterImplementing } from "../transition.ts";
import { compareChecks } from "./check-comparison.ts";
import { reviewTree } from "./trees.ts";

export type Repairable = Implementing | Integrating | Verifying | Critiquing;

export interface Repair {
  readonly sourceRole: string;
  readonly reasonCode: RevisionReason;
  readonly failureClass?: FailureClass;
  readonly reason: string;
  readonly objective: string;
  readonly criteria: readonly string[];
  readonly evidence: readonly (ArtifactRef | null | undefined)[];
  readonly responseRef?: string | null;
  /** Instead of the criteria: two packets with the same reason and the same value here are the same. */
  readonly sameIf?: string;
}

const most = 8;

const stock = [
  "The goal is reached within the allowed paths.",
  "Every check that passed before still passes.",
  "Nothing unrelated is changed.",
];

function packetOf(
  run: Run,
  pass: Pass,
  repair: Repair,
  deps: MachineDeps,
): { packet: RevisionPacket; output: Decision } {
  const named = repair.criteria.map((text) => plainLine(text, 500)).filter((text) => text !== "");
  const acceptanceCriteria = (named.length > 0 ? named : stock).slice(0, most);
  const evidenceRefs = [...new Set(repair.evidence.flatMap((ref) => (ref ? [ref.ref] : [])))].slice(0, most);
  const body = {
    revisionId: nameFor(run, "revision"),
    pass: pass.number,
    sourceRole: repair.sourceRole,
    reasonCode: repair.reasonCode,
    failureClass: repair.failureClass ?? null,
    reason: plainLine(repair.reason, 1_000),
    objective: plainLine(repair.objective, 1_000),
    acceptanceCriteria,
    evidenceRefs,
    responseRef: repair.responseRef ?? null,
    criticTriggerRef: pass.trigger?.artifact.ref ?? null,
    fingerprint: deps
      .sha256(JSON.stringify([repair.reasonCode, repair.sameIf ?? [...acceptanceCriteria].sort()]))
      .slice(0, 16),
  };
  const artifact = jsonArtifact(
    deps,
    "revision_packet",
    { schemaVersion: 1, kind: "revision_packet", runId: run.runId, ...body },
    `revision of pass ${pass.number}: ${repair.reasonCode}`,
  );
  const packet = { ...body, artifact: artifact.ref };
  return { packet, output: { events: [{ type: "revision_packet_written", packet }], artifacts: [artifact] } };
}

const likely: Readonly<Record<Circle["cause"], string>> = {
  actor_failure: "Likely cause: the worker does not get closer to the goal.",
  reviewer_disagreement: "Likely cause: the reviewers do not agree with each other.",
  unclear_goal: "Likely cause: the goal is not clear.",
};

const descriptions: Partial<Record<CheckComparisonResult, string>> = {
  regression: "passed before this work and fails now",
  still_failing: "failed before this work and fails after it",
  not_run: "could not be run",
  nothing_to_run: "had nothing to run",
};

/** The checks that do not pass, in words. */
const notPassing = (run: Run, pass: Pass): string[] =>
  compareChecks(run, pass).flatMap(({ command, standing }) =>
    descriptions[standing] === undefined ? [] : [`\`${command}\` ${descriptions[standing]}.`],
  );

/** Reasons that a reviewer gave. What checks and rules found is not overruled here. */
const opinions: readonly RevisionReason[] = ["verifier_revise", "qa_needs_revision", "critic_needs_revision"];

export const isOpinion = (reason: RevisionReason): boolean => opinions.includes(reason);

/** How a person may end a circle that only an opinion holds: the last line of the gate. */
export const takeOrRevise =
  "Revise with what should be done differently, take the work as it is, or abort. Work that you take still needs your waiver for each check that does not pass.";

/** Back to the worker with a packet. When the same problem comes back a gate shows why, and a person decides. */
export function repair(run: Run, phase: Repairable, pass: Pass, deps: MachineDeps, what: Repair): Decision {
  const { packet, output } = packetOf(run, pass, what, deps);
  const circle = what.reasonCode === "user_revise" ? null : spin(run, packet);
  // Checks have judged this tree and broke none: only an opinion holds the work, and a person may overrule that.
  const takes = phase.state === "verifying" && isOpinion(packet.reasonCode);
  if (circle)
    return openGate(run, deps, {
      kind: "repeated_failure",
      ...(takes ? { answers: ["accept", "revise", "abort"] } : {}),
      shown: [
        circle.why,
        likely[circle.cause],
        `The last finding is of the ${packet.sourceRole}: ${packet.reason}`,
        ...notPassing(run, pass),
        takes ? takeOrRevise : "Revise with what should be done differently, or abort.",
        ...(takes ? [`tree: ${reviewTree(run)}`] : []),
      ],
      refs: what.evidence.filter((ref) => ref !== null && ref !== undefined).slice(0, most),
      about: { cause: circle.cause },
      failureClass: packet.failureClass ?? "unknown_failure",
    });
  return combine(
    output,
    enterImplementing<Repairable>(run, phase, `${packet.reasonCode}: ${packet.reason}`),
    emit({ type: "revision_delegated", revisionId: packet.revisionId, pass: run.passes.length }),
  );
}

export interface Circle {
  readonly cause: "actor_failure" | "reviewer_disagreement" | "unclear_goal";
  readonly why: string;
}

/** The number of equal findings before a circle is found. A broken check gets one more try than an opinion. */
const sameFindings = { validation_regression: 2, patch_rejected: 2, other: 1 } as const;

/** The passes since a person last said how to go on. */
function sinceUser(run: Run): Pass[] {
  const start = run.passes.findLastIndex((pass) => pass.revision?.reasonCode === "user_revise");
  return run.passes.slice(Math.max(0, start));
}

function sameTree(passes: readonly Pass[]): Pass | undefined {
  const last = passes.at(-1)?.captured?.patch?.tree;
  return last === undefined ? undefined : passes.slice(0, -1).find((pass) => pass.captured?.patch?.tree === last);
}

export function spin(run: Run, packet: RevisionPacket): Circle | null {
  const passes = sinceUser(run);
  const packets = passes.flatMap((pass) => (pass.outcome && pass.number !== packet.pass ? [pass.outcome] : []));
  const same = packets.filter(({ fingerprint }) => fingerprint === packet.fingerprint).length;
  const limit =
    packet.reasonCode === "validation_regression" || packet.reasonCode === "patch_rejected"
      ? sameFindings[packet.reasonCode]
      : sameFindings.other;
  if (same >= limit)
    return {
      cause: "actor_failure",
      why: `The same finding came back ${same + 1} times, and repair did not change it.`,
    };
  const earlier = sameTree(passes);
  if (earlier)
    return {
      cause: "actor_failure",
      why: `Pass ${packet.pass} produced exactly the work of pass ${earlier.number} again.`,
    };
  const { maxRevisions } = run.created.policy.budgets;
  if (packets.length >= maxRevisions) {
    const failing = packets.some(({ reasonCode }) => reasonCode === "validation_regression");
    return failing
      ? { cause: "actor_failure", why: `After ${packets.length} repairs the work still does not hold.` }
      : {
          cause: "reviewer_disagreement",
          why: `The checks pass, and after ${packets.length} repairs reviewers still find something new.`,
        };
  }
  return null;
}
