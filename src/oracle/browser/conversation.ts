// One conversation in one tab: the steps of the driver in their order, each proved before the next.
import { FailureError } from "../../core/contract/index.ts";
import type {
  Answer,
  Conversation,
  ConversationRef,
  EngineOpening,
  OpenHooks,
  SendHooks,
  EngineMessage,
} from "../../core/contract/transport/index.ts";
import { attachFiles } from "./steps/attach.ts";
import { awaitAnswer, isConversation } from "./steps/await.ts";
import { captureAnswer } from "./steps/capture.ts";
import { refuseStep, snapshotPage, tryPress, until, type Drive } from "./steps/context.ts";
import { answeredByOther, chooseModel } from "./steps/model.ts";
import { saveMadeOrTell } from "./steps/made.ts";
import { chooseMode, mustBeChat } from "./steps/mode.ts";
import { chooseTool } from "./steps/tool.ts";
import { openPage, untilHistory, untilReady } from "./steps/ready.ts";
import { insertPrompt, ourTurn, pressSend, promptHash } from "./steps/send.ts";
import { type EvidenceFolder, Snapshots, keepFailure, withEvidence } from "./evidence.ts";
import { forgetLogin } from "./installed/index.ts";
import type { PageSnapshot } from "./shapes.ts";
import type { LoadedSite } from "./sites/load.ts";
import type { Tab } from "./tab/tab.ts";
import type { BrowserDeps } from "./deps.ts";

interface ConversationDeps {
  readonly deps: BrowserDeps;
  readonly tab: Tab;
  readonly site: LoadedSite;
  readonly page: NonNullable<EngineOpening["browser"]>;
  readonly model: string;
  readonly key: string;
  readonly taken: boolean;
}

interface Waiting {
  readonly ref: ConversationRef;
  readonly isOurs: (snapshot: PageSnapshot) => boolean;
  readonly since: number;
  /** The page showed that it works on the answer, or the site was just asked for the conversation. */
  readonly isWorkSeen: boolean;
}

export class PageConversation implements Conversation {
  readonly #parts: ConversationDeps;
  readonly #evidence: EvidenceFolder;
  #model: string | null = null;
  #snapshots = 0;
  /** Only the first message of a run asks for a report; what follows is about it. */
  #isResearched = false;

  constructor(parts: ConversationDeps) {
    this.#parts = parts;
    const { folder } = parts.page;
    this.#evidence = { folder: folder === "" ? null : folder, redact: (text) => parts.deps.redact(text) };
  }

