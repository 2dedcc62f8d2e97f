// Waiting for the answer to our message: until it is proved whole, or it is certain that it will not come.
import type { PageSnapshot } from "../shapes.ts";
import type { SiteData } from "../sites/load.ts";
import { refuseStep, rest, snapshotPage, wallOf, type Drive } from "./context.ts";

export interface Proof {
  readonly key: string | null;
  readonly text: string;
  /** Since when the answer has been as it is. */
  readonly since: number;
  /** Looks in a row that saw the finished marks. */
  readonly holds: number;
}

export const noProof: Proof = { key: null, text: "", since: 0, holds: 0 };

interface SeenPage {
  readonly look: PageSnapshot;
  /** The request that brings the answer is still open and alive. */
  readonly flowing: boolean;
  /** A request that brought part of the page broke off. */
  readonly broken: boolean;
  readonly now: number;
}

/** The finished marks of this very turn, and no sign that anything is still being written. */
export function looksFinished({ look, flowing, broken }: SeenPage): boolean {
  const { answer } = look;
  return (
    answer !== null &&
    answer.done &&
    !answer.busy &&
    !answer.placeholder &&
    !look.stop &&
    look.idle &&
    !flowing &&
    !broken &&
    look.errorBanner === null
  );
}

export function weigh(proof: Proof, seen: SeenPage): Proof {
  const { look, now } = seen;
  if (look.answer === null) return { ...noProof, since: now };
  const { key, markdown } = look.answer;
  const same = proof.key === key && proof.text === markdown;
  return {
    key,
    text: markdown,
    since: same ? proof.since : now,
    holds: looksFinished(seen) ? (same ? proof.holds + 1 : 1) : 0,
  };
}

export const isProved = ({ holds, since }: Proof, now: number, times: SiteData["times"]): boolean =>
  holds >= times.holds && now - since >= times.stableMs;

export interface AnswerWatch {
  readonly onText: (text: string) => void;
  /** The address of the conversation, when it is first known and whenever it changes. */
  readonly onAddress: (url: string) => Promise<void>;
  /** Holds for the turn that we wait for. */
  readonly isOurs: (look: PageSnapshot) => boolean;
}

export type Awaited = { readonly whole: true } | { readonly whole: false; readonly why: string };

export const isConversation = ({ site }: Pick<Drive, "site">, url: string): boolean =>
  new URL(url).host === new URL(site.url).host && new RegExp(site.conversation).test(new URL(url).pathname);

/** A page that left the conversation is brought back, at most this often. */
const mostReturns = 3;

export async function awaitAnswer(drive: Drive, watch: AnswerWatch, since: number): Promise<Awaited> {
  const state = new Waiting(drive, watch, since);
  for (;;) {
    const ended = await state.step();
    if (ended) return ended;
    await rest(drive.site.times.pollMs, drive);
  }
}

class Waiting {
  readonly #drive: Drive;
  readonly #watch: AnswerWatch;
  readonly #since: number;
  #proof: Proof = noProof;
  #address: string | null = null;
  #told = "";
  #awaySince: number | null = null;
  #returns = 0;

  constructor(drive: Drive, watch: AnswerWatch, since: number) {
    this.#drive = drive;
    this.#watch = watch;
    this.#since = since;
  }

  async step(): Promise<Awaited | null> {
    const { site, tab } = this.#drive;
    const look = await snapshotPage(this.#drive);
    const now = Date.now();
    await this.#follow(look);
    const wall = wallOf(look, site);
    if (wall) return this.#end(wall.message, () => refuseStep(this.#drive, "answer", wall));
    if (!this.#watch.isOurs(look)) return await this.#away(now);
    this.#awaySince = null;
    this.#tell(look);
    const flowing = tab.traffic.flowing(this.#since, now, site.times.flowMs);
    const broken = tab.traffic.brokenSince(this.#since) !== null;
    this.#proof = weigh(this.#proof, { look, flowing, broken, now });
    if (isProved(this.#proof, now, site.times)) return { whole: true };
    return await this.#broken(look, now);
  }

  async #follow(look: PageSnapshot): Promise<void> {
    if (look.url === this.#address || !isConversation(this.#drive, look.url)) return;
    this.#address = look.url;
    await this.#watch.onAddress(look.url);
  }

  #tell(look: PageSnapshot): void {
    const text = look.answer === null || look.answer.placeholder ? "" : look.answer.markdown;
    if (text === "" || text === this.#told) return;
    this.#told = text;
    this.#watch.onText(text);
  }

  /** The page shows something else than our conversation: it is loading again, or went away. */
  async #away(now: number): Promise<Awaited | null> {
    const { site } = this.#drive;
    this.#proof = noProof;
    this.#awaySince ??= now;
    if (now - this.#awaySince < Math.max(2_000, site.times.pollMs * 5)) return null;
    this.#awaySince = null;
    if (await this.#return("the page left the conversation; going back to it")) return null;
    return this.#end("the page left our conversation and did not come back.", () =>
      refuseStep(this.#drive, "answer", {
        code: "answer_broken",
        message: "the page no longer shows our conversation.",
        remedy: "Fetch the answer with: oracle restart SESSION. It is not sent again.",
      }),
    );
  }

  /** Loads the conversation anew: the site knows what was said. False when that was tried often enough. */
  async #return(why: string): Promise<boolean> {
    if (this.#address === null || this.#returns >= mostReturns) return false;
    this.#returns += 1;
    this.#proof = noProof;
    this.#drive.log(why);
    await this.#drive.tab.goto(this.#address);
    return true;
  }

  async #broken(look: PageSnapshot, now: number): Promise<Awaited | null> {
    const { site, tab } = this.#drive;
    if (look.errorBanner !== null && !look.stop)
      return this.#end(`the page says: "${look.errorBanner.slice(0, 160)}"`, () =>
        refuseStep(this.#drive, "answer", {
          code: "answer_broken",
          message: `the page gave up: "${look.errorBanner?.slice(0, 160) ?? ""}".`,
          remedy: "Try again.",
        }),
      );
    const broken = tab.traffic.brokenSince(this.#since);
    if (broken === null || now - broken.at < site.times.brokenMs) return null;
    if (await this.#return("the connection broke; asking the site for the conversation again")) return null;
    return this.#end(`the connection broke (${broken.why})`, () =>
      refuseStep(this.#drive, "answer", {
        code: "network_lost",
        message: `the connection broke before an answer came (${broken.why}).`,
        remedy:
          "Check the network; then fetch the answer with: oracle restart SESSION. It is not sent again.",
      }),
    );
  }

  /** With text so far the answer is part of one; without any it is a failure of its own. */
  #end(why: string, otherwise: () => never): Awaited {
    if (this.#told !== "") return { whole: false, why };
    return otherwise();
  }
}
