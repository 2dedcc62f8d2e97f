// One run from its session to its result. Every end of a run writes result.json.
import process from "node:process";
import type {
  Conversation,
  ConversationRef,
  EngineMessage,
  FinishedSteps,
  RunOutcome,
  RunRequest,
  RunResult,
  SendHooks,
  SessionWatch,
} from "../../../core/contract/transport/index.ts";
import { removeTemporary } from "../sessions/read.ts";
import type { LiveRecord } from "../sessions/record.ts";
import { dropReserve, holdReserve } from "../sessions/atomic-file.ts";
import { type JudgedAnswer, applyAnswerDiff } from "../diff/pipeline.ts";
import { converse } from "./converse.ts";
import { ResultBuilder } from "../result/draft.ts";
import { finishRun } from "./finish.ts";
import { AnswerFile } from "./answer-file.ts";
import { closeConversation } from "./close.ts";
import { recordFailure } from "./failed.ts";
import { RunTurns } from "./turns.ts";
import { isOutputRefusal, prepareOutputs } from "../outputs.ts";
import { RunDeadline, startPulse, withDeadlineAfterAbort } from "./deadline.ts";
import { openingOf } from "./opening.ts";
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
  readonly #turns: RunTurns;
  /** The question that is asked now: 0 for the first. A process that resumes starts where the recorded one is. */
  #turn: number;

  constructor(input: OracleRunInput) {
    this.#input = input;
    const { request, live, deps } = input;
    this.#turn = input.resume?.turn ?? 0;
    this.#draft = new ResultBuilder(request, live.folder, deps.now, (made) => this.#noteMade(made));
    for (const warning of input.warnings) this.#draft.warn(warning);
    this.#stop = new RunDeadline(request.timeoutMs, input.signal);
    this.#answerFile = new AnswerFile(live.folder, deps.now);
    this.#turns = new RunTurns(input);
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
      if (this.#conversation) await closeConversation(this.#conversation, this.#stop, (signal) => this.#hooks(signal));
      this.#stop.dispose();
      process.off("uncaughtException", crashed);
      dropReserve(live.folder.reserve);
    }
    return { ...this.#finish(), answer: this.#draft.answer };
  }

  /** After an uncaught error or a second signal the run ends synchronously, with a written result. */
  #crashed(error: unknown): never {
    dropReserve(this.#input.live.folder.reserve);
    this.#failed(error);
    this.#finish();
    process.exit(1);
  }

  #finish() {
    const { live, request, deps, log } = this.#input;
    const redact = (text: string) => deps.redact(text).text;
    return finishRun({ live, request, draft: this.#draft, outputs: this.#outputs, now: deps.now, log, redact });
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
    const opening = openingOf(request, this.#input.live.folder, this.#input.resume, this.#turns.recall());
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
    return prepareMessage({
      ...this.#input,
      draft: this.#draft,
      stop: this.#stop,
      enter: this.#enter,
      earlierChars: this.#turns.chars,
    });
  }

  async #talk(conversation: Conversation, message: EngineMessage | null, plan: GitPlan | null): Promise<JudgedAnswer> {
    const { request, live, deps } = this.#input;
    const { keep = false } = request.secrets;
    const custom = request.diff.followupPrompt;
    return await converse({
      request,
      next: (request.next ?? []).map((text) => (keep ? text : deps.redact(text).text)),
      beginTurn: (turn) => {
        this.#turn = turn;
      },
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
      remember: (role, content) => this.#turns.remember(role, content),
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
        live.update({ conversation: this.#turn === 0 ? ref : { ...ref, turn: this.#turn } });
        await this.#input.share?.();
      },
      log,
    };
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
    const { live, log } = this.#input;
    if (isOutputRefusal(error)) this.#outputs = false;
    recordFailure({ live, log, draft: this.#draft, stop: this.#stop, answerFile: this.#answerFile }, error);
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
}
