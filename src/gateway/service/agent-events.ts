// The events of one agent on their way to the store: in their order, and again and again while the store is in trouble. A store
// that is full or away for a while ends nothing and loses no event except single tokens, whose text is in the messages.
import { timers } from "../../platform/system/index.ts";
import type { TranslatedEvent } from "../agent/translate.ts";
import { addRequested, requestedIn, requestTool } from "../rules/index.ts";
import { PieceCleaner } from "./clean.ts";
import type { SessionDeps } from "./deps.ts";

const waitsMs = [100, 250, 500, 1_000, 2_000, 5_000];
/** So many events wait for the store before tokens are dropped. */
const mostWaiting = 5_000;

type Waiting = Pick<TranslatedEvent, "type" | "data">;

export class AgentEvents {
  readonly #deps: Pick<SessionDeps, "events" | "known" | "store" | "log">;
  readonly #sessionId: string;
  readonly #signal: AbortSignal;
  readonly #cleaners = new Map<unknown, PieceCleaner>();
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(deps: Pick<SessionDeps, "events" | "known" | "store" | "log">, sessionId: string, signal: AbortSignal) {
    this.#deps = deps;
    this.#sessionId = sessionId;
    this.#signal = signal;
  }

  add(event: TranslatedEvent): void {
    const { partId } = event.data;
    const cleaner = this.#cleaners.get(partId) ?? new PieceCleaner(() => this.#deps.known.of(this.#sessionId));
    if (event.type === "token") {
      this.#cleaners.set(partId, cleaner);
      this.#push("token", { ...event.data, token: cleaner.push(String(event.data["token"])) });
      return;
    }
    const rest = this.#cleaners.delete(partId) ? cleaner.end() : "";
    this.#push("token", { messageId: event.data["messageId"], partId, token: rest });
    this.#push(event.type, event.data);
  }

  /** Resolves when every event is stored, or the signal has fired. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  #push(type: Waiting["type"], data: Waiting["data"]): void {
    if (type === "token" && (data["token"] === "" || this.#waiting.length >= mostWaiting)) return;
    this.#waiting.push({ type, data });
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async #write(): Promise<void> {
    for (let failed = 0; this.#waiting.length > 0 && !this.#signal.aborted;) {
      const batch = this.#waiting.slice(0, 500);
      try {
        await this.#noteRequests(batch);
        await this.#deps.events.append(this.#sessionId, ...batch);
        this.#waiting = this.#waiting.slice(batch.length);
        failed = 0;
      } catch (error) {
        this.#deps.log({ level: "error", event: "store", sessionId: this.#sessionId, why: String(error) });
        await timers.sleep(waitsMs[Math.min(failed, waitsMs.length - 1)] ?? 5_000, this.#signal);
        failed += 1;
      }
    }
  }

  /** Keeps the values that the agent asks for with its session, so each list shows that it waits. */
  async #noteRequests(batch: readonly Waiting[]): Promise<void> {
    const asked = batch
      .filter(({ type, data }) => type === "tool_start" && data["tool"] === requestTool)
      .flatMap(({ data }) => requestedIn(this.#deps.known.json(this.#sessionId, data["args"])));
    if (asked.length === 0) return;
    await this.#deps.store.changeSession(this.#sessionId, ({ requested = [] }) => ({
      requested: addRequested(requested, asked),
    }));
  }
}
