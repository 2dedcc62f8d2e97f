// Draws that are always the same for one seed.

/** Draws a whole number below the given one. */
export type Draw = (below: number) => number;

export function drawing(seed: number): Draw {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return (state >>> 0) % below;
  };
}
