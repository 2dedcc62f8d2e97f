// Validation, wired: checks are found in git trees and run on scratch trees below the checkout.
import { join } from "node:path";
import type { CommandRunner } from "../../contract/index.ts";
import type { CheckRoom } from "../../engine/effects/index.ts";
import { discoverChecks, guardedTree, runCheck, treeFiles } from "../../workspace/checks/index.ts";
import type { Repository } from "../../workspace/git/index.ts";
import { stateFolder } from "../../workspace/worktree/index.ts";

export const scratchRoot = (repository: Repository, runId: string): string =>
  join(stateFolder(repository), "scratch", runId);

export function createCheckRoom(repository: Repository, runner: CommandRunner): CheckRoom {
  return {
    discover: async (tree) => discoverChecks(await treeFiles(repository, tree)),
    guard: async (baseTree, tree, defines) => (await guardedTree(repository, baseTree, tree, defines)).tree,
    run: ({ runId, spec, tree, signal, onOutput }) =>
      runCheck({
        repository,
        runner,
        scratchRoot: scratchRoot(repository, runId),
        spec,
        tree,
        signal,
        onOutput: (_stream, chunk) => onOutput(lastLine(chunk)),
      }),
  };
}

const lastLine = (chunk: Uint8Array): string =>
  Buffer.from(chunk).toString("utf8").trimEnd().split("\n").at(-1)?.slice(0, 200) ?? "";
