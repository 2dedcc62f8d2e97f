// The parts of a gate that were on screen: an approval is possible when every piece of each part was there. A part may be
// higher than the screen, and a jump skips the pieces between.
import { signal, type Signal } from "@preact/signals";
import type { BlockWatch } from "./diff-rows.ts";

export type Piece = readonly [from: number, to: number];
export type Pieces = readonly Piece[];

const hair = 0.002;

/** Pieces that touch become one. */
export function withPiece(pieces: Pieces, piece: Piece): Pieces {
  const joined: Piece[] = [];
  for (const next of [...pieces, piece].toSorted(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && next[0] <= last[1] + hair) joined[joined.length - 1] = [last[0], Math.max(last[1], next[1])];
    else joined.push(next);
  }
  return joined;
}

/** Whether the pieces cover the whole part, within a rounding error. */
export const covered = ([first]: Pieces): boolean => first !== undefined && first[0] <= hair && first[1] >= 1 - hair;

export const firstGap = ([first]: Pieces): number => (first === undefined || first[0] > hair ? 0 : first[1]);

export interface SeenParts extends BlockWatch {
  /** The number of parts that were not completely on screen yet. */
  readonly left: Signal<number>;
  /** Watches a part that is in the page from the beginning. */
  watch(part: HTMLElement): void;
  /** Scrolls to the first piece that was not seen. */
  next(): void;
  stop(): void;
}

/** The sticky heading of a file covers this much of its rows. */
const headPx = 40;
/** On a phone the bar with the decision covers the page below its top. */
function floor(): number {
  const bar = document.querySelector(".decision");
  return bar && getComputedStyle(bar).position === "fixed" ? bar.getBoundingClientRect().top : window.innerHeight;
}

/** A piece counts after this time on the screen. */
const momentMs = 100;

/** The visible share of a part. */
function visiblePiece(part: Element): Piece | undefined {
  const { top, height } = part.getBoundingClientRect();
  const ceiling = part.className === "block" ? headPx : 0;
  const [from, to] = [Math.max(0, ceiling - top), Math.min(height, floor() - top)];
  if (to < from) return undefined;
  return height === 0 ? [0, 1] : [from / height, to / height];
}

export function watchSeen(): SeenParts {
  const left = signal(0);
  const unseen = new Map<Element, Pieces>();
  const near = new Set<Element>();
  let before = new Map<Element, Piece>();
  let [awaited, late] = [0, 0];
  const count = (): void => void (left.value = unseen.size + awaited);

  const see = (part: Element, [from, to]: Piece): void => {
    if (to < from) return;
    const pieces = withPiece(unseen.get(part) ?? [], [from, to]);
    unseen.set(part, pieces);
    if (!covered(pieces)) return;
    unseen.delete(part);
    near.delete(part);
    observer.unobserve(part);
  };
  const look = (): void => {
    late = 0;
    const now = new Map<Element, Piece>();
    // A hidden tab shows nothing.
    for (const part of document.hidden ? [] : near) {
      const piece = visiblePiece(part);
      if (piece) now.set(part, piece);
    }
    for (const [part, [from, to]] of now) {
      const was = before.get(part);
      if (was) see(part, [Math.max(from, was[0]), Math.min(to, was[1])]);
    }
    const moved = [...now].some(([part, [from, to]]) => {
      const was = before.get(part);
      return was?.[0] !== from || was[1] !== to;
    });
    before = now;
    count();
    if (moved) lookSoon();
  };
  const lookSoon = (): void => void (late ||= window.setTimeout(look, momentMs));
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries)
      if (isIntersecting && unseen.has(target)) near.add(target);
      else near.delete(target);
    lookSoon();
  });
  const moves = ["scroll", "resize", "visibilitychange"] as const;
  for (const move of moves) addEventListener(move, lookSoon, { capture: true, passive: true });
  const watch = (part: HTMLElement): void => {
    unseen.set(part, []);
    count();
    observer.observe(part);
  };
  return {
    left,
    watch,
    expect(blocks) {
      awaited += blocks;
      count();
    },
    built(block) {
      awaited -= 1;
      watch(block);
    },
    next() {
      const [part] = [...unseen.keys()].sort((one, other) =>
        one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
      );
      if (!part) return;
      const { top, height } = part.getBoundingClientRect();
      scrollBy({ top: top + firstGap(unseen.get(part) ?? []) * height - 2 * headPx });
    },
    stop() {
      observer.disconnect();
      clearTimeout(late);
      for (const move of moves) removeEventListener(move, lookSoon, { capture: true });
    },
  };
}
