// The sessions that this process follows. Of several gateways on one database one holds a session at a time; the others
// take it up when that one lets go, dies, or stands still for too long.
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
    const held = await store.takeLease(id, now, now + limits.leaseMs);
    if (held) this.#mine.add(id);
    else this.#mine.delete(id);
    return held;
  }

  /** The sessions that another process holds by now. */
  async renew(): Promise<string[]> {
    const lost: string[] = [];
    for (const id of this.#mine) if (!(await this.take(id))) lost.push(id);
    return lost;
  }

  forget(id: string): void {
    this.#mine.delete(id);
  }

  async letGo(id: string): Promise<void> {
    this.#mine.delete(id);
    await this.#deps.store.releaseLease(id);
  }

  async letGoAll(): Promise<void> {
    for (const id of this.#mine) await this.letGo(id);
  }
}
