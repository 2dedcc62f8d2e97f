// Waits for the answer until it is proved complete, or cannot come any more. Silence alone is never proof.
import type { PageSnapshot, ReportLook } from "../shapes.ts";
import { type Proof, isProved, noProof, weigh } from "./proof.ts";
import { ReportWatch, type ReportSeen } from "./report-watch.ts";
import { isDoubtful } from "./trust.ts";
import { refuseStep, rest, snapshotPage, wallOf, type Drive } from "./context.ts";

interface AnswerWatch {
  readonly onText: (text: string) => void;
  /** Called with the URL of the conversation when it is first known and whenever it changes. */
  readonly onAddress: (url: string) => Promise<void>;
  /** True for a snapshot that shows the awaited turn. */
  readonly isOurs: (snapshot: PageSnapshot) => boolean;
  /** The page showed that it works on the answer. */
  readonly isWorkSeen: boolean;
  /** The answer is a report, which may stand in a frame. */
  readonly isReport: boolean;
}

export type Awaited =
  | { readonly whole: true; readonly report?: ReportLook }
  | { readonly whole: false; readonly why: string };

export const isConversation = ({ site }: Pick<Drive, "site">, url: string): boolean =>
  new URL(url).host === new URL(site.url).host && new RegExp(site.conversation).test(new URL(url).pathname);

/** At most so often the page is brought back to the conversation. */
const mostReturns = 3;

/** So often the site is asked again whether a short text is the answer. */
const mostAsks = 3;

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
  #isThought = false;
  #isWorkSeen: boolean;
  /** The doubtful text for which the site was asked again. */
  #asked: string | null = null;
  #asks = 0;
  readonly #report: ReportWatch;

  constructor(drive: Drive, watch: AnswerWatch, since: number) {
    this.#drive = drive;
    this.#watch = watch;
    this.#since = since;
    this.#isWorkSeen = watch.isWorkSeen;
    this.#report = new ReportWatch(drive.site.times);
  }

  async step(): Promise<Awaited | null> {
    const { site, tab } = this.#drive;
    const snapshot = await snapshotPage(this.#drive);
    const now = Date.now();
    await this.#follow(snapshot);
    const wall = wallOf(snapshot, site, this.#drive.mode);
    if (wall) return this.#end(wall.message, () => refuseStep(this.#drive, "answer", wall));
    if (!this.#watch.isOurs(snapshot)) return await this.#away(now);
    this.#awaySince = null;
    this.#pass(snapshot);
    const flowing = tab.traffic.flowing(this.#since, now, site.times.flowMs, this.#proof.since);
    const { answer } = snapshot;
    this.#isThought ||= answer !== null && answer.placeholder && answer.markdown.trim() !== "";
    this.#isWorkSeen ||= snapshot.stop || flowing || answer?.busy === true || answer?.placeholder === true;
    const broken = tab.traffic.brokenSince(this.#since) !== null;
    const report = this.#watch.isReport ? this.#report.take(await tab.reports(site.marks), now) : null;
    if (report !== null) return this.#passReport(report);
    this.#proof = weigh(this.#proof, { snapshot, flowing, broken, now });
    if (isProved(this.#proof, now, site.times)) return await this.#settle(snapshot, now);
    return await this.#broken(snapshot, now);
  }

  /** A doubtful text is watched longer; then the site is asked for the conversation again and must show the same. */
  async #settle({ answer }: PageSnapshot, now: number): Promise<Awaited | null> {
    const { site } = this.#drive;
    const seen = { isThought: this.#isThought, isWorkSeen: this.#isWorkSeen };
    if (answer === null || !isDoubtful(answer, seen, site.shortText)) return { whole: true };
    // An announcement of work is not proved by showing it again.
    if (this.#asked === answer.markdown && !answer.preamble) return { whole: true };
    if (now - this.#proof.since < site.times.settleMs) return null;
    if (this.#address === null || this.#asks >= mostAsks)
      return {
        whole: false,
        why: "the text is short and may be a status; the page gives no proof that it is the answer",
      };
    this.#asks += 1;
    this.#asked = answer.markdown;
    this.#proof = noProof;
    this.#drive.log("the text is short: asking the site for the conversation again");
    await this.#drive.tab.goto(this.#address);
    return null;
  }

  #passReport({ report, isNew, isProved: whole }: ReportSeen): Awaited | null {
    if (isNew) {
      this.#text = report.markdown;
      this.#watch.onText(report.markdown);
    }
    return whole ? { whole: true, report } : null;
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
    const { noticeError, answer } = snapshot;
    if (noticeError !== null && !snapshot.stop && (answer === null || !answer.done || answer.placeholder))
      return this.#notice(noticeError, now);
    this.#noticeSince = null;
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

  #noticeSince: number | null = null;

  /** A notice that goes away while the answer comes was about something else. */
  #notice(text: string, now: number): Awaited | null {
    this.#noticeSince ??= now;
    if (now - this.#noticeSince < Math.max(2_000, this.#drive.site.times.pollMs * 5)) return null;
    return this.#end(`the page says: "${text.slice(0, 160)}"`, () =>
      refuseStep(this.#drive, "answer", {
        code: "answer_broken",
        message: `the page gave up: "${text.slice(0, 160)}".`,
        remedy: "Look at the conversation, then fetch its answer with: oracle restart SESSION. It is not sent again.",
      }),
    );
  }

  /** With some text the answer is partial; without any it is a failure. */
  #end(why: string, otherwise: () => never): Awaited {
    if (this.#text !== "") return { whole: false, why };
    return otherwise();
  }
}
