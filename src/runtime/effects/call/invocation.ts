// How a local agent command really ran: redacted logs and one `provider_invocation` record.
import { type ArtifactRef, type CallOutcome, roleTable } from "../../../core/contract/index.ts";
import { putJson, putLog } from "../redaction.ts";
import type { EffectDeps } from "../deps.ts";
import type { Concluded } from "./conclude.ts";
import { mayHaveWritten } from "./proof.ts";

export async function recordInvocation(
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
    args: invocation.args.map(deps.text.redact),
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
          ? "the agent, or somebody beside it"
          : "somebody else: the agent could not write it",
    usage: answer.usage ?? null,
    denials: (invocation.denials ?? []).slice(0, 50).map(deps.text.redact),
  };
  const ended = invocation.exitCode === null ? "did not exit" : `exit ${invocation.exitCode}`;
  const how =
    invocation.kind === "api_conversation" ? `${answer.outcome}; ${invocation.permissionMode}` : ended;
  const summary = `${invocation.command} as ${who}: ${how}`;
  const refs = [stdout, stderr, await putJson(deps, "provider_invocation", record, summary)];
  return refs.filter((ref) => ref !== null);
}
