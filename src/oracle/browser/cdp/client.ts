// Speaks the DevTools protocol over the browser's pipe: requests with their answers, and events by session.
import type { Readable, Writable } from "node:stream";
import { frames } from "./frames.ts";

export type Params = Readonly<Record<string, unknown>>;

export interface CdpEvent {
  readonly method: string;
  readonly params: Params;
  readonly sessionId: string | undefined;
}

interface Waiting {
  readonly resolve: (result: Params) => void;
  readonly reject: (error: Error) => void;
}

/** The browser refused a request: its own words. */
class CdpError extends Error {}

export class Cdp {
  readonly #out: Writable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #onEvent: (event: CdpEvent) => void;
  #next = 1;
  #ended: Error | null = null;

  constructor(input: Readable, out: Writable, onEvent: (event: CdpEvent) => void) {
    this.#out = out;
    this.#onEvent = onEvent;
    input.on(
      "data",
      frames(0, (text) => this.#take(text)),
    );
    // A browser that ends closes both pipes; its exit tells the rest.
    for (const stream of [input, out]) stream.on("error", () => this.end("the browser's pipe broke"));
  }

  send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
    if (this.#ended) return Promise.reject(this.#ended);
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  end(why: string): void {
    this.#ended ??= new CdpError(why);
    for (const { reject } of this.#waiting.values()) reject(this.#ended);
    this.#waiting.clear();
  }

  #take(text: string): void {
    const message = JSON.parse(text) as {
      id?: number;
      method?: string;
      params?: Params;
      sessionId?: string;
      result?: Params;
      error?: { message: string };
    };
    if (message.id === undefined) {
      if (message.method !== undefined)
        this.#onEvent({
          method: message.method,
          params: message.params ?? {},
          sessionId: message.sessionId,
        });
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new CdpError(message.error.message));
    else waiting?.resolve(message.result ?? {});
  }
}
