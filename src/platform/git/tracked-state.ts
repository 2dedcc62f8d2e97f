// A repository that tracks our own state folder ships runs, approvals or policy for us: none of it is taken.
import { fail } from "../../core/contract/index.ts";
import { isStateName } from "../paths/names/index.ts";
import { mayTrackState } from "./glance.ts";
import type { Repository } from "./locate.ts";
import { stagedEntries } from "./staged.ts";

/** Taken out of the index alone, a file of a stranger would stay in the folder and be taken for ours. */
export const trackedRemedy =
  "If a stranger shipped it: git rm -r .thehood. If it is your own: git rm -r --cached .thehood.";

/** Paths of our state folder that the repository itself tracks. Any is a reason to refuse it. */
export function trackedState(repository: Repository): string[] {
  if (!mayTrackState(repository)) return [];
  return stagedEntries(repository)
    .map(({ path }) => path)
    .filter((path) => isStateName(path.split("/", 1)[0] ?? ""));
}

export function refuseTrackedState(repository: Repository): void {
  const tracked = trackedState(repository);
  if (tracked.length === 0) return;
  fail(
    "unsafe_repository",
    `This repository tracks ${tracked[0] ?? ".thehood"}: it ships state or policy for the runtime.`,
    {
      remedy: `Policy comes from you, never from a repository. ${trackedRemedy}`,
      details: { paths: tracked.slice(0, 20) },
    },
  );
}
