// The parts of a gate's page: what is asked, the artifacts under decision, and what stands for or against them.
import { useEffect, useRef } from "preact/hooks";
import type { ReadableGate, ReadablePart, ReadableSheet } from "../operations/runs/index.ts";
import { Diff } from "./diff.tsx";
import { short, words } from "./format.ts";
import { Markdown, ToldLines } from "./markdown.tsx";
import { Badge, Refusal, Section } from "./parts.tsx";
import type { SeenParts } from "./seen.ts";

/** A box of the page that must have been on the screen before a yes. */
function useSeenBox(seen: SeenParts) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => (box.current ? seen.watch(box.current) : undefined), []);
  return box;
}

/** The goal stands above already. */
function withoutGoal(lines: readonly string[], goal: string): readonly string[] {
  const [first = "", second, ...rest] = lines;
  if (first !== `goal: ${goal}`) return lines;
  return second === undefined || second === "" ? rest : [second, ...rest];
}

export function Asked({ gate, goal, seen }: { gate: ReadableGate; goal: string; seen: SeenParts }) {
  const box = useSeenBox(seen);
  return (
    <Section title="What is asked">
      <div ref={box}>
        <ToldLines lines={withoutGoal(gate.told, goal)} />
        <details>
          <summary>Exactly what the hash covers</summary>
          <pre class="artifact" tabIndex={0}>
            {gate.text}
          </pre>
        </details>
      </div>
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
  const box = useSeenBox(seen);
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

export const Findings = ({ findings }: Pick<ReadableSheet, "findings">) =>
  findings.length === 0 ? null : (
    <Section title="Findings">
      <ul class="plain">
        {findings.map((finding) => (
          <li key={finding.seq}>
            <Badge word={finding.severity === "info" ? "plain" : "ask"} text={finding.severity} />{" "}
            {finding.message}
          </li>
        ))}
      </ul>
    </Section>
  );

export const Commands = ({ commands }: Pick<ReadableSheet, "commands">) =>
  commands.length === 0 ? null : (
    <Section title="Commands that will run">
      <ul class="plain">
        {commands.map(({ command, source }) => (
          <li key={command}>
            <code>{command}</code> <span class="quiet">{source}</span>
          </li>
        ))}
      </ul>
    </Section>
  );

export const ReviewLanes = ({ lanes }: Pick<ReadableSheet, "lanes">) => (
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
