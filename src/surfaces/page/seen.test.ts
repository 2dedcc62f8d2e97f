import { describe, expect, it } from "vitest";
import { covered, firstGap, withPiece, type Pieces } from "./seen.ts";

const of = (...list: [number, number][]): Pieces => list.reduce<Pieces>(withPiece, []);

describe("the pieces of a part that were on screen", () => {
  it("cover it only together, whatever their order", () => {
    expect(covered(of([0, 0.5]))).toBe(false);
    expect(covered(of([0.5, 1], [0, 0.4]))).toBe(false);
    expect(covered(of([0.5, 1], [0, 0.4], [0.3, 0.6]))).toBe(true);
    expect(covered(of([0.02, 1]))).toBe(false);
  });

  it("tell where the first gap begins", () => {
    expect(firstGap([])).toBe(0);
    expect(firstGap(of([0.4, 0.6]))).toBe(0);
    expect(firstGap(of([0.7, 0.8], [0, 0.3], [0.2, 0.5]))).toBe(0.5);
  });
});
