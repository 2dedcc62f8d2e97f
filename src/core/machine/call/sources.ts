// The sources of a directive: refs whose bounded excerpts the role is given to read.
import type { ArtifactRef, EvidenceAttachment, CallRecord, TransferPurpose } from "../../contract/index.ts";
import {
  acceptedOf,
  checksAbout,
  currentPlan,
  diffPart,
  latestPass,
  mostReviewed,
  requestedTasks,
  type Reviewer,
  reviewers,
  sideJobOf,
  workPass,
} from "../facts/index.ts";
import type { AgentCall, Pass, Run } from "../state/index.ts";

const limits = {
  plan: 12_000,
  guide: 16_000,
  quoted: 24_000,
  diff: 60_000,
  log: 8_000,
  ran: 16_000,
  context: 80_000,
  contexts: 200_000,
  review: 8_000,
  packet: 200_000,
  all: 240_000,
  allReviewed: 640_000,
};

/** The provider that can read a pushed repository with a connector of its own. */
export const connected = "chatgpt-web";

const attach = (name: string, ref: ArtifactRef | null | undefined, maxBytes: number): EvidenceAttachment[] =>
  ref ? [{ name, ref, maxBytes }] : [];

function planSources(run: Run): EvidenceAttachment[] {
  return attach("plan", currentPlan(run)?.ref, limits.plan);
}

/** The instructions of the repository to agents, as its base commit holds them: data, never a permission. */
const guideSources = ({ inspection }: Run): EvidenceAttachment[] =>
  (inspection?.instructions ?? []).flatMap((ref) =>
    attach(`repository_instructions: ${ref.summary}`, ref, limits.guide),
  );

/** The texts of others that the run began with. */
const quotedSources = ({ created }: Run): EvidenceAttachment[] =>
  (created.quoted ?? []).flatMap((ref) => attach(`quoted: ${ref.summary}`, ref, limits.quoted));

/** The newest pack holds the files of those before it, each once. */
function contextSources(run: Run, call: CallRecord): EvidenceAttachment[] {
  const most = Math.min(limits.context * Math.max(1, run.contexts.length), limits.contexts);
  return [
    ...attach(`repo_context_${run.contexts.length}`, run.contexts.at(-1)?.context, most),
    ...remoteSources(run, call),
  ];
}

const remoteSources = ({ remote }: Run, { assignment }: CallRecord): EvidenceAttachment[] =>
  assignment.provider === connected ? attach("remote_context", remote?.context?.context, limits.context) : [];

/** Logs of failed checks come first, and logs of the base come last. */
function byInterest(checks: Pass["checks"]): Pass["checks"] {
  const rank = (check: Pass["checks"][number]) =>
    (check.result === "passed" ? 2 : 0) + (check.variant === "base" ? 1 : 0);
  return checks.toSorted((a, b) => rank(a) - rank(b));
}

function logSources(run: Run, pass: Pass): EvidenceAttachment[] {
  return byInterest(checksAbout(run, pass)).flatMap((check) => [
    ...attach(`${check.checkId} ${check.variant} stdout`, check.stdout, limits.log),
    ...attach(`${check.checkId} ${check.variant} stderr`, check.stderr, limits.log),
  ]);
}

/** All of the diff, as far as one message can hold it, or the next part of it. */
function reviewedWork(run: Run, role: Reviewer): EvidenceAttachment[] {
  const part = diffPart(run, role);
  const all = workSources(run, mostReviewed);
  return part ? all.map((one) => (one.name === "diff" ? { ...one, part } : one)) : all;
}

function workSources(run: Run, most = limits.diff): EvidenceAttachment[] {
  const pass = workPass(run);
  return [
    ...attach("diff", pass?.captured?.patch?.full, most),
    ...logSources(run, latestPass(run)),
    ...attach("validation", latestPass(run).validation?.artifact, limits.review),
  ];
}

function reviewSources(run: Run): EvidenceAttachment[] {
  const pass = latestPass(run);
  return (["qa", "verifier", "critic"] as const).flatMap((role) =>
    attach(`${role} response`, acceptedOf(run, pass[role])?.response, limits.review),
  );
}

