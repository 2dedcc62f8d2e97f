// Lengths of time in words.

const minute = 60_000;

/** `34 s`, `12 min`, `2 h`, `3 days`. */
export function lasting(ms: number): string {
  const most = Math.max(0, ms);
  if (most < minute) return `${Math.floor(most / 1_000)} s`;
  if (most < 60 * minute) return `${Math.floor(most / minute)} min`;
  if (most < 2_880 * minute) return `${Math.floor(most / (60 * minute))} h`;
  return `${Math.floor(most / (1_440 * minute))} days`;
}

/** Minutes with their seconds, for work that is being waited for. */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  return seconds < 3_600
    ? `${Math.floor(seconds / 60)} min ${seconds % 60} s`
    : `${Math.floor(seconds / 3_600)} h ${Math.floor((seconds % 3_600) / 60)} min`;
}

/** `12:03:59`, as the person's own clock shows it. */
export const clockTime = (at: number): string => new Date(at).toTimeString().slice(0, 8);
