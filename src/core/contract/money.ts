// Sums of money as people read them.

/** Small sums need more digits than large ones. */
export const dollars = (usd: number): string =>
  usd === 0 ? "$0" : `$${usd < 0.1 ? usd.toFixed(4) : usd.toFixed(2)}`;
