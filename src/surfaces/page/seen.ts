// The parts of a gate that were on screen: a yes is possible once every piece of each of them was there. A part may be
// higher than the screen, and a jump shows nothing of the pieces that it jumps over.
import { signal, type Signal } from "@preact/signals";
import type { BlockWatch } from "./diff-rows.ts";
import { covered, firstGap, withPiece, type Piece, type Pieces } from "./pieces.ts";

export interface SeenParts extends BlockWatch {
  /** Parts that were not wholly on screen yet. */
  readonly left: Signal<number>;
  /** A part that stands in the page from the beginning. */
  watch(part: HTMLElement): void;
  /** Brings the first piece that was not seen to the screen. */
  next(): void;
  stop(): void;
}

/** The heading of a file stands over the rows below it. */
const headPx = 40;
/** Where the bar with the decision begins: it stands over everything. */
const floor = (): number =>
  document.querySelector(".decision")?.getBoundingClientRect().top ?? window.innerHeight;

/** A piece counts when it stood on the screen for so long: what flies past was not seen. */
const momentMs = 100;

/** The share of a part that stands free on the screen now. */
function standing(part: Element): Piece | undefined {
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
    // A hidden tab shows nothing, whatever it lays out.
    for (const part of document.hidden ? [] : near) {
      const piece = standing(part);
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
