// The decision at a gate: one click approves, after a question that names what happens; the other answers stand behind it.
import { useState } from "preact/hooks";
import type { ReadableGate, GateDetailsView } from "../../operations/run-data/index.ts";
import { Inline } from "./markdown.tsx";
import { callOperation, gatesOnly, refusalOf, type Refused } from "./api.ts";
import { one } from "./format.ts";
import { CommentAtLine, revisionWords, type Comment } from "./gate-comments.tsx";
import { doubtTexts } from "./gate-doubts.ts";
import { Restate, restatedInput, restatedOf } from "./gate-restate.tsx";
import { Refusal } from "./parts.tsx";
import type { SeenParts } from "./seen.ts";

/** The field that extends the budget of a gate, with its unit. */
const budgets: Readonly<Record<string, readonly [field: string, unit: string]>> = {
  token_budget: ["addTokens", "tokens"],
  time_budget: ["addMinutes", "minutes"],
  answer_budget: ["addAnswers", "answers"],
  money_budget: ["addUsd", "dollars"],
};

interface Answering {
  readonly sheet: GateDetailsView;
  readonly gate: ReadableGate;
  readonly seen: SeenParts;
  readonly comments: readonly Comment[];
  comment(path: string, line: string, text: string): void;
  done(): void;
}

const wordsOf = {
  approve: "Approve",
  remember: "Approve and remember",
  accept: "Take it as it is",
  retry: "Send again",
  revise: "Send back",
  reject: "Reject",
  abort: "Abort the run",
  extend: "Extend",
} as const;

/** The data of the buttons: the gate, the user's text, and the function that sends an answer. */
interface ButtonProps {
  readonly gate: ReadableGate;
  readonly said: string;
  readonly busy: boolean;
  send(operation: string, input: object): void;
}

const SeenHint = ({ seen }: { seen: SeenParts }) =>
  seen.left.value > 0 ? (
    <button type="button" class="hint" onClick={() => seen.next()}>
      {one(seen.left.value, "part")} not on screen yet: show the next
    </button>
  ) : null;

/** What cannot be undone takes a typed word. */
function TypedWord({ word, typed, type }: { word: string; typed: string; type(text: string): void }) {
  const wrong = typed !== "" && !word.startsWith(typed.trim());
  return (
    <label class="typed">
      Type <b>{word}</b> to approve
      <input
        value={typed}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {wrong && <span role="alert">That is not the word: {word}</span>}
    </label>
  );
}

function PassButtons({ gate, said, busy, send, seen }: ButtonProps & { seen: SeenParts }) {
  const [typed, type] = useState("");
  const word = gate.summary?.word ?? null;
  const open = word === null || typed.trim() === word;
  const result = gate.summary?.result;
  const doubts = result ? doubtTexts(result).length : 0;
  const yes = (answer: "approve" | "remember" | "accept" | "retry") =>
    send("approve", {
      sha256: gate.sha256,
      message: [said.trim(), gate.phrase ?? ""].filter(Boolean).join(" "),
      ...(answer === "approve" ? {} : { [answer]: true }),
    });
  const answers = (["approve", "remember", "accept", "retry"] as const).filter((one) => gate.answers.includes(one));
  return (
    <>
      {word !== null && answers.length > 0 && <TypedWord word={word} typed={typed} type={type} />}
      {answers.map((answer, index) => (
        <button
          key={answer}
          type="button"
          class={`${index === 0 ? "primary" : ""} ${doubts > 0 ? "doubted" : ""}`}
          title={gate.summary?.questions[answer]}
          disabled={seen.left.value > 0 || busy || !open}
          onClick={() => yes(answer)}
        >
          {wordsOf[answer]}
          {answer === "approve" && doubts > 0 ? ` with ${one(doubts, "doubt")}` : ""}
          {answer === "remember" ? <small>later transfers to this destination, within the bounds shown</small> : null}
        </button>
      ))}
    </>
  );
}

function ExtendButton({ gate, busy, send }: Omit<ButtonProps, "said">) {
  const [more, setMore] = useState("");
  const [budget, unit] = budgets[gate.kind] ?? ["addMinutes", "minutes"];
  if (!gate.answers.includes("extend")) return null;
  return (
    <span class="extend">
      <input
        type="number"
        min={budget === "addUsd" ? "0.01" : "1"}
        step="any"
        aria-label={`More ${unit}`}
        value={more}
        onInput={(event) => setMore(event.currentTarget.value)}
      />
      <button
        type="button"
        class="primary"
        disabled={busy || !(Number(more) > 0)}
        onClick={() => send("approve", { sha256: gate.sha256, [budget]: Number(more) })}
      >
        Add {unit}
      </button>
    </span>
  );
}

