// Access to the page: a link works once within a minute and gives a bearer token for one tab; a paired browser gets one by
// signing a challenge. Only hashes are stored, so the memory contains no usable token. Cookies are not used, because a cookie is
// sent to every port.
import { createHash, randomBytes } from "node:crypto";

export interface PageSession {
  /** Its number for the record: the report names the session that passed a gate. */
  readonly number: number;
  /** The paired device that it belongs to. */
  readonly device?: string;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64url");
const secret = (): string => randomBytes(32).toString("base64url");

const linkMs = 60_000;
const mostSessions = 64;

export class PageSessions {
  readonly #links = new Map<string, number>();
  readonly #sessions = new Map<string, PageSession>();
  readonly #challenges = new Map<string, { readonly text: string; readonly until: number }>();
  readonly #now: () => number;
  readonly #paired: (device: string) => boolean;
  #count = 0;

  /** `paired` says whether a device is still paired. */
  constructor(now: () => number, paired: (device: string) => boolean = () => false) {
    this.#now = now;
    this.#paired = paired;
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
    return this.#open({});
  }

  #open(of: Omit<PageSession, "number">): { readonly bearer: string; readonly session: PageSession } {
    const bearer = secret();
    this.#count += 1;
    const session = { number: this.#count, ...of };
    this.#sessions.set(digest(bearer), session);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > mostSessions && oldest !== undefined) this.#sessions.delete(oldest);
    return { bearer, session };
  }

  /** The text that a paired device must sign, once and within a minute. A device has one challenge at a time. */
  challenge(device: string): string {
    const text = secret();
    this.#challenges.set(device, { text, until: this.#now() + linkMs });
    return text;
  }

  /** Whether this challenge is open for the device; it is used by the question. */
  takeChallenge(device: string, text: string): boolean {
    const open = this.#challenges.get(device);
    if (open?.text !== text) return false;
    this.#challenges.delete(device);
    return this.#now() <= open.until;
  }

  /** A session for a device that has proved its key. */
  admit(device: string): { readonly bearer: string; readonly session: PageSession } {
    return this.#open({ device });
  }

  /** The session ends with the pairing of the device. */
  bind(bearer: string, device: string): void {
    const session = this.#sessions.get(digest(bearer));
    if (session) this.#sessions.set(digest(bearer), { ...session, device });
  }

  of(bearer: string): PageSession | undefined {
    const session = this.#sessions.get(digest(bearer));
    if (session?.device === undefined || this.#paired(session.device)) return session;
    this.#sessions.delete(digest(bearer));
    return undefined;
  }
}
