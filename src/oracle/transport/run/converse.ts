// The conversation of a run: the first message, the further questions of the user, then follow-ups while the answer has no
// usable diff (T-17).
import { fail } from "../../../core/contract/index.ts";
import type {
  Answer,
  Conversation,
  ConversationRef,
  EngineMessage,
  RunRequest,
  SendHooks,
} from "../../../core/contract/transport/index.ts";
import { judgeAnswer, type JudgedAnswer } from "../diff/pipeline.ts";
import type { GitPlan } from "../ports.ts";
import type { ResultBuilder } from "../result/draft.ts";
import type { AnswerFile } from "./answer-file.ts";
import { withDeadlineAfterAbort } from "./deadline.ts";

const wanted = [
  "Reply with the whole change again as one unified diff in a single fenced block:",
  "start the block with a line of three backticks and the word diff, then for each file a",
  "`diff --git a/<path> b/<path>` header, `---` and `+++` lines and `@@ -<line>,<count> +<line>,<count> @@` hunks",
  "whose counts match their lines, with unchanged lines copied exactly. Close the fence. Add no second diff block.",
].join("\n");

interface FollowupInput {
  /** One sentence: what was wrong with the last answer. */
  readonly reason: string;
  /** The message of git, when it refused the patch. */
  readonly gitMessage: string | null;
  /** The user's own text replaces the request for a diff, not the reason. */
  readonly custom: string | null;
}

export function followupPrompt({ reason, gitMessage, custom }: FollowupInput): string {
  const parts = [`Your last answer could not be used: ${reason}`];
  if (gitMessage !== null) parts.push(`git said:\n\n    ${gitMessage.trim().replaceAll("\n", "\n    ")}`);
  parts.push(custom ?? wanted);
  return parts.join("\n\n");
}

export interface Talk {
  readonly request: RunRequest;
  /** The user's own text for a follow-up, redacted where that was asked for. */
  readonly followup: string | null;
  /** Further questions of the user, as they are sent. */
  readonly next: readonly string[];
  /** Called before a further question is sent: from then on the recorded conversation belongs to it. */
  readonly beginTurn: (turn: number) => void;
  readonly conversation: Conversation;
  readonly message: EngineMessage | null;
  /** Set when an earlier process sent the message. */
  readonly resume: ConversationRef | null;
  readonly plan: GitPlan | null;
  readonly hooks: SendHooks;
  readonly signal: AbortSignal;
  readonly countSecrets: (text: string) => number;
  readonly draft: ResultBuilder;
  readonly answerFile: AnswerFile;
  /** Called with every message and every whole answer, in order. */
  readonly remember: (role: "user" | "assistant", content: string) => void;
  readonly now: () => number;
  readonly enter: (stage: string) => void;
  /** Called when the first message was sent, or could not be. */
  readonly sent: () => void;
}

export async function converse(talk: Talk): Promise<JudgedAnswer> {
  const { request, draft, hooks } = talk;
  const judge = (answer: Answer) => {
    talk.enter("checking");
    return judgeAnswer(answer, talk);
  };
  let judged = await judge(await lastOfQuestions(talk));
  for (let retry = 1; wantsRetry(request, judged) && retry <= request.diff.maxRetries; retry += 1) {
    const prompt = followupPrompt({
      reason: judged.verdict.reason,
      gitMessage: judged.checked !== null && !judged.checked.ok ? judged.checked.error : null,
      custom: talk.followup,
    });
    hooks.log(`no usable diff (${reasonOf(judged)}); asking again, ${retry} of ${request.diff.maxRetries}`);
    draft.set({ retryCount: retry });
    talk.enter("waiting");
    judged = await judge(await ask(talk, { prompt, attachments: [] }));
  }
  return judged;
}

const reasonOf = ({ verdict, checked }: JudgedAnswer) =>
  checked !== null && !checked.ok ? checked.reason : (verdict.diff?.reason ?? verdict.status);

/** Asking the model again does not help a patch that needs a person's approval. */
function wantsRetry(request: RunRequest, { verdict, checked }: JudgedAnswer): boolean {
  if (!request.diff.active || !request.diff.retry) return false;
  if (checked !== null && !checked.ok) return checked.retry;
  return verdict.retry;
}

/** An answer that is not whole ends the questions: the next one would be about something the model has not said. */
async function lastOfQuestions(talk: Talk): Promise<Answer> {
  const { next, hooks } = talk;
  let answer = await firstAnswer(talk);
  for (let turn = (talk.resume?.turn ?? 0) + 1; turn <= next.length && answer.complete; turn += 1) {
    hooks.log(`asking the next question, ${turn} of ${next.length}`);
    talk.beginTurn(turn);
    talk.enter("waiting");
    answer = await ask(talk, { prompt: next[turn - 1] ?? "", attachments: [] });
  }
  return answer;
}

async function firstAnswer(talk: Talk): Promise<Answer> {
  talk.enter("waiting");
  if (talk.resume !== null && talk.conversation.resume !== undefined) {
    talk.hooks.log("fetching the answer that an earlier process asked for");
    const from = talk.now();
    const answer = await received(talk, talk.conversation.resume(talk.resume, talk.hooks));
    talk.draft.answered(answer, from, 0);
    keep(talk, answer);
    return answer;
  }
  if (talk.message === null) throw new TypeError("there is neither a message nor an answer to fetch");
  try {
    return await ask(talk, talk.message);
  } finally {
    talk.sent();
  }
}

/** A partial answer of a stopped run is not used: the run ends as stopped, and the text is stored as partial. */
async function received(talk: Talk, work: Promise<Answer>): Promise<Answer> {
  const answer = await withDeadlineAfterAbort(work, talk.signal);
  if (talk.signal.aborted && !answer.complete) {
    talk.answerFile.soFar(answer.text);
    fail("interrupted", "The run was stopped while the answer came in.");
  }
  return answer;
}

async function ask(talk: Talk, message: EngineMessage): Promise<Answer> {
  const from = talk.now();
  talk.remember("user", message.prompt);
  const answer = await received(talk, talk.conversation.send(message, talk.hooks));
  talk.draft.answered(answer, from, message.prompt.length);
  keep(talk, answer);
  return answer;
}

function keep(talk: Talk, answer: Answer): void {
  if (answer.complete) talk.remember("assistant", answer.text);
  const { path, htmlPath } = talk.answerFile.answer(answer, talk.request.outputs);
  talk.draft.set({ answerPath: path, answerHtmlPath: htmlPath });
}
