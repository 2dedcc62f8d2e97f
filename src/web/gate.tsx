// The gate: one page with everything that one decision needs, in the order in which a careful person reads it.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ReadableGate, ReadablePart, ReadableSheet } from "../operations/runs/index.ts";
import { askServer, gatesOnly, live, refusalOf, type Refused } from "./api.ts";
import { Diff } from "./diff.tsx";
import { folderName, now, one, short, span, words } from "./format.ts";
import { useAsked } from "./load.ts";
import { Markdown, ToldLines } from "./markdown.tsx";
import { Badge, Refusal, Section, Waiting } from "./parts.tsx";
import { go, link, place } from "./route.ts";
import { watchSeen, type SeenParts } from "./seen.ts";

/** The field that extends the budget of a gate, with its unit. */
const budgets: Readonly<Record<string, readonly [field: string, unit: string]>> = {
  token_budget: ["addTokens", "tokens"],
  time_budget: ["addMinutes", "minutes"],
  answer_budget: ["addAnswers", "answers"],
  money_budget: ["addUsd", "dollars"],
};

interface Comment {
  readonly path: string;
  readonly line: string;
  readonly text: string;
  readonly words: string;
}

/** The words of a revision: the person's own, then each comment with its line. */
const revisionWords = (said: string, comments: readonly Comment[]): string =>
  [
    said.trim(),
    ...comments.map(
      ({ path, line, text, words: own }) => `${path}:${line} (${text.trim().slice(0, 120)}): ${own.trim()}`,
    ),
  ]
    .filter((part) => part !== "")
    .join("\n");

function Part({
  part,
  seen,
  comment,
}: {
  part: ReadablePart;
  seen: SeenParts;
  comment(path: string, line: string, text: string): void;
}) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? seen.watch(box.current) : undefined), []);
  if (part.kind === "diff")
    return (
      <Section title="The change" aside={<code class="id">{short(part.ref)}</code>}>
        <Diff patch={part.patch} seen={seen} comments={{ at: comment }} />
        <div ref={box} />
      </Section>
    );
  return (
    <Section title={part.summary || words(part.of)} aside={<code class="id">{short(part.ref)}</code>}>
      <div ref={box}>
        {part.words !== "" && <Markdown text={part.words} />}
        <details open={part.words === ""}>
          <summary>{part.words === "" ? "Its text" : "As it was written"}</summary>
          <pre class="artifact" tabIndex={0}>
            {part.text}
          </pre>
        </details>
        {part.rest > 0 && (
          <Refusal
            refused={{
              code: "",
              message: `${part.rest} more bytes are not shown here.`,
              remedy: "Look at the whole artifact in a terminal.",
            }}
          />
        )}
      </div>
    </Section>
  );
}

interface Answering {
  readonly sheet: ReadableSheet;
  readonly gate: ReadableGate;
  readonly seen: SeenParts;
  readonly comments: readonly Comment[];
  done(): void;
}

const wordsOf = {
  approve: "Approve",
  accept: "Accept as it is",
  retry: "Send again",
  revise: "Send back",
  reject: "Reject",
  abort: "Abort the run",
  extend: "Extend",
} as const;

