// The checks port: checks are found in git trees and run on scratch trees outside the checkout.
import type { CommandRunner } from "../../../core/contract/index.ts";
import type { ChecksPort } from "../../engine/effects/index.ts";
import {
  changedFiles,
  changedTests,
  compareTests,
  discoverChecks,
  followChecks,
  guardedTree,
  idleTests,
  lostReport,
  missingNeeds,
  runAgain,
  runCheck,
  sabotageControl,
  treeFiles,
  usedByTests,
} from "../../../workspace/checks/index.ts";
import type { Repository } from "../../../platform/git/index.ts";
import { createKnownResults } from "./known-results.ts";
import { scratchRoot } from "./scratch.ts";

export function createChecksPort(
  repository: Repository,
  runner: CommandRunner,
  scratchFolders: readonly string[],
): ChecksPort {
  const place = (runId: string) => ({
    repository,
    runner,
    scratchRoot: scratchRoot(scratchFolders, repository.top, runId),
  });
  const known = createKnownResults(place, { repository, runner });
  return {
    discover: async (tree, configured) => discoverChecks(await treeFiles(repository, tree), configured),
    async missing(tree, checks) {
      const files = await treeFiles(repository, tree);
      return (await missingNeeds({ repository, runner }, files, checks)).flatMap((missing, at) => {
        const { id = "", argv = [] } = checks[at] ?? {};
        return missing.map(({ what, remedy }) => ({ id, command: argv.join(" "), what, remedy }));
      });
    },
    follow: async (tree, checks) => followChecks(await treeFiles(repository, tree), checks),
    usedByTests: async (tree, paths) => usedByTests(await treeFiles(repository, tree), paths),
    guard: async (baseTree, tree, defines) => (await guardedTree(repository, baseTree, tree, defines)).tree,
    async run({ runId, spec, tree, changedSince, comparedWith, network = false, signal, onOutput }) {
      const watched = changedSince === undefined ? [] : await changedFiles(repository, changedSince, tree);
      const began = performance.now();
      const ran = await runCheck({
        ...place(runId),
        spec,
        tree,
        watched,
        network,
        signal,
        onOutput: (_stream, chunk) => lastLines(chunk).forEach(onOutput),
      });
      const tookMs = Math.round(performance.now() - began);
      known.set(spec, tree, ran);
      if (comparedWith === undefined || spec.kind !== "test") return { ...ran, tookMs };
      const before = await known.on(runId, spec, comparedWith, signal);
      // Names from a log and from a report are not the same names.
      const unheard = before.report === null && ran.report !== null;
      const base = unheard ? await known.anew(runId, spec, comparedWith, signal) : before;
      const why = lostReport(base, ran);
      const lost = why === undefined ? {} : { result: "failed" as const, why };
      return { ...ran, tookMs, ...lost, ...compareTests(base, ran) };
    },
    kept: known.kept,
    recall: known.recall,
    again: ({ runId, onOutput, ...request }) => runAgain({ ...place(runId), ...request, tell: onOutput }),
    async idleTests({ runId, spec, tree, baseTree, signal }) {
      const [base, work] = [await known.on(runId, spec, baseTree, signal), known.get(spec, tree)];
      const edits = await changedTests(repository, baseTree, tree);
      if (!work || work.tests.passed.length === 0 || edits.length === 0) return [];
      const laid = await runCheck({ ...place(runId), spec, tree: baseTree, edits, signal });
      return idleTests(base.tests, work.tests, laid.tests);
    },
    async control({ runId, onOutput, ...request }) {
      const { spec, baseTree, tree, ran } = request;
      const [base, work] = [known.get(spec, baseTree), known.get(spec, tree)];
      // Tests that are missing are told as such.
      const fewer = (base?.testsRun ?? 0) > (ran.testsRun ?? 0);
      if (fewer || (work?.silentFiles ?? 0) > (base?.silentFiles ?? 0)) return undefined;
      return sabotageControl({
        ...place(runId),
        ...request,
        hasRunner: work?.hasRunner ?? true,
        tell: onOutput,
        onBase: () => known.on(runId, spec, baseTree, request.signal),
      });
    },
  };
}

/** A chunk may hold thousands of lines: a person who looks on reads the last ones. */
const lastLines = (chunk: Uint8Array): string[] =>
  Buffer.from(chunk)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .slice(-20)
    .map((line) => line.slice(0, 200));
