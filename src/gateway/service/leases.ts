// The leases of this process. Of several gateways on one database one has the lease of a session; another takes it when the
// owner releases it, dies, or does not renew it in time.
import type { GatewayDeps } from "./deps.ts";

export class SessionLeases {
  readonly #mine = new Set<string>();
  readonly #deps: Pick<GatewayDeps, "store" | "clock" | "limits">;

  constructor(deps: Pick<GatewayDeps, "store" | "clock" | "limits">) {
    this.#deps = deps;
  }

  has = (id: string): boolean => this.#mine.has(id);

  async take(id: string): Promise<boolean> {
    const { store, clock, limits } = this.#deps;
    const now = clock.now();
    const taken = await store.takeLease(id, now, now + limits.leaseMs);
    if (taken) this.#mine.add(id);
    else this.#mine.delete(id);
    return taken;
  }

  /** Renews all leases; returns the sessions whose lease another process has now. */
  async renew(): Promise<string[]> {
    const lost: string[] = [];
    for (const id of this.#mine) if (!(await this.take(id))) lost.push(id);
    return lost;
  }

  forget(id: string): void {
    this.#mine.delete(id);
  }

  async release(id: string): Promise<void> {
    this.#mine.delete(id);
    await this.#deps.store.releaseLease(id);
  }

  async releaseAll(): Promise<void> {
    for (const id of this.#mine) await this.release(id);
  }
}
