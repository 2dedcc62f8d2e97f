// Judges a captured patch before anyone is asked to apply it: form, paths, protected changes, secrets, signs of risk.
import {
  type CaptureFlag,
  type EffectOf,
  type EffectOutcome,
  type PatchJudgement,
  type PatchVerdict,
  type ProtectedEffect,
  globMatches,
} from "../../../core/contract/index.ts";
import { type Section, classifyPath, countLines, judgePatch, parsePatch } from "../../../core/patch/index.ts";
import { binaryTools } from "../../../platform/system/index.ts";
import { gitTreeReader } from "../../../workspace/checkout/read/index.ts";
import { type EffectDeps, repositoryOf } from "../deps.ts";
import { changedInlineTests } from "./inline-tests.ts";
import { type Suspicion, suspicionsOf } from "./suspicions.ts";
import { type DeclaredFiles, declaredFiles, definesChecks, isDocs, protectedGlobs, riskSignals } from "./paths.ts";

type Flag = Pick<CaptureFlag, "path" | "message"> & {
  readonly kind: CaptureFlag["kind"] | Suspicion["reason"];
};
type JudgeEffect = EffectOf<"judge_patch">;

export async function assessWork(deps: EffectDeps, effect: JudgeEffect): Promise<EffectOutcome> {
  const { patch } = effect;
  const extra = protectedGlobs(effect.policy, effect.checkFiles);
  const bytes = await deps.artifacts.read(patch.patch.ref);
  const tree = await gitTreeReader(repositoryOf(deps), patch.fromTree, patch.tree);
  let secretCount = 0;
  const product = await declaredFiles(deps, effect);
  const options = { ...optionsOf(effect, extra), productPaths: product.taken };
  const verdict = judgePatch(bytes, options, tree, (text) => {
    const { taken } = deps.text.withoutSecrets(text);
    secretCount += taken;
    return taken;
  });
  const paths = [...new Set([...verdict.paths, ...patch.changedPaths])].toSorted();
  const narrowed = narrow(effect, paths);
  const read = parsePatch(bytes).patch.sections;
  // A refused patch is not searched any further, and may be too large for it.
  const sections = verdict.verdict === "reject" ? [] : read;
  const effects = new Map(
    verdict.findings.flatMap((one) => (one.path && one.effect ? [[one.path, one.effect] as const] : [])),
  );
  const guarded = protectedOf(paths, extra, effect, changesOf(sections), product, effects);
  const inline = changedInlineTests(sections, tree, deps.text).map((path) => ({ path, why: "test inside" }));
  const suspicions = suspicionsOf(sections);
  const flags = [...(patch.flags ?? []), ...suspicions.found.map(({ reason, ...more }) => ({ kind: reason, ...more }))];
  const lines = countLines(read);
  const judgement: PatchJudgement = {
    ...overall(verdict, narrowed, reasonToAsk(flags)),
    paths,
    protectedPaths: [...guarded, ...inline.filter(({ path }) => !guarded.some((one) => one.path === path))],
    ...(product.taken.length > 0 ? { declaredPaths: [...product.taken] } : {}),
    definingPaths: paths.filter((path) => !product.taken.includes(path) && definesChecks(path, extra)),
    outsidePaths: [...new Set([...outside(verdict), ...narrowed])].toSorted(),
    findings: [
      ...verdict.findings.slice(0, 200).map((finding) => ({ ...finding })),
      ...flags.slice(0, 200).map(({ kind, path, message }) => ({
        reason: kind,
        verdict: "approval",
        path,
        message,
      })),
    ],
    secretCount,
    signals: [...riskSignals(paths, lines.added + lines.removed), ...suspicions.signals].toSorted(),
    docsOnly: paths.length > 0 && paths.every(isDocs),
    addedLines: lines.added,
    removedLines: lines.removed,
  };
  return { kind: "judge_patch", judgement };
}

/** Why a person is asked although the diff itself is in order: what only the capture of a run shows. */
function reasonToAsk(flags: readonly Flag[]): { reason: string; message: string } | undefined {
  const reason = flags[0]?.kind;
  const message = flags
    .slice(0, 5)
    .map((flag) => flag.message)
    .join(" ");
  return reason === undefined ? undefined : { reason, message };
}

/** The strictest verdict counts. */
function overall(
  { verdict, reason, message }: PatchVerdict,
  narrowed: readonly string[],
  asks: { reason: string; message: string } | undefined,
): Pick<PatchJudgement, "verdict" | "reason" | "message"> {
  if (verdict === "reject") return { verdict, reason, message };
  if (narrowed.length > 0)
    return {
      verdict: "reject",
      reason: "path_not_allowed",
      message: `The task does not allow ${narrowed.slice(0, 5).join(", ")}.`,
    };
  if (!asks) return { verdict, reason, message };
  return verdict === "approval"
    ? { verdict, reason, message: `${message} ${asks.message}` }
    : { verdict: "approval", ...asks };
}

function optionsOf({ policy }: JudgeEffect, extra: readonly string[]) {
  return {
    binary: binaryTools,
    protectedGlobs: extra,
    ...(policy.allowedPaths.length > 0 ? { allowedPaths: policy.allowedPaths } : {}),
    ...(policy.disallowedPaths.length > 0 ? { disallowedPaths: policy.disallowedPaths } : {}),
  };
}

const outside = (verdict: PatchVerdict): string[] =>
  verdict.findings
    .filter(({ reason }) => reason === "path_not_allowed" || reason === "outside_prefix")
    .flatMap(({ path }) => (path === undefined ? [] : [path]));

/** The task can only narrow what the policy allows. */
function narrow({ taskPaths, taskDisallowedPaths }: JudgeEffect, paths: readonly string[]): string[] {
  const allowed = (path: string) => taskPaths.some((glob) => globMatches(glob, path, { anchored: true }));
  const forbidden = (path: string) => taskDisallowedPaths.some((glob) => globMatches(glob, path, { ignoreCase: true }));
  return paths.filter((path) => (taskPaths.length > 0 && !allowed(path)) || forbidden(path));
}

function protectedOf(
  paths: readonly string[],
  extra: readonly string[],
  { checkFiles }: JudgeEffect,
  changes: ReturnType<typeof changesOf>,
  product: DeclaredFiles,
  effects: ReadonlyMap<string, ProtectedEffect>,
): PatchJudgement["protectedPaths"] {
  const other = (path: string) => (checkFiles.includes(path) ? "run by a check" : "protected by the user's policy");
  return paths.flatMap((path) => {
    const found = classifyPath(path, extra);
    if (!found.protected || product.taken.includes(path)) return [];
    const kinds = found.kinds.filter((kind) => kind !== "source");
    const change = changes.get(path);
    const why = kinds.length > 0 ? kinds.join(", ") : other(path);
    const kept = product.kept.includes(path) ? "; you declared it as product, and it is a test here" : "";
    const effect = effects.get(path);
    return [{ path, why: why + kept, ...(change === undefined ? {} : { change }), ...(effect ? { effect } : {}) }];
  });
}

/** A renamed file is gone under its old name and new under the other. */
function changesOf(sections: readonly Section[]): Map<string, "added" | "changed" | "removed"> {
  const found = new Map<string, "added" | "changed" | "removed">();
  for (const { oldPath, newPath, change } of sections) {
    if (oldPath !== null && oldPath !== newPath && change !== "copy") found.set(oldPath, "removed");
    if (newPath !== null) found.set(newPath, oldPath === newPath ? "changed" : "added");
  }
  return found;
}
