// One run from its session to its result. Every end of a run writes result.json.
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
import { readTurns, writeTurns, type LiveRecord } from "../sessions/record.ts";
import { dropReserve, holdReserve } from "../sessions/atomic-file.ts";
import { type JudgedAnswer, applyAnswerDiff } from "../diff/pipeline.ts";
import { converse } from "./converse.ts";
import { ResultBuilder } from "../result/draft.ts";
import { finishRun } from "./finish.ts";
import { AnswerFile } from "./answer-file.ts";
import { isOutputRefusal, prepareOutputs } from "../outputs.ts";
import { RunDeadline, startPulse, withDeadlineAfterAbort } from "./deadline.ts";
import { prepareMessage } from "./prepare.ts";
import type { GitPlan, OracleRunDeps } from "../ports.ts";

interface OracleRunInput {
  readonly live: LiveRecord;
  /** With the prompt as it was given: the stored one may be redacted. */
  readonly request: RunRequest;
  readonly deps: OracleRunDeps;
  readonly log: (line: string) => void;
  /** Fires when the user or the system wants the run to end. */
  readonly signal: AbortSignal;
  readonly resume: ConversationRef | null;
  readonly warnings: readonly string[];
  /** Stores the session where other machines see it. */
  readonly share?: () => Promise<void>;
  /** Gets the answer so far, in this process. */
  readonly onText?: SessionWatch["onText"];
}

interface RunEnd {
  readonly result: RunResult;
  /** Results that could not be written, e.g. on a full disk. */
  readonly problems: RunOutcome["problems"];
  /** The last answer, also when it could not be written. */
  readonly answer: string | null;
}

export async function executeRun(input: OracleRunInput): Promise<RunEnd> {
  return await new Run(input).toEnd();
}

class Run {
  readonly #input: OracleRunInput;
  readonly #draft: ResultBuilder;
  readonly #stop: RunDeadline;
  readonly #answerFile: AnswerFile;
  #conversation: Conversation | null = null;
  #outputs = true;
  #turns: History = [];

  constructor(input: OracleRunInput) {
    this.#input = input;
    const { request, live, deps } = input;
    this.#draft = new ResultBuilder(request, live.folder, deps.now, (made) => this.#noteMade(made));
    for (const warning of input.warnings) this.#draft.warn(warning);
    this.#stop = new RunDeadline(request.timeoutMs, input.signal);
    this.#answerFile = new AnswerFile(live.folder, deps.now);
  }

