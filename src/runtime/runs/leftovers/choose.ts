// Which leftovers go, by age and by size. Pure. What is younger than two days stays in any case: a check may still use it.
import type { UserConfig } from "../../../core/contract/index.ts";

const dayMs = 86_400_000;
export const youngestMs = 2 * dayMs;

export interface Leftover {
  readonly path: string;
  readonly bytes: number;
  /** When it was last written. */
  readonly at: number;
}

interface Bounds {
  readonly days: number;
  readonly megabytes: number;
}

export interface PrunePolicy {
  readonly automatic: boolean;
  readonly scratch: Bounds;
  readonly artifacts: Bounds;
}

export function prunePolicy({ prune = {} }: Pick<UserConfig, "prune">): PrunePolicy {
  return {
    automatic: prune.automatic ?? true,
    scratch: { days: prune.scratchDays ?? 7, megabytes: prune.scratchMegabytes ?? 2_048 },
    artifacts: { days: prune.artifactDays ?? 30, megabytes: prune.artifactMegabytes ?? 512 },
  };
}

/** Those that are too old, and the oldest of the others as long as all that stay are too large together. */
export function chooseLeftovers(all: readonly Leftover[], { days, megabytes }: Bounds, now: number): Leftover[] {
  let kept = 0;
  return all
    .toSorted((a, b) => b.at - a.at)
    .filter(({ bytes, at }) => {
      const age = now - at;
      kept += bytes;
      return age > youngestMs && (age > days * dayMs || kept > megabytes * 1_048_576);
    });
}
