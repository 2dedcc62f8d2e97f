// The DevTools protocol over the browser's pipe: requests with their responses, and events by session.
import type { Readable, Writable } from "node:stream";
import { fail } from "../../../core/contract/index.ts";

/** Far more than a page's text, a screenshot or a snapshot needs; it bounds a message that never ends. */
const longest = 256 * 1024 * 1024;

export function frames(separator: number, onMessage: (text: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let rest = chunk;
    for (let at = rest.indexOf(separator); at >= 0; at = rest.indexOf(separator)) {
      const whole = Buffer.concat([...parts, rest.subarray(0, at)]).toString("utf8");
      parts = [];
      size = 0;
      rest = rest.subarray(at + 1);
      if (whole !== "") onMessage(whole);
    }
    if (rest.length === 0) return;
    size += rest.length;
    if (size > longest) fail("browser_gone", "The browser sent a message without an end.");
    parts.push(rest);
  };
}

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

/** The browser refused a request, with its message. */
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
    // An ending browser closes both pipes; its exit event follows.
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
