// The outcome of an answer: accepted, refused, failed or in doubt; with its records.
import {
  type ArtifactKind,
  type ArtifactRef,
  type CallOutcome,
  type CallReport,
  type EffectOf,
  type ProviderAnswer,
  type ProviderCall,
  type RoleResponse,
  type Usage,
  readResponse,
  responseContracts,
  roleTable,
} from "../../../core/contract/index.ts";
import { cleanDeep } from "../../engine/index.ts";
import { putDiff, putJson, putLog } from "../redaction.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { applyInWorktree } from "../patch/apply.ts";
import { checkedCitations } from "./citations.ts";
import { mayHaveWritten, violationOf } from "./proof.ts";

export interface Concluded {
  readonly effect: EffectOf<"call_provider"> | EffectOf<"reattach_call">;
  readonly call: ProviderCall;
  readonly answer: ProviderAnswer;
  /** Paths that the worker changed in the shared git folder; they have been put back. */
  readonly touched: readonly string[];
  /** Paths of the checkout that changed while a reading agent was at work. */
  readonly changed: readonly string[];
}

export async function concludeCall(deps: EffectDeps, concluded: Concluded): Promise<CallReport> {
  const { call, answer } = concluded;
  const outcome = await judge(deps, concluded);
  const artifacts: ArtifactRef[] = [];
  if (answer.patch) artifacts.push(await putDiff(deps, answer.patch, `diff in the answer of ${call.role}`));
  artifacts.push(...(await recordInvocation(deps, concluded, outcome, artifacts[0] ?? null)));
  const sandbox = answer.invocation?.sandbox ?? null;
  return {
    outcome,
    usage: usageOf(deps, call, answer),
    artifacts,
    ...(sandbox === null ? {} : { sandbox }),
  };
}

async function judge(deps: EffectDeps, concluded: Concluded): Promise<CallOutcome> {
  const { call, answer } = concluded;
  const violation = violationOf(concluded);
  if (violation) return violation;
  if (answer.outcome === "aborted") return { result: "in_doubt", why: "the call was stopped before an answer came" };
  if (answer.outcome === "oversize")
    return {
      result: "refused",
      refusal: {
        reason: "oversize",
        message: deps.text.redact(answer.error ?? "the answer is too large"),
        errors: [],
      },
      ref: null,
    };
  if (answer.outcome !== "answered")
    return {
      result: "failed",
      why: deps.text.redact(answer.error ?? "the provider gave no answer"),
      timedOut: answer.outcome === "timed_out",
      ...(answer.budget === undefined ? {} : { budget: answer.budget }),
      ...(answer.limitedUntil === undefined ? {} : { until: answer.limitedUntil }),
    };
  const read = readResponse(call.contract, answer.text, call.ack);
  if (!read.ok) {
    const ref = await storeRaw(deps, call, answer.text);
    return { result: "refused", refusal: cleanDeep(deps.text, read.refusal), ref };
  }
  const trouble = await layPatch(deps, call, answer);
  if (trouble) return { result: "failed", why: deps.text.redact(trouble), timedOut: false };
  // Redacted from here on: the events hold parts of it.
  const checked = await checkedCitations(deps, call, read.response as RoleResponse);
  const response = cleanDeep(deps.text, checked);
  return { result: "answered", response, ref: await storeResponse(deps, call, response) };
}

/** A provider that cannot edit files answers with a diff; it goes into the worktree, to be captured like any other work. */
async function layPatch(deps: EffectDeps, call: ProviderCall, answer: ProviderAnswer): Promise<string | undefined> {
  if (!answer.patch || call.role !== "implementer" || call.workspace.mode !== "worktree") return undefined;
  const problem = await applyInWorktree(repositoryOf(deps), call.runId, answer.patch);
  return problem === undefined ? undefined : `the diff in the answer cannot be applied: ${problem}`;
}

function kindOf(call: ProviderCall): ArtifactKind {
  if (call.purpose === "reconcile") return "reconciliation";
  return call.role === "orchestrator" || call.role === "planner" ? "plan" : "agent";
}

