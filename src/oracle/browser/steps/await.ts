// Waits for the answer until it is proved complete, or cannot come any more. Silence alone is never proof.
import type { PageSnapshot } from "../shapes.ts";
import type { SiteData } from "../sites/load.ts";
import { refuseStep, rest, snapshotPage, wallOf, type Drive } from "./context.ts";

export interface Proof {
  readonly key: string | null;
  readonly text: string;
  /** The time of the last change of the answer. */
  readonly since: number;
  /** The number of snapshots in a row with the finished marks. */
  readonly holds: number;
}

export const noProof: Proof = { key: null, text: "", since: 0, holds: 0 };

interface SeenPage {
  readonly snapshot: PageSnapshot;
  /** The request of the answer is open and received data lately. */
  readonly flowing: boolean;
  /** A request that had received data broke off. */
  readonly broken: boolean;
  readonly now: number;
}

/** The finished marks of this turn, and no sign of more text. */
export function looksFinished({ snapshot, flowing, broken }: SeenPage): boolean {
  const { answer } = snapshot;
  return (
    answer !== null &&
    answer.done &&
    !answer.busy &&
    !answer.placeholder &&
    !snapshot.stop &&
    snapshot.idle &&
    !flowing &&
    !broken &&
    snapshot.errorBanner === null
  );
}

export function weigh(proof: Proof, seen: SeenPage): Proof {
  const { snapshot, now } = seen;
  if (snapshot.answer === null) return { ...noProof, since: now };
  const { key, markdown } = snapshot.answer;
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

interface AnswerWatch {
  readonly onText: (text: string) => void;
  /** Called with the URL of the conversation when it is first known and whenever it changes. */
  readonly onAddress: (url: string) => Promise<void>;
  /** True for a snapshot that shows the awaited turn. */
  readonly isOurs: (snapshot: PageSnapshot) => boolean;
}

export type Awaited = { readonly whole: true } | { readonly whole: false; readonly why: string };

export const isConversation = ({ site }: Pick<Drive, "site">, url: string): boolean =>
  new URL(url).host === new URL(site.url).host && new RegExp(site.conversation).test(new URL(url).pathname);

/** At most so often the page is brought back to the conversation. */
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
  #text = "";
  #awaySince: number | null = null;
  #returns = 0;

  constructor(drive: Drive, watch: AnswerWatch, since: number) {
    this.#drive = drive;
    this.#watch = watch;
    this.#since = since;
  }

  async step(): Promise<Awaited | null> {
    const { site, tab } = this.#drive;
    const snapshot = await snapshotPage(this.#drive);
    const now = Date.now();
    await this.#follow(snapshot);
    const wall = wallOf(snapshot, site);
    if (wall) return this.#end(wall.message, () => refuseStep(this.#drive, "answer", wall));
    if (!this.#watch.isOurs(snapshot)) return await this.#away(now);
    this.#awaySince = null;
    this.#pass(snapshot);
    const flowing = tab.traffic.flowing(this.#since, now, site.times.flowMs);
    const broken = tab.traffic.brokenSince(this.#since) !== null;
    this.#proof = weigh(this.#proof, { snapshot, flowing, broken, now });
    if (isProved(this.#proof, now, site.times)) return { whole: true };
    return await this.#broken(snapshot, now);
  }

  async #follow(snapshot: PageSnapshot): Promise<void> {
    if (snapshot.url === this.#address || !isConversation(this.#drive, snapshot.url)) return;
    this.#address = snapshot.url;
    await this.#watch.onAddress(snapshot.url);
  }

  #pass(snapshot: PageSnapshot): void {
    const text = snapshot.answer === null || snapshot.answer.placeholder ? "" : snapshot.answer.markdown;
    if (text === "" || text === this.#text) return;
    this.#text = text;
    this.#watch.onText(text);
  }

  /** The page does not show the conversation: it reloads, or navigated away. */
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

  /** Loads the conversation again from the site. False after three times. */
  async #return(why: string): Promise<boolean> {
    if (this.#address === null || this.#returns >= mostReturns) return false;
    this.#returns += 1;
    this.#proof = noProof;
    this.#drive.log(why);
    await this.#drive.tab.goto(this.#address);
    return true;
  }

  async #broken(snapshot: PageSnapshot, now: number): Promise<Awaited | null> {
    const { site, tab } = this.#drive;
    if (snapshot.errorBanner !== null && !snapshot.stop)
      return this.#end(`the page says: "${snapshot.errorBanner.slice(0, 160)}"`, () =>
        refuseStep(this.#drive, "answer", {
          code: "answer_broken",
          message: `the page gave up: "${snapshot.errorBanner?.slice(0, 160) ?? ""}".`,
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
        remedy: "Check the network; then fetch the answer with: oracle restart SESSION. It is not sent again.",
      }),
    );
  }

  /** With some text the answer is partial; without any it is a failure. */
  #end(why: string, otherwise: () => never): Awaited {
    if (this.#text !== "") return { whole: false, why };
    return otherwise();
  }
}
