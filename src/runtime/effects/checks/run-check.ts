// Runs one check on one tree and records all of it: command, folder, end, and the permission for it.
import {
  type CheckControl,
  type CheckEvidence,
  type Doubt,
  type EffectContext,
  type EffectOf,
  type EffectOutcome,
  mostDoubts,
} from "../../../core/contract/index.ts";
import { fromBytePath, type Repository, withGcPaused } from "../../../platform/git/index.ts";
import { listChanges, pinSeenTrees } from "../../../workspace/checkout/worktree/index.ts";
import { guardedTree } from "../../../workspace/checks/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { definesChecks, protectedGlobs } from "../patch/paths.ts";
import { putLog } from "../redaction.ts";
import { earlierResult, toolsOf } from "./earlier.ts";
import { baselineText, recallBaseline } from "./known-results.ts";
import {
  type CheckRequest,
  type ControlQuestion,
  type RunOptions,
  controlOnTree,
  idleTestsOf,
  narrowOnTree,
  loadedOnTree,
  repeatOnTree,
  replayOnTree,
  runOnTree,
} from "./on-tree.ts";
import { scopeDoubts } from "./scope.ts";
import { settle } from "./steadiness.ts";

/** What a check needs of a run; `checks test` has no run. */
type CheckContext = Pick<EffectContext, "runId" | "signal" | "progress" | "activity"> & {
  readonly created: Pick<EffectContext["created"], "policy">;
};

export async function runCheck(
  deps: EffectDeps,
  effect: EffectOf<"run_check">,
  context: CheckContext,
): Promise<Extract<EffectOutcome, { kind: "run_check" }>> {
  const { check, variant } = effect;
  const command = check.argv.join(" ");
  const tools = toolsOf(deps.root, check);
  const known = effect.early === true ? await earlierResult(deps, effect, tools) : undefined;
  if (known) return { kind: "run_check", result: known };
  context.progress(`${variant}: ${command}`);
  const activity = { id: effect.key, who: `check (${variant})` };
  context.activity?.({ ...activity, does: `$ ${command}` });
  const extra = protectedGlobs(context.created.policy, effect.checkFiles);
  const tree = variant === "guarded" ? await pinnedGuarded(deps, effect, extra, context.runId) : effect.tree;
  const verdict = await deps.classify(check.argv, check.cwd, "checkout");
  const request = {
    runId: context.runId,
    spec: { ...check, timeoutMs: effect.timeoutMs },
    tree,
    signal: context.signal,
    onOutput(line: string) {
      context.progress(line);
      context.activity?.({ ...activity, says: line });
    },
  };
  const asks = variant === "base" || tree === effect.baseTree ? null : await questions(deps, effect, extra);
  const compared = asks === null ? {} : await comparison(deps, effect, asks, extra);
  const since = variant === "base" ? {} : { changedSince: effect.baseTree };
  await recall(deps, effect);
  const options = { ...compared, ...since };
  const first = await runOnTree(deps, request, options);
  const { ran: plain, unsteady } = await settle(
    deps,
    request,
    options,
    first,
    variant === "base" ? null : effect.baseTree,
  );
  const found = asks === null ? {} : await tried(deps, asks, effect, context, request, plain);
  const ran = judged(plain, found);
  const { sandbox } = ran.command;
  const cut = ran.result === "timed_out" && effect.timeoutMs < check.timeoutMs;
  const result: CheckEvidence = {
    checkId: check.id,
    kind: check.kind,
    variant,
    // The tree under judgement; a guarded run judges it on the tree its note names.
    tree: effect.tree,
    result: ran.result,
    argv: check.argv,
    cwd: check.cwd,
    exitCode: ran.command.exitCode,
    durationMs: ran.command.durationMs,
    testsRun: ran.testsRun,
    ...(ran.silentFiles ? { silentFiles: ran.silentFiles } : {}),
    ...(ran.report ? { reported: { ran: ran.report.ran, failed: ran.report.failed } } : {}),
    ...(ran.read && variant !== "base" ? { partakes: ran.read.slice(0, mostRead) } : {}),
    stdout: await putLog(deps, ran.command.stdout, `stdout of ${command} on the ${variant} tree`, "strip"),
    stderr: await putLog(deps, ran.command.stderr, `stderr of ${command} on the ${variant} tree`, "strip"),
    sandbox: sandbox.note === undefined ? sandbox.kind : `${sandbox.kind}: ${sandbox.note}`,
    permission: {
      decision: "allowed_by_policy",
      class: verdict.class,
      why: `a check of the ${check.source === "config" ? "configuration" : "base commit"}, run on a scratch tree without network`,
    },
    note: noteOf(cut ? { ...ran, why: "the run's time was used up" } : ran, tree === effect.tree ? null : tree),
    ...(ran.missingTests ? { missingTests: [...ran.missingTests] } : {}),
    ...(ran.newlyFailing ? { newlyFailing: [...ran.newlyFailing] } : {}),
    ...found,
    ...(unsteady ? { unsteady } : {}),
    ...(cut ? { cut } : {}),
    ...(variant === "base" ? { tools } : {}),
    ...(variant === "base" && !cut ? await keepBaseline(deps, effect) : {}),
  };
  return { kind: "run_check", result };
}