  async toEnd(): Promise<RunEnd> {
    const { live, request, deps, log } = this.#input;
    const now = deps.now;
    const crashed = (error: unknown) => this.#crashed(error);
    process.on("uncaughtException", crashed);
    const endPulse = startPulse({ live, request, now, log, charsSoFar: () => this.#answerFile.charsSoFar });
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

  /** After an uncaught error or a second signal the run ends synchronously, with a written result. */
  #crashed(error: unknown): never {
    const { live, request, deps, log } = this.#input;
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
    this.#input.live.update({ stage });
    this.#input.log(stage);
  };

  async #work(): Promise<void> {
    const { request, deps } = this.#input;
    this.#enter("preparing");
    prepareOutputs(request.outputs);
    const engine = await deps.engine(request.engine);
    if (request.followup !== null) this.#turns = readTurns(sessionFolder(deps.home, request.followup));
    const opening = openingOf(request, this.#input.live.folder, this.#input.resume, this.#turns);
    await engine.check(opening);
    const plan = await deps.git.preflight(request, [
      deps.home,
      ...Object.values(request.outputs).filter((path) => path !== null),
    ]);
    if (plan) this.#draft.set({ branch: await plan.branch(), gitVersion: plan.version });
    const message = this.#input.resume === null ? await this.#prepare() : null;
    if (message === "refused") return;
    this.#stop.check();
    holdReserve(this.#input.live.folder.reserve);
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
      ...this.#input,
      draft: this.#draft,
      stop: this.#stop,
      enter: this.#enter,
      earlierChars: earlier,
    });
  }

  async #talk(conversation: Conversation, message: EngineMessage | null, plan: GitPlan | null): Promise<JudgedAnswer> {
    const { request, live, deps } = this.#input;
    const { keep = false } = request.secrets;
    const custom = request.diff.followupPrompt;
    return await converse({
      request,
      followup: custom === null || keep ? custom : deps.redact(custom).text,
      conversation,
      message,
      resume: this.#input.resume,
      plan,
      hooks: this.#hooks(this.#stop.signal),
      signal: this.#stop.signal,
      countSecrets: (text) => deps.countSecrets(text),
      draft: this.#draft,
      answerFile: this.#answerFile,
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
    const { live, log, onText } = this.#input;
    return {
      signal,
      onText: (text) => {
        this.#answerFile.soFar(text);
        onText?.(text);
      },
      onRef: async (ref) => {
        live.update({ conversation: ref });
        await this.#input.share?.();
      },
      log,
    };
  }

  /** Only for an API: a page stores its conversation. Secrets are redacted, as in every stored prompt. */
  #remember(role: "user" | "assistant", content: string): void {
    const { request, deps, live, log } = this.#input;
    if (request.engine !== "api") return;
    this.#turns = [...this.#turns, { role, content: deps.redact(content).text }];
    try {
      writeTurns(live.folder, this.#turns);
    } catch (error) {
      // The answer is still valid; only a follow-up to it will not be possible.
      log(`turns.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  async #useDiff(judged: JudgedAnswer, plan: GitPlan | null): Promise<void> {
    const { request, live, log, deps } = this.#input;
    await applyAnswerDiff(judged, {
      countSecrets: (text) => deps.countSecrets(text),
      request,
      plan,
      draft: this.#draft,
      signal: this.#stop.signal,
      path: request.outputs.diff ?? live.folder.diff,
      enter: (stage) => {
        // A stopped run does not start to change the tree; a change that has started runs to its end.
        if (stage === "applying") this.#stop.check();
        this.#enter(stage);
      },
      log,
    });
  }

  #failed(error: unknown): void {
    const { log, live } = this.#input;
    if (isOutputRefusal(error)) this.#outputs = false;
    const stopped = this.#stop.verdict(live.folder.id);
    if (stopped) this.#draft.set(stopped);
    else this.#draft.fail(error);
    this.#reportUncommitted();
    const { error: reported } = this.#draft.result;
    log(`${reported?.code ?? "error"}: ${reported?.message ?? ""}`);
    if (reported?.code === "internal_error" && error instanceof Error) log(error.stack ?? error.message);
    if (this.#draft.result.answerPath !== null) return;
    try {
      this.#draft.set({
        answerPath: this.#answerFile.unfinished(),
        responseChars: this.#answerFile.charsSoFar,
      });
    } catch (cause) {
      log(`the text so far could not be stored: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }

  /** Each finished step is recorded at once, so that the record is true for a run that is killed a moment later. */
  #noteMade(made: FinishedSteps): void {
    const { live, log } = this.#input;
    try {
      live.update({ made });
    } catch (error) {
      log(`session.json cannot be written: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** A patch that is in the tree without a commit is reported, however the run ended. */
  #reportUncommitted(): void {
    const { treeHoldsPatch, commitSha, applyMode, error } = this.#draft.result;
    if (treeHoldsPatch && commitSha === null && applyMode === "commit")
      this.#draft.set({
        status: "commit_failed",
        diffApplied: false,
        gitCommitError: error?.message ?? "stopped",
      });
  }

  /** A cancelled run cancels the request at the provider; after a timeout the answer can be fetched later. */
  async #closeConversation(): Promise<void> {
    const conversation = this.#conversation;
    if (conversation === null) return;
    const { log } = this.#input;
    const report = (error: unknown) =>
      log(`closing the conversation: ${error instanceof Error ? error.message : String(error)}`);
    const soon = AbortSignal.timeout(2_000);
    if (this.#stop.cause === "interrupted" && conversation.abandon)
      await withDeadlineAfterAbort(conversation.abandon(this.#hooks(soon)), soon).catch(report);
    await withDeadlineAfterAbort(conversation.close(), soon).catch(report);
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
