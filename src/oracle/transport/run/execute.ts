// One run from its session to its result. Every way out of here ends in a written result.json.
import process from "node:process";
import type {
  Conversation,
  ConversationRef,
  EngineMessage,
  History,
  FinishedSteps,
  RunOutcome,
  RunRequest,
  RunResult,
  SendHooks,
  SessionWatch,
} from "../../../core/contract/transport/index.ts";
import { sessionFolder } from "../sessions/folder.ts";
import { removeTemporary } from "../sessions/read.ts";
import type { LiveRecord } from "../sessions/record.ts";
import { dropReserve, holdReserve } from "../sessions/reserve.ts";
import { readTurns, writeTurns } from "../sessions/turns.ts";
import { type JudgedAnswer, applyAnswerDiff } from "../diff/pipeline.ts";
import { converse } from "./converse.ts";
import { ResultBuilder } from "../result/draft.ts";
import { finishRun } from "./finish.ts";
import { AnswerFile } from "./answer-file.ts";
import { isOutputRefusal, prepareOutputs } from "../outputs/index.ts";
import { withDeadlineAfterAbort } from "./bounded-wait.ts";
import { prepareMessage } from "./prepare.ts";
import type { GitPlan, OracleRunDeps } from "../ports/index.ts";
import { startPulse } from "./pulse.ts";
import { RunDeadline } from "./deadline.ts";

export interface OracleRunInput {
  readonly live: LiveRecord;
  /** With the prompt as it was given: the stored one may be redacted. */
  readonly request: RunRequest;
  readonly deps: OracleRunDeps;
  readonly log: (line: string) => void;
  /** Fires when the user or the system wants the run to end. */
  readonly signal: AbortSignal;
  readonly resume: ConversationRef | null;
  readonly warnings: readonly string[];
  /** Keeps the session where other machines see it. */
  readonly kept?: () => Promise<void>;
  /** Somebody in this process looks on. */
  readonly onText?: SessionWatch["onText"];
}

export interface RunEnd {
  readonly result: RunResult;
  /** Results that could not be written, e.g. on a full disk. */
  readonly problems: RunOutcome["problems"];
  /** The last answer, also when it could not be written. */
  readonly answer: string | null;
}

export async function executeRun(parts: OracleRunInput): Promise<RunEnd> {
  return await new Run(parts).toEnd();
}

class Run {
  readonly #parts: OracleRunInput;
  readonly #draft: ResultBuilder;
  readonly #stop: RunDeadline;
  readonly #keeper: AnswerFile;
  #conversation: Conversation | null = null;
  #outputs = true;
  #turns: History = [];

  constructor(parts: OracleRunInput) {
    this.#parts = parts;
    const { request, live, deps } = parts;
    this.#draft = new ResultBuilder(request, live.folder, deps.now, (made) => this.#noteMade(made));
    for (const warning of parts.warnings) this.#draft.warn(warning);
    this.#stop = new RunDeadline(request.timeoutMs, parts.signal);
    this.#keeper = new AnswerFile(live.folder, deps.now);
  }

