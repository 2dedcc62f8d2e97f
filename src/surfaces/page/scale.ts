// Time on a line: stretches in which nothing moved take a small, fixed part of it.
import type { Timeline } from "../../core/machine/view/index.ts";

export interface Scale {
  /** A moment as a part of the line, 0 to 100. */
  at(time: number): number;
  readonly folds: readonly { readonly at: number; readonly ms: number }[];
}

const foldPart = 3;

export function scaleOf({ from, folds }: Pick<Timeline, "from" | "folds">, to: number): Scale {
  const kept = folds.slice(0, 20);
  const folded = kept.reduce((sum, fold) => sum + fold.to - fold.from, 0);
  const moving = Math.max(1, to - from - folded);
  const room = 100 - kept.length * foldPart;
  const at = (time: number): number => {
    let ms = Math.max(0, time - from);
    let parts = 0;
    for (const fold of kept) {
      if (time <= fold.from) break;
      const inside = Math.min(time, fold.to) - fold.from;
      ms -= inside;
      parts += (inside / (fold.to - fold.from)) * foldPart;
    }
    return Math.min(100, (ms / moving) * room + parts);
  };
  return { at, folds: kept.map((fold) => ({ at: at(fold.from), ms: fold.to - fold.from })) };
}
