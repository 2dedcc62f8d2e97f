// A moment in words that are the same on every machine.

/** `2026-11-19 15:00 UTC`, rounded up to the minute. */
export const momentText = (at: number): string =>
  `${new Date(Math.ceil(at / 60_000) * 60_000).toISOString().slice(0, 16).replace("T", " ")} UTC`;
