// Asks a provider. The prompt is recorded before it is sent; the answer is parsed as it came and stored redacted.
import {
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  type PendingCall,
  type ProviderCall,
  type ProviderPort,
  type ResolvedAssignment,
  FailureError,
  isTrouble,
  plainLine,
  responseLimits,
  parseJson,
  recordOf,
} from "../../../core/contract/index.ts";
import { sha256 } from "../../../platform/store/index.ts";
import { endGitFolderWatch, watchGitFolder } from "../../../workspace/checkout/git-folder-watch/index.ts";
import { changedReading, createReading, createWorktree } from "../../../workspace/checkout/worktree/index.ts";
import { describeRestored, endReading, readingOf } from "./leftovers.ts";
import { type EffectDeps, repositoryOf, stateOf } from "../deps.ts";
import { hiddenFromBlind, isBlind, openBlindFolder } from "./blind-folder.ts";
import { concludeCall } from "./conclude.ts";
import { type ChangeWatch, watchCheckout, writtenBy } from "./proof.ts";
import { withSettledWork } from "./settle.ts";

type CallEffect = EffectOf<"call_provider"> | EffectOf<"reattach_call">;

const noUsage = { inputTokens: 0, outputTokens: 0, estimated: true };

/** Outcomes in which nothing came back. */
function without(
  kind: CallEffect["kind"],
  outcome: Extract<EffectOutcome, { kind: "call_provider" | "reattach_call" }>["outcome"],
): EffectOutcome {
  return { kind, outcome, usage: noUsage, artifacts: [] };
}

export async function callProvider(
  deps: EffectDeps,
  effect: EffectOf<"call_provider">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const ready = await prepare(deps, effect, context).catch(unlessTrouble);
  if (ready instanceof FailureError) return notSent(deps, ready);
  const { provider, call } = ready;
  const watch = await watchCheckout(deps, provider, call).catch(unlessTrouble);
  if (watch instanceof FailureError) return notSent(deps, watch);
  await context.posted({
    handle: provider.handle?.(call) ?? null,
    promptSha256: sha256(call.prompt),
    target: `${provider.id}:${call.model}`,
  });
  await context.fence();
  context.progress(`waiting for ${call.role} (${provider.id}:${call.model})`);
  const pending = await provider.send(call, context.signal).catch(asFailure);
  if (pending instanceof FailureError) {
    await endReading(deps, effect, context.runId);
    return notSent(deps, pending);
  }
  return conclude(deps, effect, context, { call, pending, watch });
}

/** Goes on waiting for a call of a process that is gone. It is never sent again. */
export async function reattachCall(
  deps: EffectDeps,
  effect: EffectOf<"reattach_call">,
  context: EffectContext,
): Promise<EffectOutcome> {
  const ready = await prepare(deps, effect, context, true).catch(unlessTrouble);
  const { handle } = effect.posted;
  const pending =
    ready instanceof FailureError || handle === null
      ? undefined
      : await ready.provider.reattach?.(handle, ready.call, context.signal).catch(asFailure);
  if (ready instanceof FailureError || pending === undefined || pending instanceof FailureError) {
    // The worker may have touched the shared git folder before it vanished.
    const touched = effect.call.workspace === "worktree" ? restoreGitFolder(deps, context.runId) : [];
    const restored = describeRestored(deps.repository, context.runId, touched);
    if (restored !== undefined) context.progress(restored);
    await endReading(deps, effect, context.runId);
    const gone = `the process that asked ${effect.posted.target} is gone, and its answer cannot be found again`;
    const why = restored === undefined ? gone : `${gone}; ${restored}`;
    return without(effect.kind, { result: "in_doubt", why });
  }
  return conclude(deps, effect, context, { call: ready.call, pending, watch: null });
}

interface Waiting {
  readonly call: ProviderCall;
  readonly pending: PendingCall;
  /** Over the checkout, when it is to be proven unchanged. */
  readonly watch: ChangeWatch | null;
}

async function conclude(
  deps: EffectDeps,
  effect: CallEffect,
  context: EffectContext,
  { call, pending, watch }: Waiting,
): Promise<EffectOutcome> {
  context.activity?.(activityOf(effect));
  const answer = await pending.answer;
  const touched = effect.call.workspace === "worktree" ? restoreGitFolder(deps, context.runId, writtenBy(answer)) : [];
  const read = watch && effect.readsTree !== null && !isBlind(effect) ? effect.readsTree : null;
  const changed = [
    ...((await watch?.()) ?? []),
    ...(read === null ? [] : await changedReading(repositoryOf(deps), context.runId, readingOf(effect, read))),
  ];
  await endReading(deps, effect, context.runId);
  const report = await concludeCall(deps, { effect, call, answer, touched, changed });
  return { kind: effect.kind, ...(await withSettledWork(deps, call, report)) };
}

async function prepare(
  deps: EffectDeps,
  effect: CallEffect,
  context: EffectContext,
  again = false,
): Promise<{ provider: ProviderPort; call: ProviderCall }> {
  const { call, record, timeoutMs, limits } = effect;
  const provider = await deps.providers.get(call.assignment.provider);
  insistSameAgent(provider, call.assignment);
  const message = await deps.artifacts.read(record.directive.ref);
  if (effect.kind === "call_provider") insistApproved(effect, sha256(message));
  const prompt = deps.text.decode(message);
  const dir = await workspaceOf(deps, effect, context, again);
  return {
    provider,
    call: {
      callId: call.callId,
      runId: context.runId,
      role: call.role,
      purpose: call.purpose,
      ordinal: call.ordinal,
      model: call.assignment.model,
      contract: call.contract,
      ack: record.ack,
      prompt,
      directive: recordOf(parseJson(prompt)),
      workspace: { mode: call.workspace, dir, ...(isBlind(effect) ? { hides: hiddenFromBlind(deps) } : {}) },
      timeoutMs,
      limits,
      maxAnswerBytes: responseLimits.rawBytes,
      ...listenersOf(deps, effect, context),
      options: call.assignment.options,
    },
  };
}