/** The output of the commands that the verifier asked for. */
function ranSources(run: Run): EvidenceAttachment[] {
  const tasks = latestPass(run).asksToRun.flatMap((callId) => requestedTasks(run, callId));
  return tasks.flatMap(({ command }, index) => [
    ...attach(`requested_command_${index + 1} stdout`, command?.stdout, limits.ran),
    ...attach(`requested_command_${index + 1} stderr`, command?.stderr, limits.ran),
  ]);
}

/** A repair is given the findings about the pass before it. */
function repairSources(run: Run): EvidenceAttachment[] {
  const pass = latestPass(run);
  const before = run.passes[pass.number - 1];
  if (!pass.revision) return [];
  return [
    ...attach("revision_packet", pass.revision.artifact, limits.review),
    ...attach("diff", workPass(run)?.captured?.patch?.full ?? before?.captured?.patch?.full, limits.diff),
    ...(before ? logSources(run, before) : []),
  ];
}

function sideSources(run: Run, call: CallRecord): EvidenceAttachment[] {
  const job = sideJobOf(run, call);
  if (job?.job === "reconcile") return attach("progress_packet", run.packet, limits.packet);
  if (job?.job !== "summon") return [];
  const named = job.request.evidenceRefs.flatMap((wanted) =>
    attach(
      `evidence ${wanted}`,
      run.artifacts.find(({ ref }) => ref === wanted),
      limits.review,
    ),
  );
  return [...planSources(run), ...remoteSources(run, call), ...workSources(run), ...named];
}

/** Each source once, in order, within the bytes that one directive may hold. */
function bounded(list: readonly EvidenceAttachment[], all = limits.all): EvidenceAttachment[] {
  const seen = new Set<string>();
  let left = all;
  return list.flatMap((one) => {
    if (seen.has(one.ref.ref)) return [];
    seen.add(one.ref.ref);
    const maxBytes = Math.min(one.maxBytes, left);
    left -= Math.min(maxBytes, one.ref.bytes);
    return maxBytes > 0 ? [{ ...one, maxBytes }] : [];
  });
}

export function sourcesOf(run: Run, call: CallRecord): readonly EvidenceAttachment[] {
  switch (call.phase) {
    case "plan":
    case "delegate":
    case "consult":
      return bounded([
        ...planSources(run),
        ...quotedSources(run),
        ...guideSources(run),
        ...contextSources(run, call),
        ...workSources(run),
      ]);
    case "implement":
    case "repair":
      return bounded([
        ...planSources(run),
        ...quotedSources(run),
        ...guideSources(run),
        ...contextSources(run, call),
        ...repairSources(run),
      ]);
    case "qa":
    case "verify":
    case "critique": {
      const work = reviewedWork(run, reviewers[call.phase]);
      const ran = call.phase === "verify" ? ranSources(run) : [];
      return bounded(
        [...planSources(run), ...quotedSources(run), ...ran, ...work, ...reviewSources(run)],
        limits.allReviewed,
      );
    }
    // Nothing of the work: the files of the base commit alone.
    case "blind_tests":
      return bounded([...guideSources(run), ...contextSources(run, call)]);
    case "summon":
    case "reconcile":
      return bounded(sideSources(run, call));
  }
}

/** Exactly the directive leaves the machine; nothing is sent before its manifest is approved. */
export function leaving(call: AgentCall): readonly EvidenceAttachment[] {
  return attach("directive", call.directive?.directive, call.directive?.directive.bytes ?? 0);
}

export function needsManifest(call: AgentCall): boolean {
  return call.record.assignment.boundary === "external" && call.directive !== null && call.manifest === null;
}

export function purposeOf({ record: call, directive }: AgentCall): TransferPurpose {
  if (directive?.memory) return "memory_packet";
  if (call.phase === "reconcile") return "progress_packet";
  return call.phase === "plan" || call.phase === "consult" || call.phase === "blind_tests"
    ? "repo_context"
    : "run_evidence";
}
