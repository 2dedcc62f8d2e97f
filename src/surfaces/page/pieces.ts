// The pieces of a part that were on screen, as shares of its height, in order and apart from each other.

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

/** All of it, but for a hair of rounding. */
export const covered = ([first]: Pieces): boolean =>
  first !== undefined && first[0] <= hair && first[1] >= 1 - hair;

export const firstGap = ([first]: Pieces): number => (first === undefined || first[0] > hair ? 0 : first[1]);
