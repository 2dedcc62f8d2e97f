// The checks port: checks are found in git trees and run on scratch trees outside the checkout.
import type { CommandRunner } from "../../contract/index.ts";
import type { ChecksPort } from "../../engine/effects/index.ts";
import { discoverChecks, followChecks, guardedTree, runCheck, treeFiles } from "../../checks/index.ts";
import type { Repository } from "../../git/index.ts";
import { scratchRoot } from "./scratch.ts";

export function createChecksPort(
  repository: Repository,
  runner: CommandRunner,
  scratchFolders: readonly string[],
): ChecksPort {
  return {
    discover: async (tree) => discoverChecks(await treeFiles(repository, tree)),
    follow: async (tree, checks) => followChecks(await treeFiles(repository, tree), checks),
    guard: async (baseTree, tree, defines) => (await guardedTree(repository, baseTree, tree, defines)).tree,
    run: ({ runId, spec, tree, signal, onOutput }) =>
      runCheck({
        repository,
        runner,
        scratchRoot: scratchRoot(scratchFolders, repository.top, runId),
        spec,
        tree,
        signal,
        onOutput: (_stream, chunk) => onOutput(lastLine(chunk)),
      }),
  };
}

const lastLine = (chunk: Uint8Array): string =>
  Buffer.from(chunk).toString("utf8").trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
