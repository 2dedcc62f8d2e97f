// The parts of a gate's page: the question, the artifacts, and the evidence for and against them.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ReadableGate, ReadablePart, GateDetailsView } from "../../operations/run-data/index.ts";
import { Diff } from "./diff.tsx";
import { short, words } from "./format.ts";
import { Markdown, TextLines } from "./markdown.tsx";
import { Badge, Refusal, Section } from "./parts.tsx";
import type { SeenParts } from "./seen.ts";

/** A part of the page that must have been on the screen before an approval. */
function Seen({ seen, children }: { seen: SeenParts; children?: ComponentChildren }) {
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

export function Asked({ gate, goal, seen }: { gate: ReadableGate; goal: string; seen: SeenParts }) {
  return (
    <Section title="What is asked">
      <Seen seen={seen}>
        <TextLines lines={withoutGoal(gate.told, goal)} />
        <details>
          <summary>Exactly what the hash covers</summary>
          <pre class="artifact" tabIndex={0}>
            {gate.text}
          </pre>
        </details>
      </Seen>
    </Section>
  );
}

export function Part({
  part,
  seen,
  comment,
}: {
  part: ReadablePart;
  seen: SeenParts;
  comment(path: string, line: string, text: string): void;
}) {
  if (part.kind === "diff")
    return (
      <Section title="The change" aside={<code class="id">{short(part.ref)}</code>}>
        <Diff patch={part.patch} seen={seen} comments={{ at: comment }} />
        <Seen seen={seen} />
      </Section>
    );
  return (
    <Section title={part.summary || words(part.of)} aside={<code class="id">{short(part.ref)}</code>}>
      <Seen seen={seen}>
        {part.words !== "" &&
          (part.of === "transfer_manifest" ? <pre class="artifact">{part.words}</pre> : <Markdown text={part.words} />)}
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
      </Seen>
    </Section>
  );
}

type Standing<Part extends keyof GateDetailsView> = Pick<GateDetailsView, Part> & {
  readonly seen: SeenParts;
};

export const Findings = ({ findings, seen }: Standing<"findings">) =>
  findings.length === 0 ? null : (
    <Section title="Findings">
      <Seen seen={seen}>
        <ul class="plain">
          {findings.map((finding) => (
            <li key={finding.seq}>
              <Badge word={finding.severity === "info" ? "plain" : "ask"} text={finding.severity} /> {finding.message}
            </li>
          ))}
        </ul>
      </Seen>
    </Section>
  );

export const Failing = ({ failing, seen }: Standing<"failing">) =>
  failing.length === 0 ? null : (
    <Section title="What failed">
      <Seen seen={seen}>
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
      </Seen>
    </Section>
  );

export const Commands = ({ commands, seen }: Standing<"commands">) =>
  commands.length === 0 ? null : (
    <Section title="Commands that will run">
      <Seen seen={seen}>
        <ul class="plain">
          {commands.map(({ command, source }) => (
            <li key={command}>
              <code>{command}</code> <span class="quiet">{source}</span>
            </li>
          ))}
        </ul>
      </Seen>
    </Section>
  );

export const ReviewLanes = ({ lanes, seen }: Standing<"lanes">) => (
  <Section title="Evidence">
    <Seen seen={seen}>
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
    </Seen>
  </Section>
);
