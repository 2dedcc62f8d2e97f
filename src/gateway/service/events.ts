// The events of sessions: stored first, told to everybody who listens then. A listener that was away reads what it missed.
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
] as const;
export type EventType = (typeof eventTypes)[number];
type Listener = (event: SessionEvent) => void;

interface Follower {
  hear(event: SessionEvent): void;
  /** Reads from the store whatever was not given yet. */
  look(): void;
}

const pageSize = 500;
/** How often a gateway looks whether another process has appended events. */
const lookMs = 250;

export class Events {
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #store: GatewayStore;
  readonly #known: KnownValues;
  readonly #now: () => number;
  readonly #fault: (error: unknown) => void;
  #mark = "";
  #stopLooking: (() => void) | undefined;

  constructor(store: GatewayStore, known: KnownValues, now: () => number, fault: (error: unknown) => void) {
    this.#store = store;
    this.#known = known;
    this.#now = now;
    this.#fault = fault;
  }

  async tell(sessionId: string, type: EventType, data: Readonly<Record<string, unknown>>): Promise<void> {
    const event = { at: this.#now(), type, data: this.#known.json(sessionId, data) };
    const stored = await this.#store.appendEvents(sessionId, [event]);
    for (const one of stored) for (const { hear } of this.#followers.get(sessionId) ?? []) hear(one);
  }

  /** Everything after `after`, then everything new, each once and in order, until the returned function is called. */
  follow(sessionId: string, after: number, listen: Listener): () => void {
    const ending = new AbortController();
    const follower = this.#follower(sessionId, after, listen, ending.signal);
    const all = this.#followers.get(sessionId) ?? new Set();
    this.#followers.set(sessionId, all.add(follower));
    this.#stopLooking ??= timers.every(lookMs, () => void this.#lookElsewhere().catch(this.#fault));
    follower.look();
    return () => {
      ending.abort();
      all.delete(follower);
      if (all.size === 0) this.#followers.delete(sessionId);
      if (this.#followers.size > 0) return;
      this.#stopLooking?.();
      this.#stopLooking = undefined;
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
    const read = async (): Promise<void> => {
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
    const look = (): void => {
      again = true;
      if (reading) return;
      reading = true;
      read().catch(this.#fault);
    };
    return {
      look,
      // An event that does not follow the last one comes after events of another process: they are read first.
      hear: (event) => (reading || event.seq !== seen + 1 ? look() : give(event)),
    };
  }

  async #lookElsewhere(): Promise<void> {
    const mark = await this.#store.mark();
    if (mark === this.#mark) return;
    this.#mark = mark;
    for (const all of this.#followers.values()) for (const { look } of all) look();
  }

  /** The last events, without the single tokens: the messages that they make stand beside them. */
  async last(sessionId: string): Promise<SessionEvent[]> {
    let kept: SessionEvent[] = [];
    for (let after = 0, full = true; full;) {
      const page = await this.#store.events(sessionId, after, pageSize);
      kept = [...kept, ...page.filter(({ type }) => type !== "token")].slice(-pageSize);
      full = page.length === pageSize;
      after = page.at(-1)?.seq ?? after;
    }
    return kept;
  }

  listeners(): number {
    return [...this.#followers.values()].reduce((sum, { size }) => sum + size, 0);
  }
}
