// The decision at a gate: a button for each answer of the gate.
import { useState } from "preact/hooks";
import type { ReadableGate, GateDetailsView } from "../../operations/run-data/index.ts";
import { callOperation, gatesOnly, refusalOf, type Refused } from "./api.ts";
import { one } from "./format.ts";
import { revisionWords, type Comment } from "./gate-comments.tsx";
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
  done(): void;
}

const wordsOf = {
  approve: "Approve",
  remember: "Approve and remember",
  accept: "Accept as it is",
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
  ) : (
    <span class="hint ready">Everything was on screen.</span>
  );

function PassButtons({ gate, said, busy, send, seen }: ButtonProps & { seen: SeenParts }) {
  const yes = (answer: "approve" | "remember" | "accept" | "retry") =>
    send("approve", {
      sha256: gate.sha256,
      message: [said.trim(), gate.phrase ?? ""].filter(Boolean).join(" "),
      ...(answer === "approve" ? {} : { [answer]: true }),
    });
  return (
    <>
      {(["approve", "remember", "accept", "retry"] as const)
        .filter((answer) => gate.answers.includes(answer))
        .map((answer) => (
          <button
            key={answer}
            type="button"
            class="primary"
            disabled={seen.left.value > 0 || busy}
            onClick={() => yes(answer)}
          >
            {wordsOf[answer]}
            {answer === "approve" && gate.phrase ? <small>{gate.phrase}</small> : null}
            {answer === "remember" ? <small>later transfers to this destination, within the bounds above</small> : null}
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

const EndButtons = ({ gate, said, busy, send }: ButtonProps) => (
  <>
    {gate.answers.includes("reject") && (
      <button
        type="button"
        class="danger"
        disabled={busy}
        onClick={() => confirm("Reject? The run ends.") && send("reject", { sha256: gate.sha256, message: said })}
      >
        {wordsOf.reject}
      </button>
    )}
    {gate.answers.includes("abort") && !gatesOnly.value && (
      <button
        type="button"
        class="danger"
        disabled={busy}
        onClick={() => confirm("Abort the run?") && send("abort", { gate: undefined })}
      >
        {wordsOf.abort}
      </button>
    )}
  </>
);

export function Decision({ sheet, gate, seen, comments, done }: Answering) {
  const [said, say] = useState("");
  const [revising, revise] = useState(false);
  const [busy, setBusy] = useState(false);
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const answer = async (operation: string, input: object): Promise<void> => {
    setBusy(true);
    const problem = await refusalOf(() =>
      callOperation(operation, sheet.repo, { runId: sheet.runId, gate: gate.id, ...input }),
    );
    setBusy(false);
    refuse(problem);
    if (!problem) done();
  };
  const send = (operation: string, input: object): void => void answer(operation, input);
  const back = revisionWords(said, comments);
  return (
    <div class="decision" role="region" aria-label="Your decision">
      <Refusal refused={refused} />
      {(revising || comments.length > 0) && (
        <label>
          Your words
          <textarea
            rows={3}
            value={said}
            onInput={(event) => say(event.currentTarget.value)}
            placeholder="What should be different?"
          />
        </label>
      )}
      <div class="buttons">
        <SeenHint seen={seen} />
        <PassButtons gate={gate} said={said} busy={busy} send={send} seen={seen} />
        <ExtendButton gate={gate} busy={busy} send={send} />
        {gate.answers.includes("revise") && (
          <button
            type="button"
            disabled={busy || (revising && back === "")}
            onClick={() => (back === "" ? revise(true) : send("revise", { message: back }))}
          >
            {wordsOf.revise}
            {comments.length > 0 ? ` with ${one(comments.length, "comment")}` : revising ? "" : " …"}
          </button>
        )}
        <EndButtons gate={gate} said={said} busy={busy} send={send} />
      </div>
    </div>
  );
}
