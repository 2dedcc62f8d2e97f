// One queue per key: work on a key starts when all earlier work on that key has ended. Failed work counts as ended.

export interface KeyedQueue {
  /** Work must not wait for other work on the same key: it would wait for itself. */
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

const ended = (): void => undefined;

export function createKeyedQueue(): KeyedQueue {
  /** The end of the last work on each key that has any. */
  const tails = new Map<string, Promise<void>>();
  return {
    run(key, work) {
      const result = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail: Promise<void> = result.then(ended, ended).finally(() => {
        if (tails.get(key) === tail) tails.delete(key);
      });
      tails.set(key, tail);
      return result;
    },
  };
}