/** Exactly the approved bytes leave this machine. */
function insistApproved({ call, approvedSha256 }: EffectOf<"call_provider">, hash: string): void {
  if (call.assignment.boundary !== "external" || approvedSha256 === hash) return;
  throw new FailureError({
    code: "conflict",
    message: `The message for ${call.assignment.assignment} is not the one whose manifest was approved; nothing was sent.`,
    remedy: "Continue the run: the call is made again with a new manifest.",
  });
}

/** Receives progress of the call. A line is truncated only after its secrets are removed. */
function listenersOf(
  { text }: EffectDeps,
  effect: CallEffect,
  context: EffectContext,
): Pick<ProviderCall, "progress" | "news"> {
  const one = activityOf(effect);
  return {
    progress(line) {
      const does = plainLine(text.redact(line), 200);
      context.progress(`${effect.call.role}: ${does}`);
      context.activity?.({ ...one, does });
    },
    news: (news) => context.activity?.({ ...one, ...news }),
  };
}

const activityOf = ({ key, call: { role, assignment } }: CallEffect) => ({
  id: key,
  who: `${role} (${assignment.provider}:${assignment.model})`,
});

/** Puts back the files in the shared git folder that the worker changed, keeps a copy of each, and gives their paths. */
const restoreGitFolder = ({ repository }: EffectDeps, runId: string, written?: readonly string[]): readonly string[] =>
  repository ? endGitFolderWatch(repository, runId, written) : [];

async function workspaceOf(
  deps: EffectDeps,
  effect: CallEffect,
  context: EffectContext,
  again: boolean,
): Promise<string | null> {
  const { workspace } = effect.call;
  if (workspace === "none") return null;
  if (workspace === "direct" && effect.call.ordinal === 1 && !again) await insistClean(deps);
  if (isBlind(effect)) return openBlindFolder(deps, effect, context.runId, again);
  if (workspace === "read_only" && effect.readsTree !== null)
    return (await createReading(repositoryOf(deps), context.runId, readingOf(effect, effect.readsTree))).path;
  if (workspace !== "worktree") return deps.root;
  if (effect.baseCommit === null)
    throw new FailureError({
      code: "not_a_repository",
      message: "A worker needs a git repository with a commit to work on.",
      remedy: "Make one with: git init && git add -A && git commit",
    });
  const { runId } = context;
  const repository = repositoryOf(deps);
  const later = effect.call.ordinal > 1;
  const { path } = await createWorktree(repository, { runId, baseCommit: effect.baseCommit, again: later });
  if (!again) watchGitFolder(repository, runId);
  return path;
}

/** A worker in the checkout itself must not find the user's unfinished edits, and they must not count as its work. */
async function insistClean(deps: EffectDeps): Promise<void> {
  const state = await stateOf(deps);
  if (!state || state.clean) return;
  const some = state.status.slice(0, 5).map(({ path }) => path);
  throw new FailureError({
    code: "conflict",
    message: `The checkout has changes of its own (${some.join(", ")}), so no worker may edit it directly.`,
    remedy: "Commit or stash them, or let the worker use a worktree: unset THEHOOD_ALLOW_DIRECT_EDIT.",
  });
}

function asFailure(error: unknown): FailureError {
  if (error instanceof FailureError) return error;
  throw error;
}

/** Trouble around the call goes up: nothing was sent, and the call is made when it is gone. */
function unlessTrouble(error: unknown): FailureError {
  const failed = asFailure(error);
  if (isTrouble(failed.failure.code)) throw failed;
  return failed;
}

function notSent({ text }: EffectDeps, { failure }: FailureError): EffectOutcome {
  const { message, remedy, details } = failure;
  const until = details?.["limitedUntil"];
  return without("call_provider", {
    result: "not_sent",
    ...(typeof until === "number" ? { until } : {}),
    why: text.redact(message),
    remedy: remedy === undefined ? null : text.redact(remedy),
  });
}

function difference(provider: ProviderPort, frozen: ResolvedAssignment): string | undefined {
  const { boundary, reads } = provider.traits;
  if (boundary !== frozen.boundary) return `its data boundary was ${frozen.boundary} and is ${boundary}`;
  const resolved = provider.resolve(frozen.model);
  if (!resolved.ok) return resolved.problem;
  if (resolved.identity !== frozen.identity)
    return `it answered as ${frozen.identity} and would answer as ${resolved.identity}`;
  const more = reads && ((frozen.reads?.calls ?? 0) < reads.calls || (frozen.reads?.bytes ?? 0) < reads.bytes);
  return more ? "it would be let read more than when the run was created" : undefined;
}

export function insistSameAgent(provider: ProviderPort, frozen: ResolvedAssignment): void {
  const changed = difference(provider, frozen);
  if (changed === undefined) return;
  throw new FailureError({
    code: "conflict",
    message: `${frozen.assignment} no longer means what it meant when the run was created: ${changed}.`,
    remedy: "Put the configuration back as it was, assign the role again, or start a new run.",
  });
}
