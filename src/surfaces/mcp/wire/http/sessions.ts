// The sessions of the HTTP server: bounded in number, each ended after a time without use.
import { randomUUID } from "node:crypto";
import { ClientSession, type Service } from "../session.ts";

export interface SessionLimits {
  readonly sessions: number;
  /** A session that was not used for this long makes room for another one. */
  readonly quietMs: number;
  readonly idleMs: number;
}

interface Held {
  readonly session: ClientSession;
  usedAt: number;
}

export class HttpSessions {
  readonly #service: Service;
  readonly #limits: SessionLimits;
  readonly #held = new Map<string, Held>();
  readonly #timer: NodeJS.Timeout;

  constructor(service: Service, limits: SessionLimits) {
    this.#service = service;
    this.#limits = limits;
    this.#timer = setInterval(() => this.#expire(), Math.max(20, Math.min(limits.idleMs / 2, 60_000)));
    this.#timer.unref();
  }

  get size(): number {
    return this.#held.size;
  }

  /** A new one, or undefined when there are too many and all of them are in use. */
  open(): { readonly id: string; readonly session: ClientSession } | undefined {
    this.#expire();
    if (this.#held.size >= this.#limits.sessions && !this.#makesRoom()) return undefined;
    const id = randomUUID();
    const session = new ClientSession(this.#service);
    this.#held.set(id, { session, usedAt: Date.now() });
    return { id, session };
  }

  /** For one request that needs no session. */
  passing(): ClientSession {
    return new ClientSession(this.#service);
  }

  find(id: string): ClientSession | undefined {
    const held = this.#held.get(id);
    if (held) held.usedAt = Date.now();
    return held?.session;
  }

  async end(id: string): Promise<boolean> {
    const held = this.#held.get(id);
    this.#held.delete(id);
    await held?.session.close();
    return held !== undefined;
  }

  /** Ends the session with the longest time without use; its client may send initialize again. */
  #makesRoom(): boolean {
    const quiet = [...this.#held].filter(
      ([, { session, usedAt }]) => !session.busy && Date.now() - usedAt >= this.#limits.quietMs,
    );
    const [id] = quiet.toSorted(([, a], [, b]) => a.usedAt - b.usedAt)[0] ?? [];
    if (id !== undefined) void this.end(id);
    return id !== undefined;
  }

  #expire(): void {
    const oldest = Date.now() - this.#limits.idleMs;
    for (const [id, { session, usedAt }] of this.#held) if (usedAt < oldest && !session.busy) void this.end(id);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all([...this.#held.keys()].map((id) => this.end(id)));
  }
}