/**
 * The tests of the base commit have to run on the work, by name. Work that changes or removes what defines checks is asked
 * about; work that only adds to it, such as a new test file, must not make the runner leave others out.
 */
async function comparison(
  deps: EffectDeps,
  { baseTree, tree }: EffectOf<"run_check">,
  asks: ControlQuestion,
  extra: readonly string[],
): Promise<RunOptions> {
  if (asks !== "reaches") return { comparedWith: baseTree };
  const changes = await listChanges(repositoryOf(deps), baseTree, tree);
  const defining = changes.filter(({ path }) => definesChecks(fromBytePath(path), extra));
  return defining.every(({ status }) => status === "A") ? { comparedWith: baseTree, byName: true } : {};
}

/** A later process compares with it. Names in which something was redacted are other names, so they are not kept. */
async function keepBaseline(
  deps: EffectDeps,
  { check, tree }: EffectOf<"run_check">,
): Promise<Pick<CheckEvidence, "baseline">> {
  const kept = check.kind === "test" ? await baselineText(deps, check, tree) : undefined;
  if (kept === undefined || kept.length > mostKept || deps.text.redact(kept) !== kept) return {};
  const about = `tests of ${check.argv.join(" ")} on the base commit`.slice(0, 300);
  const baseline = await deps.artifacts.put(kept, {
    kind: "evidence",
    mediaType: "application/json",
    summary: about,
  });
  return { baseline };
}

async function recall(deps: EffectDeps, effect: EffectOf<"run_check">): Promise<void> {
  const { baseline, check, baseTree } = effect;
  if (effect.variant === "base" || baseline === undefined || !(await deps.artifacts.has(baseline.ref))) return;
  const bytes = await deps.artifacts.read(baseline.ref);
  await recallBaseline(deps, check, baseTree, deps.text.decode(bytes));
}

/** The tree under the base commit's rules: files that define a check, without those that a person declared as product. */
async function guarded(
  deps: EffectDeps,
  { baseTree, tree, productFiles }: EffectOf<"run_check">,
  extra: readonly string[],
  repository: Repository = repositoryOf(deps),
): Promise<string> {
  const defines = (path: string) => !productFiles.includes(path) && definesChecks(path, extra);
  return (await guardedTree(repository, baseTree, tree, defines)).tree;
}

/** No work leads to this tree, and a check takes its time: a gc beside it must not take the tree away. */
const pinnedGuarded = (
  deps: EffectDeps,
  effect: EffectOf<"run_check">,
  extra: readonly string[],
  runId: string,
): Promise<string> =>
  withGcPaused(repositoryOf(deps), async (where) => {
    const tree = await guarded(deps, effect, extra, where);
    if (tree !== effect.tree) await pinSeenTrees(where, runId, [tree], effect.baseTree);
    return tree;
  });

const mostRead = 200;
const mostKept = 4 << 20;

type Ran = Awaited<ReturnType<typeof runOnTree>> & {
  readonly missingTests?: readonly string[];
  readonly newlyFailing?: readonly string[];
};
type Tried = Pick<CheckEvidence, "control" | "repeats" | "idleTests" | "replay" | "doubts">;

/** Under the base commit's rules: can it still say no? With the work's own tests: does it reach the change? Both at once
 * where the work leaves the rules alone. */
