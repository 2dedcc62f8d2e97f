// The right to call: a link is good for one use within a minute, and gives a bearer that lives in one tab. Only hashes are
// kept, so that nothing here can be read and used. There is no cookie: a cookie does not know ports.
import { createHash, randomBytes } from "node:crypto";

export interface PageSession {
  /** Its number, for the record: the report can say where a gate was passed. */
  readonly number: number;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
const secret = (): string => randomBytes(32).toString("base64url");

const linkMs = 60_000;
const mostSessions = 64;

export class PageSessions {
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, PageSession>();
  readonly #now: () => number;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** The word of a new link. An older link that nobody used is worth nothing from now on. */
  invite(): string {
    const token = secret();
    this.#links.clear();
    this.#links.set(digest(token), this.#now() + linkMs);
    return token;
  }

  /** Looked up by hash: how long that takes tells nothing about the word. */
  enter(token: string): { readonly bearer: string; readonly session: PageSession } | undefined {
    const until = this.#links.get(digest(token));
    if (until === undefined) return undefined;
    this.#links.delete(digest(token));
    if (this.#now() > until) return undefined;
    const bearer = secret();
    this.#count += 1;
    const session = { number: this.#count };
    this.#sessions.set(digest(bearer), session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return { bearer, session };
  }

  of(bearer: string): PageSession | undefined {
    return this.#sessions.get(digest(bearer));
  }
}
