// One thing at a time for each key; the others wait for their turn.

export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  take<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const quiet = mine.catch(() => undefined);
    this.#last.set(key, quiet);
    void quiet.finally(() => {
      if (this.#last.get(key) === quiet) this.#last.delete(key);
    });
    return mine;
  }
}