function storeResponse(deps: EffectDeps, call: ProviderCall, response: RoleResponse): Promise<ArtifactRef> {
  const value = {
    kind: response.contract,
    runId: call.runId,
    callId: call.callId,
    role: call.role,
    purpose: call.purpose,
    model: call.model,
    status: response.status,
    summary: response.summary,
    data: { [responseContracts[response.contract].key]: response.payload },
  };
  return putJson(deps, kindOf(call), value, `${call.role}: ${response.summary}`);
}

function storeRaw(deps: EffectDeps, call: ProviderCall, text: string): Promise<ArtifactRef> {
  return deps.artifacts.put(deps.text.redact(text), {
    kind: "log",
    mediaType: "text/plain; charset=utf-8",
    summary: `answer of ${call.role} that was refused`,
  });
}

/** Counted from bytes when the provider does not say; four bytes a token is on the low side of what is billed. */
function usageOf(deps: EffectDeps, call: ProviderCall, answer: ProviderAnswer): Usage {
  // A refusal costs nothing; where the provider tells what was used before it, that counts.
  if (answer.limitedUntil !== undefined && !answer.usage) return { inputTokens: 0, outputTokens: 0, estimated: false };
  if (answer.usage) return { ...answer.usage, estimated: answer.usage.estimated ?? false };
  const tokens = (text: string) => Math.ceil(deps.text.encode(text).length / 4);
  return { inputTokens: tokens(call.prompt), outputTokens: tokens(answer.text), estimated: true };
}

async function recordInvocation(
  deps: EffectDeps,
  { call, answer, effect, touched, changed }: Concluded,
  outcome: CallOutcome,
  patch: ArtifactRef | null,
): Promise<ArtifactRef[]> {
  const { invocation } = answer;
  if (!invocation) return [];
  const who = `${call.role} (${effect.call.assignment.assignment})`;
  const stdout = await putLog(deps, invocation.stdout, `stdout of ${who}`);
  const stderr = await putLog(deps, invocation.stderr, `stderr of ${who}`);
  const limits = roleTable[call.role];
  const record = {
    kind: invocation.kind ?? "local_agent_execution",
    runId: call.runId,
    callId: call.callId,
    role: call.role,
    provider: effect.call.assignment.provider,
    model: call.model,
    command: invocation.command,
    args: invocation.args,
    commandMode: limits.edit ? "edit-capable" : "read-only",
    workspaceMode: call.workspace.mode,
    sandbox: invocation.sandbox,
    permissionMode: invocation.permissionMode,
    toolPermissions: { read: limits.read, edit: limits.edit, run: limits.run, network: limits.network },
    durationMs: answer.durationMs,
    timeoutMs: call.timeoutMs,
    exitCode: invocation.exitCode,
    signal: invocation.signal,
    timedOut: answer.outcome === "timed_out",
    stdoutLength: invocation.stdout.length,
    stderrLength: invocation.stderr.length,
    stdoutRef: stdout?.ref ?? null,
    stderrRef: stderr?.ref ?? null,
    responseParsed: outcome.result === "answered",
    responseStatus: outcome.result === "answered" ? outcome.response.status : outcome.result,
    patchArtifact: patch?.ref ?? null,
    touchedGitFolder: touched,
    changedCheckout: changed.slice(0, 100),
    changedCheckoutBy:
      changed.length === 0
        ? null
        : mayHaveWritten(invocation)
          ? "the agent, or another process"
          : "another process: the agent could not write it",
    usage: answer.usage ?? null,
    denials: (invocation.denials ?? []).slice(0, 50),
  };
  const ended = invocation.exitCode === null ? "did not exit" : `exit ${invocation.exitCode}`;
  const how = invocation.kind === "api_conversation" ? `${answer.outcome}; ${invocation.permissionMode}` : ended;
  const summary = `${invocation.command} as ${who}: ${how}`;
  const refs = [stdout, stderr, await putJson(deps, "provider_invocation", record, summary)];
  return refs.filter((ref) => ref !== null);
}