function Decision({ sheet, gate, seen, comments, done }: Answering) {
  const [said, say] = useState("");
  const [revising, revise] = useState(false);
  const [more, setMore] = useState("");
  const [busy, setBusy] = useState(false);
  const [refused, refuse] = useState<Refused | undefined>(undefined);
  const left = seen.left.value;
  const send = async (operation: string, input: object): Promise<void> => {
    setBusy(true);
    const problem = await refusalOf(() =>
      askServer(operation, sheet.repo, { runId: sheet.runId, gate: gate.id, ...input }),
    );
    setBusy(false);
    refuse(problem);
    if (!problem) done();
  };
  const yes = (answer: "approve" | "accept" | "retry") =>
    void send("approve", {
      sha256: gate.sha256,
      message: [said.trim(), gate.phrase ?? ""].filter(Boolean).join(" "),
      ...(answer === "approve" ? {} : { [answer]: true }),
    });
  const back = revisionWords(said, comments);
  const [budget, unit] = budgets[gate.kind] ?? ["addMinutes", "minutes"];
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
        {left > 0 ? (
          <button type="button" class="hint" onClick={() => seen.next()}>
            {one(left, "part")} not on screen yet: show the next
          </button>
        ) : (
          <span class="hint ready">Everything was on screen.</span>
        )}
        {(["approve", "accept", "retry"] as const)
          .filter((answer) => gate.answers.includes(answer))
          .map((answer) => (
            <button
              key={answer}
              type="button"
              class="primary"
              disabled={left > 0 || busy}
              onClick={() => yes(answer)}
            >
              {wordsOf[answer]}
              {answer === "approve" && gate.phrase ? <small>{gate.phrase}</small> : null}
            </button>
          ))}
        {gate.answers.includes("extend") && (
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
              onClick={() => void send("approve", { sha256: gate.sha256, [budget]: Number(more) })}
            >
              Add {unit}
            </button>
          </span>
        )}
        {gate.answers.includes("revise") && (
          <button
            type="button"
            disabled={busy || (revising && back === "")}
            onClick={() => (back === "" ? revise(true) : void send("revise", { message: back }))}
          >
            {wordsOf.revise}
            {comments.length > 0 ? ` with ${one(comments.length, "comment")}` : revising ? "" : " …"}
          </button>
        )}
        {gate.answers.includes("reject") && (
          <button
            type="button"
            class="danger"
            disabled={busy}
            onClick={() =>
              confirm("Reject? The run ends.") && void send("reject", { sha256: gate.sha256, message: said })
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
            onClick={() => confirm("Abort the run?") && void send("abort", { gate: undefined })}
          >
            {wordsOf.abort}
          </button>
        )}
      </div>
    </div>
  );
}

function CommentBox({ comment, change, remove }: CommentProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <li>
      <label>
        <code>
          {comment.path}:{comment.line}
        </code>
        <pre>{comment.text}</pre>
        <textarea
          rows={2}
          ref={box}
          value={comment.words}
          onInput={(event) => change({ ...comment, words: event.currentTarget.value })}
        />
      </label>
      <button type="button" onClick={remove}>
        Remove
      </button>
    </li>
  );
}

interface CommentProps {
  readonly comment: Comment;
  change(comment: Comment): void;
  remove(): void;
}

interface CommentsProps {
  readonly comments: readonly Comment[];
  set(comments: readonly Comment[]): void;
}

function Comments({ comments, set }: CommentsProps) {
  if (comments.length === 0) return null;
  return (
    <Section title="Your comments">
      <ul class="plain comments">
        {comments.map((comment) => (
          <CommentBox
            key={`${comment.path}:${comment.line}`}
            comment={comment}
            change={(changed) => set(comments.map((other) => (other === comment ? changed : other)))}
            remove={() => set(comments.filter((other) => other !== comment))}
          />
        ))}
      </ul>
    </Section>
  );
}

/** The goal stands above already. */
function withoutGoal(lines: readonly string[], goal: string): readonly string[] {
  const [first = "", second, ...rest] = lines;
  if (first !== `goal: ${goal}`) return lines;
  return second === undefined || second === "" ? rest : [second, ...rest];
}

