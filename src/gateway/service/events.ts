// The events of sessions: stored first, then passed to the followers. A follower reads from the store what it missed.
import { timers } from "../../platform/system/index.ts";
import type { GatewayStore, SessionEvent } from "../store/index.ts";
import type { KnownValues } from "./clean.ts";

const eventTypes = [
  "message",
  "token",
  "tool_start",
  "tool_end",
  "status",
  "error",
  "snapshot",
  "message_complete",
  "env_submitted",
  "action",
] as const;
type EventType = (typeof eventTypes)[number];
export interface NewEvent {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
}
type Listener = (event: SessionEvent) => void;

interface Follower {
  push(event: SessionEvent): void;
  /** Reads the events that it has not seen from the store. */
  read(): void;
}

const pageSize = 500;
/** How often a gateway checks whether another process has appended events. */
const pollMs = 250;

export class Events {
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #store: GatewayStore;
  readonly #known: KnownValues;
  readonly #now: () => number;
  readonly #fault: (error: unknown) => void;
  #mark = "";
  #stopPolling: (() => void) | undefined;

  constructor(store: GatewayStore, known: KnownValues, now: () => number, fault: (error: unknown) => void) {
    this.#store = store;
    this.#known = known;
    this.#now = now;
    this.#fault = fault;
  }

  async append(sessionId: string, ...events: readonly NewEvent[]): Promise<void> {
    const at = this.#now();
    const cleaned = events.map(({ type, data }) => ({ at, type, data: this.#known.json(sessionId, data) }));
    const stored = await this.#store.appendEvents(sessionId, cleaned);
    for (const one of stored) for (const { push } of this.#followers.get(sessionId) ?? []) push(one);
  }

  /** Passes on the events after `after`, then new ones, each once and in order, until the returned function is called. */
  follow(sessionId: string, after: number, listen: Listener): () => void {
    const ending = new AbortController();
    const follower = this.#follower(sessionId, after, listen, ending.signal);
    const all = this.#followers.get(sessionId) ?? new Set();
    this.#followers.set(sessionId, all.add(follower));
    this.#stopPolling ??= timers.every(pollMs, () => void this.#pollStore().catch(this.#fault));
    follower.read();
    return () => {
      ending.abort();
      all.delete(follower);
      if (all.size === 0) this.#followers.delete(sessionId);
      if (this.#followers.size > 0) return;
      this.#stopPolling?.();
      this.#stopPolling = undefined;
    };
  }

  #follower(sessionId: string, after: number, listen: Listener, signal: AbortSignal): Follower {
    let seen = after;
    let reading = false;
    let again = false;
    const give = (event: SessionEvent): void => {
      if (signal.aborted || event.seq <= seen) return;
      seen = event.seq;
      listen(event);
    };
    const readPages = async (): Promise<void> => {
      try {
        while (again && !signal.aborted) {
          again = false;
          const page = await this.#store.events(sessionId, seen, pageSize);
          page.forEach(give);
          if (page.length === pageSize) again = true;
        }
      } finally {
        reading = false;
      }
    };
    const read = (): void => {
      again = true;
      if (reading) return;
      reading = true;
      readPages().catch(this.#fault);
    };
    return {
      read,
      // A gap in the numbers means events of another process: they are read first.
      push: (event) => (reading || event.seq !== seen + 1 ? read() : give(event)),
    };
  }

  async #pollStore(): Promise<void> {
    const mark = await this.#store.mark();
    if (mark === this.#mark) return;
    this.#mark = mark;
    for (const all of this.#followers.values()) for (const { read } of all) read();
  }

  /** The last events without the single tokens, whose text is in the messages. */
  async last(sessionId: string): Promise<SessionEvent[]> {
    let last: SessionEvent[] = [];
    for (let after = 0, full = true; full;) {
      const page = await this.#store.events(sessionId, after, pageSize);
      last = [...last, ...page.filter(({ type }) => type !== "token")].slice(-pageSize);
      full = page.length === pageSize;
      after = page.at(-1)?.seq ?? after;
    }
    return last;
  }

  listeners(): number {
    return [...this.#followers.values()].reduce((sum, { size }) => sum + size, 0);
  }
}
