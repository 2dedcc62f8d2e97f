// The table of tabs: each has one owner, and at most `maxTabs` are open. Pure: the keeper acts on its results.
import type { LeaseOwner } from "../../../core/contract/index.ts";

export interface TabLease {
  readonly key: string;
  readonly owner: LeaseOwner;
  readonly targetId: string;
  readonly sessionId: string;
  readonly since: number;
  /** The connection that holds it; null when its owner died. */
  readonly client: number | null;
  readonly expiresAt: number;
}

interface TabTimes {
  readonly maxTabs: number;
  readonly orphanMs: number;
  readonly leaseMs: number;
}

export class Tabs {
  readonly #times: TabTimes;
  #leases: TabLease[] = [];

  constructor(times: TabTimes) {
    this.#times = times;
  }

  get all(): readonly TabLease[] {
    return this.#leases;
  }

  /** Tabs that are being opened count as well. */
  hasRoom(opening: number): boolean {
    return this.#leases.length + opening < this.#times.maxTabs;
  }

  of(client: number): TabLease | undefined {
    return this.#leases.find((lease) => lease.client === client);
  }

  bySession(sessionId: string | undefined): TabLease | undefined {
    return this.#leases.find((lease) => lease.sessionId === sessionId);
  }

  byTarget(targetId: unknown): TabLease | undefined {
    return this.#leases.find((lease) => lease.targetId === targetId);
  }

  add(lease: Omit<TabLease, "expiresAt" | "since">, now: number): void {
    this.#leases.push({ ...lease, since: now, expiresAt: now + this.#times.leaseMs });
  }

  /** Gives the tab of a dead process of the same run to its successor. */
  takeOver(key: string, client: number, owner: LeaseOwner, now: number): TabLease | undefined {
    const found = this.#leases.find((lease) => lease.key === key && lease.client === null);
    if (!found) return undefined;
    return this.#put({ ...found, client, owner, expiresAt: now + this.#times.leaseMs });
  }

  renew(client: number, now: number): void {
    const found = this.of(client);
    if (found) this.#put({ ...found, expiresAt: now + this.#times.leaseMs });
  }

  orphan(client: number, now: number): void {
    const found = this.of(client);
    if (found) this.#put({ ...found, client: null, expiresAt: now + this.#times.orphanMs });
  }

  drop(targetId: string): void {
    this.#leases = this.#leases.filter((lease) => lease.targetId !== targetId);
  }

  expired(now: number): readonly TabLease[] {
    return this.#leases.filter(({ expiresAt }) => expiresAt <= now);
  }

  /** When all tabs are used: the oldest tab that waits for a successor, to be closed. */
  spare(): TabLease | undefined {
    return this.#leases
      .filter(({ client }) => client === null)
      .sort((left, right) => left.expiresAt - right.expiresAt)[0];
  }

  #put(lease: TabLease): TabLease {
    this.#leases = this.#leases.map((old) => (old.targetId === lease.targetId ? lease : old));
    return lease;
  }
}