  async toEnd(): Promise<RunEnd> {
    const { live, request, deps, log } = this.#parts;
    const now = deps.now;
    const crashed = (error: unknown) => this.#crashed(error);
    process.on("uncaughtException", crashed);
    const endPulse = startPulse({ live, request, now, log, charsSoFar: () => this.#keeper.charsSoFar });
    try {
      live.update({ status: "running", startedAt: new Date(now()).toISOString(), process: deps.owner() });
      await this.#work();
    } catch (error) {
      this.#failed(error);
    } finally {
      endPulse();
      await this.#closeConversation();
      this.#stop.dispose();
      process.off("uncaughtException", crashed);
      dropReserve(live.folder.reserve);
    }
    const redact = (text: string) => deps.redact(text).text;
    const ending = finishRun({ live, request, draft: this.#draft, outputs: this.#outputs, now, log, redact });
    return { ...ending, answer: this.#draft.answer };
  }

  /** An error that nobody awaited, or a second signal: there is time for one synchronous ending and no more. */
  #crashed(error: unknown): never {
    const { live, request, deps, log } = this.#parts;
    dropReserve(live.folder.reserve);
    this.#failed(error);
    finishRun({
      live,
      request,
      draft: this.#draft,
      outputs: this.#outputs,
      now: deps.now,
      log,
      redact: (text) => deps.redact(text).text,
    });
    process.exit(1);
  }

  readonly #enter = (stage: string): void => {
    this.#draft.stages.enter(stage);
    this.#parts.live.update({ stage });
    this.#parts.log(stage);
  };

  async #work(): Promise<void> {
    const { request, deps } = this.#parts;
    this.#enter("preparing");
    prepareOutputs(request.outputs);
    const engine = await deps.engine(request.engine);
    if (request.followup !== null) this.#turns = readTurns(sessionFolder(deps.home, request.followup));
    const opening = openingOf(request, this.#parts.live.folder, this.#parts.resume, this.#turns);
    await engine.check(opening);
    const plan = await deps.git.preflight(request, [
      deps.home,
      ...Object.values(request.outputs).filter((path) => path !== null),
    ]);
    if (plan) this.#draft.set({ branch: await plan.branch(), gitVersion: plan.version });
    const message = this.#parts.resume === null ? await this.#prepare() : null;
    if (message === "refused") return;
    this.#stop.check();
    holdReserve(this.#parts.live.folder.reserve);
    this.#enter("connecting");
    this.#conversation = await withDeadlineAfterAbort(
      engine.open(opening, this.#hooks(this.#stop.signal)),
      this.#stop.signal,
    );
    this.#stop.check();
    const judged = await this.#talk(this.#conversation, message, plan);
    await this.#useDiff(judged, plan);
  }

  #prepare(): Promise<EngineMessage | "refused"> {
    const earlier = this.#turns.reduce((chars, { content }) => chars + content.length, 0);
    return prepareMessage({
      ...this.#parts,
      draft: this.#draft,
      stop: this.#stop,
      enter: this.#enter,
      earlierChars: earlier,
    });
  }

  async #talk(
    conversation: Conversation,
    message: EngineMessage | null,
    plan: GitPlan | null,
  ): Promise<JudgedAnswer> {
    const { request, live, deps } = this.#parts;
    const { sanitize } = request.secrets;
    const custom = request.diff.followupPrompt;
    return await converse({
      request,
      followup: custom !== null && sanitize ? deps.redact(custom).text : custom,
      conversation,
      message,
      resume: this.#parts.resume,
      plan,
      hooks: this.#hooks(this.#stop.signal),
      signal: this.#stop.signal,
      countSecrets: (text) => deps.countSecrets(text),
      draft: this.#draft,
      keeper: this.#keeper,
      remember: (role, content) => this.#remember(role, content),
      now: deps.now,
      enter: this.#enter,
      sent: () => {
        if (request.files.keepBundle) return;
        removeTemporary(live.folder, live.current.temporary);
        live.update({ temporary: [] });
      },
    });
  }

  #hooks(signal: AbortSignal): SendHooks {
    const { live, log, onText } = this.#parts;
    return {
      signal,
      onText: (text) => {
        this.#keeper.soFar(text);
        onText?.(text);
      },
      onRef: async (ref) => {
        live.update({ conversation: ref });
        await this.#parts.kept?.();
      },
      log,
    };
  }

  /** Only an API needs it; a page keeps its conversation itself. Stored like every prompt: without secrets. */
  #remember(role: "user" | "assistant", content: string): void {
    const { request, deps, live, log } = this.#parts;
    if (request.engine !== "api") return;
    this.#turns = [...this.#turns, { role, content: deps.redact(content).text }];
    try {
      writeTurns(live.folder, this.#turns);
    } catch (error) {
      // The answer counts all the same; only going on from it later will not be possible.
      log(`turns.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #useDiff(judged: JudgedAnswer, plan: GitPlan | null): Promise<void> {
    const { request, live, log, deps } = this.#parts;
    await applyAnswerDiff(judged, {
      countSecrets: (text) => deps.countSecrets(text),
      request,
      plan,
      draft: this.#draft,
      signal: this.#stop.signal,
      path: request.outputs.diff ?? live.folder.diff,
      enter: (stage) => {
        // A run that was stopped begins no change of the tree; one that has begun goes through to a stated end.
        if (stage === "applying") this.#stop.check();
        this.#enter(stage);
      },
      log,
    });
  }

  #failed(error: unknown): void {
    const { log, live } = this.#parts;
    if (isOutputRefusal(error)) this.#outputs = false;
    const stopped = this.#stop.verdict(live.folder.id);
    if (stopped) this.#draft.set(stopped);
    else this.#draft.fail(error);
    this.#admitHalfDone();
    const { error: told } = this.#draft.result;
    log(`${told?.code ?? "error"}: ${told?.message ?? ""}`);
    if (told?.code === "internal_error" && error instanceof Error) log(error.stack ?? error.message);
    if (this.#draft.result.answerPath !== null) return;
    try {
      this.#draft.set({ answerPath: this.#keeper.unfinished(), responseChars: this.#keeper.charsSoFar });
    } catch (cause) {
      log(`the text so far could not be kept: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }

  /** Each finished step is on the record at once: a run that is killed in the next moment must not deny it. */
  #noteMade(made: FinishedSteps): void {
    const { live, log } = this.#parts;
    try {
      live.update({ made });
    } catch (error) {
      log(`session.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** A patch that is in the tree and in no commit is said to be there, however the run ended. */
  #admitHalfDone(): void {
    const { treeHoldsPatch, commitSha, applyMode, error } = this.#draft.result;
    if (treeHoldsPatch && commitSha === null && applyMode === "commit")
      this.#draft.set({
        status: "commit_failed",
        diffApplied: false,
        gitCommitError: error?.message ?? "stopped",
      });
  }

  /** A cancelled run tells the other side; a timed out one leaves the answer to be fetched later. */
  async #closeConversation(): Promise<void> {
    const conversation = this.#conversation;
    if (conversation === null) return;
    const { log } = this.#parts;
    const complain = (error: unknown) =>
      log(`closing the conversation: ${error instanceof Error ? error.message : String(error)}`);
    const soon = AbortSignal.timeout(2_000);
    if (this.#stop.cause === "interrupted" && conversation.abandon)
      await withDeadlineAfterAbort(conversation.abandon(this.#hooks(soon)), soon).catch(complain);
    await withDeadlineAfterAbort(conversation.close(), soon).catch(complain);
  }
}

function openingOf(
  request: RunRequest,
  folder: { id: string; dir: string },
  resume: ConversationRef | null,
  history: History,
) {
  const key = resume?.key ?? folder.id;
  return {
    model: request.model,
    browser: request.browser && { ...request.browser, folder: folder.dir, key, reattach: resume !== null },
    api: request.api && { ...request.api, history },
  };
}
