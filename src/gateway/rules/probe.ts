// When a starting agent is asked whether it is ready: 200 ms, half as long again each time, 2 s at most, 30 s in all.

export const readinessMs = 30_000;
const firstMs = 200;
const factor = 1.5;
const mostMs = 2_000;

/** The waits between two questions, until the budget is used up. */
export function* probeDelays(budgetMs: number): Generator<number> {
  let spent = 0;
  for (let delay = firstMs; spent + delay <= budgetMs; delay = Math.min(delay * factor, mostMs)) {
    spent += delay;
    yield delay;
  }
}
