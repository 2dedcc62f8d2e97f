// Outside a git repository nothing can be edited or checked: every such effect gets one clear failure.
import { fail } from "../../../core/contract/index.ts";
import type { ChecksPort, WorktreePort } from "../../engine/effects/index.ts";

// oxlint-disable-next-line require-await -- the ports are asynchronous
const refuse = async (): Promise<never> =>
  fail("not_a_repository", "This folder is not a git repository, so nothing can be edited or checked here.", {
    remedy: "Make one with: git init && git add -A && git commit; or use a read-only mode.",
  });

export const noWork: WorktreePort = {
  open: refuse,
  reading: refuse,
  changedReading: refuse,
  capture: refuse,
  applyInWorktree: refuse,
  treeReader: refuse,
  apply: refuse,
  look: refuse,
  rebuild: refuse,
  takeAsItIs: refuse,
  takeOut: refuse,
  retire: () => Promise.resolve({ refs: [] }),
  watchGitFolder: refuse,
  restoreGitFolder: () => Promise.resolve([]),
};

export const noChecks: ChecksPort = {
  discover: refuse,
  missing: refuse,
  follow: refuse,
  usedByTests: refuse,
  guard: refuse,
  run: refuse,
  again: refuse,
  idleTests: refuse,
  kept: refuse,
  recall: refuse,
  control: refuse,
};
