// Access to the page: a link works once within a minute and gives a bearer token for one tab. Only hashes are stored, so the
// memory contains no usable token. Cookies are not used, because a cookie is sent to every port.
import { createHash, randomBytes } from "node:crypto";

export interface PageSession {
  /** Its number for the record: the report names the session that passed a gate. */
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

  /** The token of a new link. An older unused link stops working. */
  invite(): string {
    const token = secret();
    this.#links.clear();
    this.#links.set(digest(token), this.#now() + linkMs);
    return token;
  }

  /** Looks the token up by its hash, so the time of the lookup reveals nothing. */
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