function Gate({ sheet, gate, done }: { sheet: ReadableSheet; gate: ReadableGate; done(): void }) {
  const seen = useMemo(watchSeen, [gate.id]);
  useEffect(() => seen.stop, [seen]);
  const [comments, set] = useState<readonly Comment[]>([]);
  const asked = useRef<HTMLDivElement>(null);
  useEffect(() => (asked.current ? seen.watch(asked.current) : undefined), []);
  const comment = (path: string, line: string, text: string): void => {
    if (!comments.some((known) => known.path === path && known.line === line))
      set([...comments, { path, line, text, words: "" }]);
  };
  return (
    <article class="gate">
      <header class="head">
        <p>
          <Badge word={gate.risk} text={`${gate.risk} risk`} />{" "}
          <span class="quiet">waits for {span(now.value - gate.since)}</span>
        </p>
        <h1>{gate.title}</h1>
        <p class="quiet">{sheet.goal}</p>
      </header>
      <Section title="What is asked">
        <div ref={asked}>
          <ToldLines lines={withoutGoal(gate.told, sheet.goal)} />
          <details>
            <summary>Exactly what the hash covers</summary>
            <pre class="artifact" tabIndex={0}>
              {gate.text}
            </pre>
          </details>
        </div>
      </Section>
      {sheet.findings.length > 0 && (
        <Section title="Findings">
          <ul class="plain">
            {sheet.findings.map((finding) => (
              <li key={finding.seq}>
                <Badge word={finding.severity === "info" ? "plain" : "ask"} text={finding.severity} />{" "}
                {finding.message}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {gate.parts.map((part) => (
        <Part key={part.ref} part={part} seen={seen} comment={comment} />
      ))}
      {sheet.commands.length > 0 && (
        <Section title="Commands that will run">
          <ul class="plain">
            {sheet.commands.map(({ command, source }) => (
              <li key={command}>
                <code>{command}</code> <span class="quiet">{source}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Evidence">
        <ul class="claims">
          {sheet.lanes.map((lane) => (
            <li key={lane.id}>
              <Badge word={lane.state} />
              <div>
                <b>{lane.title}</b> <span class="quiet">{lane.why}</span>
              </div>
            </li>
          ))}
        </ul>
      </Section>
      <Comments comments={comments} set={set} />
      <p class="hash quiet">
        You decide about exactly this: <code>{gate.sha256}</code>
      </p>
      <Decision sheet={sheet} gate={gate} seen={seen} comments={comments} done={done} />
    </article>
  );
}

export function GateView() {
  const { repo, id = "" } = place.value.of;
  const { data, refused, again } = useAsked<ReadableSheet>("gate", repo, { runId: id });
  const [shown, show] = useState<ReadableSheet | undefined>(undefined);
  useEffect(() => {
    if (data && !shown) show(data);
  }, [data]);
  useEffect(() => {
    document.title = `${shown?.gates[0]?.title ?? "Gate"} · thehood`;
    let after = 0;
    const path = () =>
      `/api/live?${new URLSearchParams({ ...(repo ? { repo } : {}), run: id, after: String(after) })}`;
    return live<{ event: { seq: number } | null; work: readonly string[] }>(path, ({ event, work }) => {
      if (event) after = event.seq;
      // What an agent does at present changes no gate.
      if (work.length === 0) again();
    });
  }, [repo, id]);
  const same =
    data?.gates.map((gate) => gate.sha256).join() === shown?.gates.map((gate) => gate.sha256).join();
  if (!shown) return <main id="main">{refused ? <Refusal refused={refused} /> : <Waiting />}</main>;
  return (
    <main id="main">
      <nav class="crumbs" aria-label="Where">
        <a href={link("home")}>Runs</a>
        <span>{folderName(shown.repo)}</span>
        <a href={link("run", { repo, id })}>{shown.runId}</a>
      </nav>
      {data && !same && (
        <div class="refusal" role="alert">
          <b>
            {data.gates.length === 0 ? "This was decided elsewhere." : "Another question stands here now."}
          </b>
          <p>
            <button type="button" onClick={() => show(data)}>
              Show how it stands now
            </button>
          </p>
        </div>
      )}
      {shown.gates.length === 0 && (
        <div class="empty">
          <p>Nothing waits for you here: the run is {words(shown.state)}.</p>
          <p>
            <a href={link("run", { repo, id })}>Look at the run</a>
          </p>
        </div>
      )}
      {shown.gates.map((gate) => (
        <Gate key={gate.id} sheet={shown} gate={gate} done={() => go(link("run", { repo, id }))} />
      ))}
    </main>
  );
}