  #drive({ signal, log }: OpenHooks): Drive {
    const { tab, site, deps } = this.#parts;
    return { tab, site, signal, log, mode: deps.mode };
  }

  /** Opens a new conversation and makes it ready: nothing is typed yet. */
  async begin(hooks: OpenHooks): Promise<void> {
    const { page, model } = this.#parts;
    const drive = this.#drive(hooks);
    await this.#guarded(async () => {
      await openPage(drive, page.url);
      await untilReady(drive);
      if (isConversation(drive, page.url)) await untilHistory(drive);
      await chooseMode(drive);
      this.#model = await chooseModel(drive, model, page.effort ?? null);
      if (this.#model !== null) drive.log(`the page shows the model "${this.#model}"`);
    });
  }

  async send(turn: EngineMessage, hooks: SendHooks): Promise<Answer> {
    const drive = this.#drive(hooks);
    return await this.#guarded(async () => {
      const ready = await untilReady(drive);
      const before = new Set(ready.turns.map(({ key }) => key));
      await attachFiles(drive, turn.attachments);
      await insertPrompt(drive, turn.prompt);
      if (this.#parts.page.tool !== undefined && !this.#isResearched) await chooseTool(drive, this.#parts.page.tool);
      this.#isResearched = this.#parts.page.tool === "research";
      mustBeChat(drive, await snapshotPage(drive));
      const ref = {
        provider: "browser",
        url: ready.url,
        promptHash: promptHash(turn.prompt),
        key: this.#parts.key,
      };
      const since = Date.now();
      const sent = await pressSend(drive, turn.prompt, before, () => hooks.onRef({ ...ref, stage: "sending" }));
      if (!sent.sent) return await this.#unsent(drive, sent.proven, ref, hooks);
      const now = await snapshotPage(drive);
      // A page may show an address that is not the conversation's yet, and that the site does not know later.
      await hooks.onRef({ ...ref, stage: "sent", ...(isConversation(drive, now.url) ? { url: now.url } : {}) });
      drive.log("sent: the page shows the message");
      const { key } = sent.turn;
      // A page may change the key of the message once the server has it: then its text identifies it.
      const isOurs = (snapshot: PageSnapshot) => {
        const last = snapshot.turns.filter(({ role }) => role === "user").at(-1);
        return last !== undefined && (last.key === key || (!before.has(last.key) && last.head === sent.turn.head));
      };
      return await this.#bringHome(drive, hooks, { ref, isOurs, since, isWorkSeen: sent.snapshot.stop || now.stop });
    });
  }

  /** Fetches the answer to a message that an earlier process sent; never sends. */
  async resume(ref: ConversationRef, hooks: SendHooks): Promise<Answer> {
    const { taken, page } = this.#parts;
    const drive = this.#drive(hooks);
    return await this.#guarded(async () => {
      const hash = ref.promptHash ?? "";
      const known = ref.url !== undefined && isConversation(drive, ref.url);
      if (known) await openPage(drive, ref.url ?? page.url);
      else if (!taken) return this.#inDoubt(drive);
      const isOurs = (snapshot: PageSnapshot) => ourTurn(snapshot, hash) !== null;
      await until(drive, {
        name: "reattach",
        ms: drive.site.times.composerMs,
        test: (snapshot) => (isOurs(snapshot) ? snapshot : null),
        late: () => doubt,
      });
      drive.log("found the message in its conversation; it is not sent again");
      return await this.#bringHome(drive, hooks, { ref, isOurs, since: 0, isWorkSeen: known });
    });
  }

  /** The user cancelled: presses the stop button of the page. */
  async abandon(hooks: SendHooks): Promise<void> {
    await tryPress(this.#drive(hooks), "stop");
  }

  async close(): Promise<void> {
    await this.#parts.tab.close();
  }

  #inDoubt = (drive: Drive): never => refuseStep(drive, "reattach", doubt);

  async #unsent(drive: Drive, proven: boolean, ref: ConversationRef, hooks: SendHooks): Promise<never> {
    if (proven) await hooks.onRef(ref);
    return refuseStep(
      drive,
      "send",
      proven
        ? {
            code: "send_unproven",
            message: "the send button had no effect; nothing was sent.",
            remedy: "Try again.",
          }
        : doubt,
    );
  }

  async #bringHome(drive: Drive, hooks: SendHooks, { ref, isOurs, since, isWorkSeen }: Waiting): Promise<Answer> {
    const { tab, page, site, model } = this.#parts;
    const snapshots = new Snapshots(tab, this.#evidence, drive.log, this.#snapshots);
    snapshots.start(page.domSnapshotMs);
    try {
      const ended = await awaitAnswer(
        drive,
        {
          onText: hooks.onText,
          onAddress: (url) => hooks.onRef({ ...ref, stage: "sent", url }),
          isOurs,
          isWorkSeen,
          isReport: page.tool === "research",
        },
        since,
      );
      const { answer } = await snapshotPage(drive);
      if (answeredByOther(drive, model, page.effort ?? null, answer?.model ?? null))
        return refuseStep(drive, "model", {
          code: "model_unavailable",
          message: `"${answer?.model ?? ""}" answered instead of "${model}".`,
          remedy: "Try again later, or use --model current.",
        });
      const text = ended.whole
        ? ended.report
          ? { text: ended.report.markdown, html: ended.report.html, source: "dom" as const, folded: 0 }
          : await captureAnswer(drive)
        : { text: answer?.markdown ?? "", html: "", source: "dom" as const, folded: 0 };
      const made = ended.whole ? await saveMadeOrTell(drive, this.#evidence.folder) : { paths: [], text: "" };
      const said = text === null || text.text.trim() === "" ? made.text : text.text;
      if (text === null || said === "") return this.#lostAnswer(drive);
      await snapshots.end();
      return {
        text: said,
        html: text.html === "" ? null : text.html,
        complete: ended.whole && text.folded === 0,
        incompleteReason: ended.whole ? foldedParts(site.name, text.folded) : `${site.name}: ${ended.why}`,
        usage: null,
        model: answer?.model ?? this.#model,
        captureSource: text.source,
        snapshots: snapshots.paths,
        files: made.paths,
      };
    } finally {
      await snapshots.end();
      this.#snapshots += snapshots.paths.length;
    }
  }

  #lostAnswer = (drive: Drive): never =>
    refuseStep(drive, "capture", {
      code: "answer_broken",
      message: "the answer vanished from the page before it could be read.",
      remedy: "Fetch it with: oracle restart SESSION. It is not sent again.",
    });

  /** A failed step stores a snapshot and a screenshot; a lost login is recorded. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    const { tab, site, deps } = this.#parts;
    try {
      return await work();
    } catch (error) {
      if (tab.lost) throw tab.lost;
      if (!(error instanceof FailureError) || error.failure.code === "interrupted") throw error;
      if (error.failure.code === "login_required") forgetLogin(deps.folder, site.site);
      const step = String(error.failure.details?.["step"] ?? "page");
      throw withEvidence(error, await keepFailure(tab, site.marks, step, this.#evidence));
    }
  }
}

const foldedParts = (site: string, count: number): string | null =>
  count === 0 ? null : `${site}: ${count} folded parts of the answer could not be opened`;

const doubt = {
  code: "send_unproven",
  message: "it is not certain whether the message was sent; it is not sent again.",
  remedy: "Look for it among your conversations. If it is not there: oracle restart SESSION --fresh",
} as const;
