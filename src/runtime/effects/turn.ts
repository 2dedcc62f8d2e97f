// The turn of a run at the checkout: from its apply to its last look no other run may apply, so that the look finds the
// tree that was verified (B-2). A turn ends after 60 seconds, so that an interrupted run does not block others.

const longestMs = 60_000;

export interface Turns {
  keep(runId: string, release: () => void): void;
  end(runId: string): void;
}

export function createTurns(): Turns {
  const held = new Map<string, () => void>();
  const end = (runId: string) => {
    held.get(runId)?.();
    held.delete(runId);
  };
  return {
    keep(runId, release) {
      end(runId);
      const timer = setTimeout(() => end(runId), longestMs).unref();
      held.set(runId, () => {
        clearTimeout(timer);
        release();
      });
    },
    end,
  };
}
