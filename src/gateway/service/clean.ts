// Removes secrets from all output: the values that a session knows, then everything that has the shape of a secret.
import { marker, redact } from "../../core/secrets/index.ts";

const shortest = 6;

export class KnownValues {
  readonly #values = new Map<string, Set<string>>();

  add(sessionId: string, values: Iterable<string>): void {
    const known = this.#values.get(sessionId) ?? new Set();
    for (const value of values) if (value.length >= shortest) known.add(value);
    this.#values.set(sessionId, known);
  }

  of(sessionId: string): string[] {
    const known = this.#values.get(sessionId);
    if (!known) return [];
    return [...known].sort((a, b) => b.length - a.length);
  }

  forget(sessionId: string): void {
    this.#values.delete(sessionId);
  }

  /** Removes only the values that this session knows. */
  plain(sessionId: string, text: string): string {
    let clean = text;
    for (const value of this.of(sessionId)) clean = clean.replaceAll(value, marker);
    return clean;
  }

  text(sessionId: string, text: string): string {
    return redact(this.plain(sessionId, text)).text;
  }

  /** Cleans each string in a JSON value. */
  json<T>(sessionId: string, value: T): T {
    if (typeof value === "string") return this.text(sessionId, value) as T;
    if (Array.isArray(value)) return value.map((item: unknown) => this.json(sessionId, item)) as T;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.json(sessionId, item)])) as T;
  }
}

/** Cleans a stream of pieces. The end of a piece that may be the start of a value is held back until the next piece. */
export class PieceCleaner {
  #held = "";
  readonly #values: () => readonly string[];
  constructor(values: () => readonly string[]) {
    this.#values = values;
  }

  push(piece: string): string {
    const text = this.#held + piece;
    const hold = this.#heldFrom(text);
    this.#held = text.slice(hold);
    return this.#clean(text.slice(0, hold));
  }

  end(): string {
    const rest = this.#clean(this.#held);
    this.#held = "";
    return rest;
  }

  #clean(text: string): string {
    let clean = text;
    for (const value of this.#values()) clean = clean.replaceAll(value, marker);
    return clean;
  }

  /** The first index at which the rest of the text is the start of a value. */
  #heldFrom(text: string): number {
    let from = text.length;
    for (const value of this.#values())
      for (let at = Math.max(0, text.length - value.length + 1); at < from; at += 1)
        if (value.startsWith(text.slice(at))) from = at;
    return from;
  }
}