const EndButtons = ({ gate, said, busy, send }: ButtonProps) => {
  const questions = gate.summary?.questions ?? {};
  return (
    <>
      {gate.answers.includes("reject") && (
        <button
          type="button"
          class="danger"
          disabled={busy}
          onClick={() =>
            confirm(questions.reject ?? "Reject? The run ends.") &&
            send("reject", { sha256: gate.sha256, message: said })
          }
        >
          {wordsOf.reject}
        </button>
      )}
      {gate.answers.includes("abort") && !gatesOnly.value && (
        <button
          type="button"
          class="danger"
          disabled={busy}
          onClick={() => confirm(questions.abort ?? "Abort the run?") && send("abort", { gate: undefined })}
        >
          {wordsOf.abort}
        </button>
      )}
    </>
  );
};

interface ReviseProps {
  readonly busy: boolean;
  readonly revising: boolean;
  readonly comments: number;
  /** The text of the revision; empty before the user wrote one. */
  readonly text: string;
  readonly place: "beside" | "inside";
  begin(): void;
  send(operation: string, input: object): void;
}

/** Beside the approval on a wide screen, inside the menu on a phone. */
const ReviseButton = ({ busy, revising, comments, text, place, begin, send }: ReviseProps) => (
  <button
    type="button"
    class={`revise ${revising ? "" : place}`}
    disabled={busy || (revising && text === "")}
    onClick={() => (text === "" ? begin() : send("revise", { message: text }))}
  >
    {wordsOf.revise}
    {comments > 0 ? ` with ${one(comments, "comment")}` : revising ? "" : " …"}
  </button>
);

function Buttons(props: ButtonProps & { seen: SeenParts; revise: Omit<ReviseProps, "place" | "send"> }) {
  const { gate, said, busy, send, seen, revise } = props;
  const mayRevise = gate.answers.includes("revise");
  const more = mayRevise || gate.answers.includes("reject") || gate.answers.includes("abort");
  return (
    <div class="buttons">
      <PassButtons gate={gate} said={said} busy={busy} send={send} seen={seen} />
      <ExtendButton gate={gate} busy={busy} send={send} />
      {mayRevise && <ReviseButton {...revise} place="beside" send={send} />}
      {more && (
        <details class="others">
          <summary role="button" aria-label="Other answers">
            …
          </summary>
          <div>
            {mayRevise && !revise.revising && <ReviseButton {...revise} place="inside" send={send} />}
            <EndButtons gate={gate} said={said} busy={busy} send={send} />
          </div>
        </details>
      )}
    </div>
  );
}

export function Decision({ sheet, gate, seen, comments, comment, done }: Answering) {
  const [said, say] = useState("");
  const [begun, begin] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const begunWith = restatedOf(sheet.goal, gate);
  const [now, restate] = useState(begunWith);
  const answer = async (operation: string, input: object): Promise<void> => {
    setBusy(true);
    const problem = await refusalOf(() =>
      callOperation(operation, sheet.repo, { runId: sheet.runId, gate: gate.id, ...input }),
    );
    setBusy(false);
    refuse(problem);
    if (!problem) done();
  };
  const starts = gate.summary?.sort === "start" && gate.answers.includes("approve");
  const send = (operation: string, input: object): void =>
    void answer(operation, { ...input, ...(starts && operation === "approve" ? restatedInput(begunWith, now) : {}) });
  const revising = begun || comments.length > 0;
  const text = revisionWords(said, comments);
  const question = gate.summary?.questions.approve ?? gate.summary?.questions.accept;
  const revise = { busy, revising, comments: comments.length, text, begin: () => begin(true) };
  return (
    <div class="decision" role="region" aria-label="Your decision">
      <Refusal refused={refused} />
      {revising && (
        <>
          <label>
            Your message
            <textarea
              rows={3}
              value={said}
              onInput={(event) => say(event.currentTarget.value)}
              placeholder="What should be different?"
            />
          </label>
          <CommentAtLine gate={gate} comment={comment} />
        </>
      )}
      {question && (
        <p class="question">
          <Inline text={question} />
        </p>
      )}
      {starts && <Restate now={now} set={restate} />}
      <SeenHint seen={seen} />
      <Buttons gate={gate} said={said} busy={busy} send={send} seen={seen} revise={revise} />
    </div>
  );
}
