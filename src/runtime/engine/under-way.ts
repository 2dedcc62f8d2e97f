// The effects of one run that are under way in this process: each once, each with its own end, and all gone before the
// run is let go.

export class UnderWay {
  readonly #stops = new Map<string, AbortController>();
  readonly #works = new Set<Promise<void>>();
  readonly #faults: unknown[] = [];
  #changes = 0;
  #wake: () => void = () => undefined;

  get keys(): readonly string[] {
    return [...this.#stops.keys()];
  }

  start(key: string, signal: AbortSignal | undefined, work: (signal: AbortSignal) => Promise<void>): void {
    const stop = new AbortController();
    this.#stops.set(key, stop);
    const done = work(signal ? AbortSignal.any([signal, stop.signal]) : stop.signal)
      .catch((error: unknown) => void this.#faults.push(error))
      .finally(() => {
        for (const [at, one] of this.#stops) if (one === stop) this.#stops.delete(at);
        this.#works.delete(done);
        this.changed();
      });
    this.#works.add(done);
  }

  /** The same work goes on under another key. */
  rename(from: string, to: string): void {
    const stop = this.#stops.get(from);
    if (!stop) return;
    this.#stops.delete(from);
    this.#stops.set(to, stop);
  }

  /** How often something happened that may make another effect due. */
  get changes(): number {
    return this.#changes;
  }

  changed(): void {
    this.#changes += 1;
    this.#wake();
  }

  /** A bug that was met beside the effects. It ends the wait. */
  fault(error: unknown): void {
    this.#faults.push(error);
    this.changed();
  }

  /** Throws the first fault of any effect. */
  throwFault(): void {
    if (this.#faults.length > 0) throw this.#faults[0];
  }

  /** Until there are more changes than the caller has seen. */
  async wait(seen: number): Promise<void> {
    if (this.#changes !== seen) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }

  /** Stops all work whose key the run does not await any more. */
  keep(awaited: (key: string) => boolean): void {
    for (const [key, stop] of this.#stops) if (!awaited(key)) stop.abort();
  }

  async end(): Promise<void> {
    this.keep(() => false);
    await Promise.all(this.#works);
  }
}
