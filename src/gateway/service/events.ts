// The events of sessions: stored first, told to everybody who listens then. A listener that was away reads what it missed.
import type { GatewayStore, SessionEvent } from "../store/index.ts";
import type { KnownValues } from "./clean.ts";

export const eventTypes = [
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

export class Events {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #store: GatewayStore;
  readonly #known: KnownValues;
  readonly #now: () => number;

  constructor(store: GatewayStore, known: KnownValues, now: () => number) {
    this.#store = store;
    this.#known = known;
    this.#now = now;
  }

  async tell(sessionId: string, type: EventType, data: Readonly<Record<string, unknown>>): Promise<void> {
    const event = { at: this.#now(), type, data: this.#known.json(sessionId, data) };
    const stored = await this.#store.appendEvents(sessionId, [event]);
    for (const one of stored) for (const listen of this.#listeners.get(sessionId) ?? []) listen(one);
  }

  /** Everything after `after`, then everything new, each once and in order, until the returned function is called. */
  follow(sessionId: string, after: number, listen: Listener): () => void {
    let seen = after;
    let caughtUp = false;
    let over = false;
    const ended = () => over;
    const early: SessionEvent[] = [];
    const give = (event: SessionEvent): void => {
      if (over || event.seq <= seen) return;
      seen = event.seq;
      listen(event);
    };
    const hear: Listener = (event) => (caughtUp ? give(event) : void early.push(event));
    const all = this.#listeners.get(sessionId) ?? new Set();
    this.#listeners.set(sessionId, all.add(hear));
    const catchUp = async (): Promise<void> => {
      while (!ended()) {
        const page = await this.#page(sessionId, seen);
        if (page.length === 0) break;
        for (const event of page) give(event);
      }
      caughtUp = true;
      for (const event of early) give(event);
    };
    void catchUp();
    return () => {
      over = true;
      all.delete(hear);
      if (all.size === 0) this.#listeners.delete(sessionId);
    };
  }

  #page(sessionId: string, after: number): Promise<SessionEvent[]> {
    return this.#store.events(sessionId, after, 500);
  }

  listeners(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }
}
