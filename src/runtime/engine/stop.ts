// A signal of our own, because this room knows no platform: it fires once, and follows another one if it is given.
import type { AbortSignalLike } from "../../core/contract/index.ts";

export class StopSignal implements AbortSignalLike {
  #fired = false;
  readonly #listeners = new Set<() => void>();

  get aborted(): boolean {
    return this.#fired;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
  }

  fire(): void {
    if (this.#fired) return;
    this.#fired = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) listener();
  }

  /** Fires when the other signal fires. The returned function ends that. */
  follow(other: AbortSignalLike | undefined): () => void {
    if (!other) return () => undefined;
    if (other.aborted) {
      this.fire();
      return () => undefined;
    }
    const fire = () => this.fire();
    other.addEventListener("abort", fire, { once: true });
    return () => other.removeEventListener("abort", fire);
  }
}