async function questions(
  deps: EffectDeps,
  effect: EffectOf<"run_check">,
  extra: readonly string[],
): Promise<ControlQuestion> {
  if (effect.variant === "guarded") return "still_says_no";
  return (await guarded(deps, effect, extra)) === effect.tree ? "both" : "reaches";
}

/** The trials of a check that passed: its calls outside of it, again in other surroundings, its new tests on the base, and broken on purpose. */
async function tried(
  deps: EffectDeps,
  asks: ControlQuestion,
  { baseTree, productFiles }: EffectOf<"run_check">,
  { created }: CheckContext,
  request: CheckRequest,
  plain: Ran,
): Promise<Tried> {
  if (plain.result !== "passed" || plain.missingTests !== undefined) return {};
  const isTried = created.policy.sabotage !== "off";
  const whole = { baseTree, tookMs: plain.tookMs };
  const narrowed = isTried ? await narrowOnTree(deps, request, { ...whole, withNew: asks === "reaches" }) : undefined;
  const { tookMs, testsRun, tests, readsGit } = narrowed?.ran ?? plain;
  const limited = narrowed?.request ?? request;
  const replayed = isTried && asks !== "still_says_no" && request.spec.kind === "test";
  const outside = replayed ? await replayOnTree(deps, limited, { baseTree, tookMs }) : {};
  if (outside.replay?.stop !== undefined) return outside;
  const repeats = await repeatOnTree(deps, request, { ...whole, comparable: asks !== "reaches" });
  if (repeats && repeats.passed < repeats.ran) return { ...outside, repeats };
  const about = { baseTree, declared: productFiles, ran: plain };
  const loads = asks === "still_says_no" ? [] : await loadedOnTree(deps, request, about);
  const idle = asks === "reaches" ? await idleTestsOf(deps, limited, baseTree) : [];
  const ran = { durationMs: tookMs, testsRun, passed: tests.passed, readsGit };
  const only = narrowed ? { only: narrowed.only } : {};
  const control = isTried ? await controlOnTree(deps, limited, { baseTree, asks, ran, ...only }) : ("off" as const);
  const scope =
    asks !== "still_says_no" && request.spec.kind === "test"
      ? await scopeDoubts(deps, { baseTree, tree: request.tree, policy: created.policy })
      : [];
  return {
    ...withDoubts(outside, [...loads, ...scope]),
    ...(repeats ? { repeats } : {}),
    ...(idle.length > 0 ? { idleTests: [...idle] } : {}),
    ...(control ? { control } : {}),
  };
}

const withDoubts = (found: Tried, more: readonly Doubt[]): Tried =>
  more.length === 0 ? found : { ...found, doubts: [...(found.doubts ?? []), ...more].slice(0, mostDoubts) };

/** A check that the work has taught to keep silent, or that is right only now and then, is a check that fails. */
function judged(ran: Ran, { control, repeats, replay }: Tried): Ran & { readonly explained?: true } {
  const wavers =
    repeats && repeats.passed < repeats.ran
      ? `it passed ${repeats.passed} of ${repeats.ran} times in different surroundings; ${repeats.why}`
      : null;
  const outside = replay?.stop === undefined ? null : `it passes, and ${replay.stop}, so it proves nothing`;
  const why = outside ?? (control === undefined || control === "off" ? null : weakness(control)) ?? wavers;
  return why === null ? ran : { ...ran, result: "failed", why, explained: true };
}

function weakness({ weakened, dependent, blind }: CheckControl): string | null {
  if (dependent !== undefined)
    return `it passes, and ${dependent} fails when it runs alone; on the base commit it passes alone, so this proves nothing`;
  if (blind === true)
    return `it passes, and does not notice ${weakened ?? "a wrong expectation"}, so it proves nothing; it failed on the base commit`;
  return weakened === null
    ? null
    : `it passes, and no longer notices ${weakened}; on the base commit it does, so it proves nothing`;
}

type Noted = Pick<Ran, "result" | "why" | "command"> & { readonly explained?: true };

function noteOf(ran: Noted, guarded: string | null): string | null {
  const where = guarded === null ? [] : [`ran on ${guarded}, this tree with the base commit's rules`];
  // The code alone explains a pass and most failures, but never a failure that ended with code 0.
  const plain = ran.result === "passed" || (ran.result === "failed" && ran.command.exitCode !== 0);
  const why = plain && !ran.explained ? [] : [ran.why];
  return [...why, ...where].join("; ") || null;
}
