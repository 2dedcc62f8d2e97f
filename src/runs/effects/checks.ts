// The checks port: checks are found in git trees and run on scratch trees outside the checkout.
import type { CommandRunner } from "../../contract/index.ts";
import type { ChecksPort } from "../../engine/effects/index.ts";
import {
  discoverChecks,
  followChecks,
  guardedTree,
  runCheck,
  sabotageControl,
  treeFiles,
} from "../../checks/index.ts";
import type { Repository } from "../../git/index.ts";
import { scratchRoot } from "./scratch.ts";

export function createChecksPort(
  repository: Repository,
  runner: CommandRunner,
  scratchFolders: readonly string[],
): ChecksPort {
  const known = new Map<string, Awaited<ReturnType<typeof runCheck>>>();
  const keyOf = (spec: { id: string }, tree: string) => `${tree} ${spec.id}`;
  const place = (runId: string) => ({
    repository,
    runner,
    scratchRoot: scratchRoot(scratchFolders, repository.top, runId),
  });
  return {
    discover: async (tree) => discoverChecks(await treeFiles(repository, tree)),
    follow: async (tree, checks) => followChecks(await treeFiles(repository, tree), checks),
    guard: async (baseTree, tree, defines) => (await guardedTree(repository, baseTree, tree, defines)).tree,
    async run({ runId, spec, tree, signal, onOutput }) {
      const began = performance.now();
      const ran = await runCheck({
        ...place(runId),
        spec,
        tree,
        signal,
        onOutput: (_stream, chunk) => onOutput(lastLine(chunk)),
      });
      known.set(keyOf(spec, tree), ran);
      return { ...ran, tookMs: Math.round(performance.now() - began) };
    },
    async control({ runId, onOutput, ...request }) {
      const { spec, baseTree, tree, ran } = request;
      const [base, work] = [known.get(keyOf(spec, baseTree)), known.get(keyOf(spec, tree))];
      // Tests that are missing are told as such.
      const fewer = (base?.testsRun ?? 0) > (ran.testsRun ?? 0);
      if (fewer || (work?.silentFiles ?? 0) > (base?.silentFiles ?? 0)) return undefined;
      return sabotageControl({
        ...place(runId),
        ...request,
        hasRunner: work?.hasRunner ?? true,
        tell: onOutput,
        async onBase() {
          const key = keyOf(spec, baseTree);
          const result = known.get(key) ?? (await runCheck({ ...place(runId), ...request, tree: baseTree }));
          known.set(key, result);
          return result.result;
        },
      });
    },
  };
}

const lastLine = (chunk: Uint8Array): string =>
  Buffer.from(chunk).toString("utf8").trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
