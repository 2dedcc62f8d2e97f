// The parts of a gate's page: the question in full, the artifacts, and the evidence for and against them.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ResultSummary } from "../../core/machine/view/index.ts";
import type { ReadableGate, ReadablePart, GateDetailsView } from "../../operations/run-data/index.ts";
import { Diff } from "./diff.tsx";
import { words } from "./format.ts";
import { Markdown, TextLines } from "./markdown.tsx";
import { Badge, Refusal, Section } from "./parts.tsx";
import type { SeenParts } from "./seen.ts";

/** A part of the page that must have been on the screen before an approval. */
export function Seen({ seen, children }: { seen: SeenParts; children?: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? seen.watch(box.current) : undefined), []);
  return <div ref={box}>{children}</div>;
}

/** The goal is shown above already. */
function withoutGoal(lines: readonly string[], goal: string): readonly string[] {
  const [first = "", second, ...rest] = lines;
  if (first !== `goal: ${goal}`) return lines;
  return second === undefined || second === "" ? rest : [second, ...rest];
}

export const Asked = ({ gate, goal }: { gate: ReadableGate; goal: string }) => (
  <Section title="What is asked">
    <TextLines lines={withoutGoal(gate.lines, goal)} />
  </Section>
);

type TextPart = Extract<ReadablePart, { kind: "text" }>;

const TextOf = ({ part: { of, text, words: sentences, rest } }: { part: TextPart }) => (
  <>
    {sentences !== "" &&
      (of === "transfer_manifest" ? <pre class="artifact">{sentences}</pre> : <Markdown text={sentences} />)}
    <details open={sentences === ""}>
      <summary>{sentences === "" ? "Its text" : "As it was written"}</summary>
      <pre class="artifact" tabIndex={0}>
        {text}
      </pre>
    </details>
    {rest > 0 && (
      <Refusal
        refused={{
          code: "",
          message: `${rest} more bytes are not shown here.`,
          remedy: "Look at the whole artifact in a terminal.",
        }}
      />
    )}
  </>
);

interface PartProps {
  readonly part: ReadablePart;
  readonly seen: SeenParts;
  readonly needsYes?: ResultSummary["needsYes"];
  comment(path: string, line: string, text: string): void;
}

/** A part that must be seen. */
export function Part({ part, seen, comment, needsYes }: PartProps) {
  if (part.kind === "diff")
    return (
      <section class="change" aria-label="The change">
        <Diff patch={part.patch} seen={seen} comments={{ at: comment }} {...(needsYes ? { needsYes } : {})} />
        <Seen seen={seen} />
      </section>
    );
  return (
    <Section title={part.of === "plan" ? "Plan" : part.summary || words(part.of)}>
      <Seen seen={seen}>
        <TextOf part={part} />
      </Seen>
    </Section>
  );
}

export const Findings = ({ findings }: Pick<GateDetailsView, "findings">) =>
  findings.length === 0 ? null : (
    <Section title="Findings">
      <ul class="plain">
        {findings.map((finding) => (
          <li key={finding.seq}>
            <Badge word={finding.severity === "info" ? "plain" : "ask"} text={finding.severity} /> {finding.message}
          </li>
        ))}
      </ul>
    </Section>
  );

export const Failing = ({ failing }: Pick<GateDetailsView, "failing">) =>
  failing.length === 0 ? null : (
    <Section title="What failed">
      {failing.map(({ command, result, lines }) => (
        <div key={command}>
          <p>
            <code>{command}</code> <span class="quiet">{words(result)}</span>
          </p>
          <pre class="artifact" tabIndex={0}>
            {lines.join("\n")}
          </pre>
        </div>
      ))}
    </Section>
  );

export const Commands = ({ commands }: Pick<GateDetailsView, "commands">) =>
  commands.length === 0 ? null : (
    <Section title="Checks">
      <ul class="plain">
        {commands.map(({ command, source }) => (
          <li key={command}>
            <code>{command}</code> <span class="quiet">{source}</span>
          </li>
        ))}
      </ul>
    </Section>
  );

export const ReviewLanes = ({ lanes }: Pick<GateDetailsView, "lanes">) => (
  <Section title="Evidence">
    <ul class="claims">
      {lanes.map((lane) => (
        <li key={lane.id}>
          <Badge word={lane.state} />
          <div>
            <b>{lane.title}</b> <span class="quiet">{lane.why}</span>
          </div>
        </li>
      ))}
    </ul>
  </Section>
);

interface WholeProps {
  readonly sheet: GateDetailsView;
  readonly gate: ReadableGate;
}

/** What the approval covers beside the change and the doubts: nothing of it is cut. */
export const Covered = ({ sheet, gate }: WholeProps) => (
  <details class="section more-of">
    <summary>Everything that your approval covers</summary>
    <TextLines lines={withoutGoal(gate.lines, sheet.goal)} />
    {gate.parts.map((part) =>
      part.kind === "diff" ? null : (
        <div key={part.ref}>
          <h3>{part.of === "plan" ? "Plan (by the agent)" : part.summary || words(part.of)}</h3>
          <TextOf part={part} />
        </div>
      ),
    )}
    <Commands commands={sheet.commands} />
    <Findings findings={sheet.findings} />
    <ReviewLanes lanes={sheet.lanes} />
  </details>
);

/** Hashes, the exact text and the command, for scripts and for an exact comparison. */
export const ForPrograms = ({ sheet, gate }: WholeProps) => (
  <details class="section more-of">
    <summary>For programs</summary>
    <p class="hash quiet">
      You decide about exactly this: <code>{gate.sha256}</code>
    </p>
    <pre class="artifact" tabIndex={0}>
      {`thehood approve ${sheet.runId} --gate ${gate.id} --shown ${gate.sha256}${gate.phrase ? ` --message "${gate.phrase}"` : ""}`}
    </pre>
    <h3>The text under this hash</h3>
    <pre class="artifact" tabIndex={0}>
      {gate.text}
    </pre>
  </details>
);
